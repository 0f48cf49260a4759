"""Conditions and bounds in the words of bridge players."""
