"""A seat and a witness at a dealing service; they trust nothing that it says."""
