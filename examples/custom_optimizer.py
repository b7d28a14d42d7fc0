"""An optimizer of your own: gradient descent with momentum and weight decay, as `torch.optim.SGD` does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, overload

import torch

if TYPE_CHECKING:
    from torch.optim.optimizer import ParamsT  # old releases have no such name


class Momentum(torch.optim.Optimizer):
    """Moves each parameter against a running sum of its gradients.

    >>> w = torch.tensor([4.0], requires_grad=True)
    >>> optimizer = Momentum([w], lr=0.125, momentum=0.5)
    >>> for _ in range(2):
    ...     optimizer.zero_grad()
    ...     (w**2).sum().backward()
    ...     optimizer.step()
    >>> w
    tensor([1.7500], requires_grad=True)
    """

    def __init__(self, params: ParamsT, lr: float, momentum: float = 0.9, weight_decay: float = 0.0) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @overload
    def step(self, closure: None = None) -> None: ...
    @overload
    def step(self, closure: Callable[[], float]) -> float: ...

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Moves all parameters that have a gradient; a closure is called first, with grad mode on."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                gradient = p.grad.add(p, alpha=group["weight_decay"])
                state = self.state[p]
                if not state:
                    state["velocity"] = torch.zeros_like(p)
                velocity = state["velocity"].mul_(group["momentum"]).add_(gradient)
                p.sub_(velocity, alpha=group["lr"])
        return loss
