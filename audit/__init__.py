"""fairdeal: provably fair card dealing, and an audit of deal logs."""

__version__ = "0.1.0"
