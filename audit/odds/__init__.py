"""The odds that the books state, beside the exact ones."""
