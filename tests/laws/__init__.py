"""The laws of the books: whole deals, cases, breaches, chances; one file a family."""
