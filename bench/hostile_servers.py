"""Bad requests to servers."""
