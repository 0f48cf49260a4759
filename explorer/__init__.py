"""The explorer: a web page on auctions, deals, convention files and practice.

`web_app` speaks HTTP and answers from memory what was asked before; everything else is worked out
by processes of its own (`answering`), which are given a deadline and are ended when they miss it.
"""
