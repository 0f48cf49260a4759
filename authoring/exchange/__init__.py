"""Other notations for systems: BML and .bss, written and read with an account of every loss."""
