"""What the deals say that agree with an auction: samples for others, tables, odds, plots."""
