"""Reading a system from its files: includes, parameters, overrides, and what is cached."""
