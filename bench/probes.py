"""Bid hands with calls that are known beforehand, and list the positions of other bids.

    python bench/probes.py sayc
    python bench/probes.py acol --json acol.json

Exit status 2 if a system or a file of probes is wrong.
"""

import sys

from bidwright.bench.probing import main
from bidwright.lab.ending import ended

if __name__ == "__main__":
    sys.exit(ended(main))
