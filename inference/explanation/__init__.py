"""Explanations of calls and auctions, as text and as data."""
