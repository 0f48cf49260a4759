"""Checking systems: what is wrong with them, again at each change, and of new ones."""
