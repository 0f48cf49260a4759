"""Reading auctions and bidding by rules: what each call shows by the agreements of its maker."""
