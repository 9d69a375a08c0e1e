"""An append-only ledger of bytes: a Merkle tree, signed checkpoints, witnesses, two stores."""
