"""Playing a match: its plan, boards, sides and tables, and playing it again to verify it."""
