"""What a match says: its report, where the IMPs went, and how calls conform."""
