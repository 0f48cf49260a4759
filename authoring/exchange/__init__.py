"""Other notations for systems: BML, .bss, .bboalert, with an account of every loss."""
