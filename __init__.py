"""Bidwright: contract-bridge bidding from convention files, with learning on top."""

__version__ = "0.1.0"
