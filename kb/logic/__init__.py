"""Conditions on a hand: features, sums, formulas, bounds, and the public facts they may read."""
