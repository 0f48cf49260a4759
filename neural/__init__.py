"""Learned bidding on top of the rules: environment, networks, training, weights.

Names are imported from the modules themselves; torch is loaded by those that need it only.
"""
