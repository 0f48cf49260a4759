"""Derivation of the meanings of calls for hidden hands, by an answer-set program."""
