"""The engines that derive what calls say: of one hand, and of the four hands of a deal."""

from bidwright.inference.deal_engine import DealBounds, DealEngine
from bidwright.inference.hand_engine import HandEngine
from bidwright.inference.reasons import Claim, Ground
from bidwright.inference.statements import Turn

__all__ = ["Claim", "DealBounds", "DealEngine", "Ground", "HandEngine", "Turn"]
