"""The answer-set programs: encodings, the solver, bounds of one hand and of deals, reasons."""
