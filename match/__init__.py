"""Agents, duplicate matches and their reports, double-dummy results and table managers.

Names are imported from the modules themselves: gathering them here would load numpy and endplay
for programs that only need one of them.
"""
