"""The laboratory: experiments with the package, and examinations of other programs.

Nothing of the product imports it; the command line finds its verbs by name.
"""
