"""The Blue Chip table-manager protocol, version 18, and a seat served over HTTP.

Names are imported from the modules themselves: gathering them here would load asyncio for
programs that only read lines.
"""
