"""What calls say about hidden hands, derived by an answer-set program."""
