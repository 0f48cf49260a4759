"""Lessons: hands to bid from a system, as quiz cards, as boards, and as a handout."""
