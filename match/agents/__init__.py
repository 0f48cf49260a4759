"""Agents: players that choose calls by rules, networks, search, or another program."""
