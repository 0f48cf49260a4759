"""Documents of a system made from its rules: convention card, notes, exports."""
