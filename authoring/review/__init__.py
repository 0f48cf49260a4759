"""Played boards held against the systems that were disclosed, as a director needs it."""
