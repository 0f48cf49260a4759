"""Agents: who is asked for calls, by rules, networks, search, or another program."""
