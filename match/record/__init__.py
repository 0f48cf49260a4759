"""The record of a match: its file, what the lines hold, scores, and what the results say."""
