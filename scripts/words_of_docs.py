"""Words of the documents that people read, page by page: docs, READMEs, none of the records.

    python scripts/words_of_docs.py
    python scripts/words_of_docs.py --most 45000

Counted as `wc -w` counts, examples and printed output included, then without blocks of code.
Records of measurements (docs/results, bench), meanings that `explain CODE` prints, CHANGES and
CONTRIBUTING are no pages that a user reads through. The exit code is 1 above `--most` words.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATTERNS = (
    *("README.md", "docs/*.md", "systems/**/*.md", "editors/**/*.md", "lab/*.md", "deals/*.md"),
)
_LINES = re.compile(r"^    .*$", re.MULTILINE)
_FENCES = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def words(root: Path = ROOT) -> dict[str, tuple[int, int]]:
    """Return the words of each page, and those outside of blocks of code."""
    pages = sorted({page for pattern in PATTERNS for page in root.glob(pattern)})
    counts: dict[str, tuple[int, int]] = {}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        # Fences first: lines within them may be indented, too.
        prose = _LINES.sub("", _FENCES.sub("", text))
        counts[str(page.relative_to(root))] = len(text.split()), len(prose.split())
    return counts


def main() -> int:
    """Print the words of each page and of all; 1 if they are too many."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--most", type=int, help="the words that all pages may have together")
    options = parser.parse_args()
    counts = words()
    for page, (all_words, prose) in sorted(counts.items(), key=lambda each: each[1]):
        print(f"{all_words:7,} {prose:7,}  {page}")
    total = sum(all_words for all_words, _ in counts.values())
    print(f"{total:7,} {sum(prose for _, prose in counts.values()):7,}  all {len(counts)} pages")
    return int(options.most is not None and total > options.most)


if __name__ == "__main__":
    sys.exit(main())
