"""Auctions of many tables at once, in compiled loops or in tensors, with one meaning.

Seats are counted from the dealer, who is 0; his side is 0, the other 1. A lane is one table.
Letters in shapes: `B` boards, `L` lanes, `N` some of the lanes, `C` = 38 calls.
"""
