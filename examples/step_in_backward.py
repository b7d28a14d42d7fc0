"""Optimizer steps inside `backward()`: each parameter moves, and drops its gradient, once that is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch


class StepInBackward:
    """Gives every parameter an optimizer of its own, which steps in a hook; `backward()` is then the whole step.

    `make` makes an optimizer from a list of one parameter.
    The optimizers are in `optimizers`, by parameter, for their state and their learning rate.

    >>> layer = torch.nn.Linear(1, 1, bias=False)
    >>> _ = torch.nn.init.constant_(layer.weight, 3.0)
    >>> steps = StepInBackward(layer.parameters(), lambda one: torch.optim.SGD(one, lr=0.25))
    >>> layer(torch.tensor([[2.0]])).sum().backward()
    >>> layer.weight.item(), layer.weight.grad
    (2.5, None)
    >>> steps.remove()
    """

    def __init__(
        self, parameters: Iterable[torch.Tensor], make: Callable[[list[torch.Tensor]], torch.optim.Optimizer]
    ) -> None:
        self.optimizers = {p: make([p]) for p in parameters if p.requires_grad}
        self._handles = [
            p.register_post_accumulate_grad_hook(self._step)  # type: ignore[no-untyped-call]
            for p in self.optimizers
        ]

    def _step(self, parameter: torch.Tensor) -> None:
        self.optimizers[parameter].step()
        parameter.grad = None

    def remove(self) -> None:
        """Takes the hooks off; `backward()` leaves the gradients in `.grad` again."""
        for handle in self._handles:
            handle.remove()
