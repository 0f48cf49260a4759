"""Reports of matches: a page, the origin of IMPs, and the conformity of calls."""
