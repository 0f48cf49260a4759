"""What every part of the program needs of the machine: cache, processes, progress, files."""
