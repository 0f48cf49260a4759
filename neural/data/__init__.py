"""Auctions to learn from: bid by rules or read from files, kept as arrays, seen as positions."""
