"""The dealing service: HTTP around the pure protocol and the ledger."""
