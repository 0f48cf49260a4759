"""Knowledge that no deal agrees with, and knowledge that hardly any does."""

from bidwright.bridge.errors import BidwrightError


class InfeasibleError(BidwrightError, ValueError):
    """No deal agrees with what is known."""


class RareDealsError(BidwrightError, ValueError):
    """Too few deals that agree with what is known were found within the effort allowed."""
