"""Double-dummy tricks, leads and par: the solver, its store, and data sets of solved deals."""
