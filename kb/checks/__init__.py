"""Checks of a readable system: names, ranges, auctions, examples."""
