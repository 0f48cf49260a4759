"""Small cooperative games, their exact optima, and what finds policies for them.

The games and the search are those of Tian, Gong and Jiang, "Joint Policy Search for Multi-agent
Collaboration with Imperfect Information" (2020), called "the paper" in this package.
"""
