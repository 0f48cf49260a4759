"""Proofs about convention files: what is dead, missing, contradictory or undisclosed in them."""
