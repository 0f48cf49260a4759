"""Self-play with one part changed at a time: tables of what each change gains."""
