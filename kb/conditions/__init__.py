"""Written conditions: what their names stand for, and the formulas they are folded to."""
