"""Rules of the game: cards, calls, auctions, deals, scoring, and the PBN and LIN formats.

Names are imported from the modules themselves: gathering them here would load numpy for
programs that only need calls.
"""
