"""The functions and classes that `import bidwright` offers.

The modules take text where people type text (an auction, a hand, the name of a system), and give
typed objects whose `str` is what the command line prints. Nothing is worked out here.
"""
