"""Find boards by the meaning of their calls: the query, and the boards as they were read."""
