"""What is wrong in a system whose text can be read: names, ranges, auctions, examples."""
