"""The text of convention files: grammar, syntax tree, error messages, printing, formatting."""
