"""Belief Monte-Carlo search: what would come of each call, over deals that explain the auction.

Source: Qiu et al., "Bridge bidding via deep reinforcement learning and belief Monte Carlo search",
2024, Algorithms 3 and 4. What differs here, and why, is in the module `bmcs`.
"""
