"""Examples of convention files: run, covered, and put to the test by small changes."""
