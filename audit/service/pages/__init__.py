"""Pages that a player saves and opens without a network; `build` puts each into one file."""
