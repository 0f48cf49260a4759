"""Comparison of two versions of a system by the calls of deals."""
