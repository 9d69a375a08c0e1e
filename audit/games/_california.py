"""What the book leaves open of California Jack and Shasta Sam (Foster, "California Jack")."""

SILENT = ("tie for Game", "first lead", "misdeals")
