"""The convention language: text, syntax tree, rules, and what they say at a position."""
