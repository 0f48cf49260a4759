"""Adan, the optimiser of the BMCS paper.

Source: Xie et al., "Adan: adaptive Nesterov momentum algorithm for faster optimizing deep models",
2022, Algorithm 1, with corrections for the zeros that the averages begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch import Tensor


class Adan(torch.optim.Optimizer):
    """An optimiser by moving averages of gradients, of their changes, and of their squares."""

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float,
        betas: tuple[float, float, float] = (0.98, 0.92, 0.99),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        """Take parameters; `betas` are the shares of the three averages that stay at a step."""
        super().__init__(
            params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        )

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        """Change the parameters by their gradients; a closure is not called."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._change(parameter, parameter.grad, group)

    def _change(self, parameter: Tensor, grad: Tensor, group: Mapping[str, Any]) -> None:
        state = self.state[parameter]
        if not state:
            state["step"] = 0
            # Without a gradient before, the first change is nothing.
            state["before"] = grad.clone()
            for name in ("mean", "change", "square"):
                state[name] = torch.zeros_like(parameter)
        keep1, keep2, keep3 = group["betas"]
        state["step"] += 1
        change = grad - state["before"]
        state["mean"].lerp_(grad, 1 - keep1)
        state["change"].lerp_(change, 1 - keep2)
        state["square"].lerp_((grad + keep2 * change).square(), 1 - keep3)
        state["before"].copy_(grad)
        # The averages begin with zeros, which these factors correct.
        first, second, third = (1 - keep ** state["step"] for keep in (keep1, keep2, keep3))
        scale = (state["square"] / third).sqrt() + group["eps"]
        direction = (state["mean"] / first + keep2 * state["change"] / second) / scale
        rate, decay = group["lr"], group["weight_decay"]
        # Decay divides instead of subtracting, as in the paper's Algorithm 1.
        parameter.sub_(rate * direction).div_(1 + rate * decay)
