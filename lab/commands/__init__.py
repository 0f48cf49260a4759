"""Verbs of the laboratory, a module each; `cli` registers them."""
