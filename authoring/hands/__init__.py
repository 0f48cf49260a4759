"""Hands for rules and positions: found, proved, drawn, and counted."""
