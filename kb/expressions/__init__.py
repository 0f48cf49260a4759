"""What rules say: calls, patterns of calls, numbers and conditions, as plain data."""
