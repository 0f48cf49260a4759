"""Rules and the auctions they apply to: patterns, bindings, decision lists, compiled systems."""
