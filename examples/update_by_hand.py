"""One step of gradient descent without an optimizer."""

from __future__ import annotations

from collections.abc import Iterable

import torch


def descend(parameters: Iterable[torch.Tensor], lr: float) -> None:
    """Moves each parameter against its gradient, in place and unrecorded, and drops the gradient.

    >>> w = torch.tensor([4.0, 1.0], requires_grad=True)
    >>> (w**2).sum().backward()
    >>> descend([w], lr=0.25)
    >>> w, w.grad
    (tensor([2.0000, 0.5000], requires_grad=True), None)
    """
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p -= lr * p.grad
                p.grad = None
