"""Services of the machine for every part of the program: cache, processes, progress, files."""
