"""Rules of the game: cards, calls, auctions, deals, scoring, and the PBN and LIN formats."""
