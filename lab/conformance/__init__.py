"""Examinations of other programs that speak the table-manager protocol."""
