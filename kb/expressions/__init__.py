"""The expressions of rules: calls, patterns of calls, numbers and conditions, as plain data."""
