"""Statistics of the deals that agree with an auction: samples, tables, odds, plots."""
