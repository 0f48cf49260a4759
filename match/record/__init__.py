"""The record of a match: its file and lines, scores, and the statistics of its results."""
