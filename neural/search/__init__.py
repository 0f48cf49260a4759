"""Belief Monte-Carlo search: the results of each call, over deals that explain the auction.

Source: Qiu et al., "Bridge bidding via deep reinforcement learning and belief Monte Carlo search",
2024, Algorithms 3 and 4. The module `bmcs` lists the differences and their reasons.
"""
