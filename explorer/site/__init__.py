"""The static site: the explorer's answers, and pages of systems and conventions, as files."""
