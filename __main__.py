"""Run the command line as `python -m bidwright`."""

import sys

from bidwright.cli import main

if __name__ == "__main__":
    sys.exit(main())
