"""What a change of convention files changes at the table."""
