"""Why calls mean what they mean, as text and as data."""
