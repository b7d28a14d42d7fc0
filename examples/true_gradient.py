"""The gradient of a function by central differences: something to compare autograd's answer with."""

from __future__ import annotations

from collections.abc import Callable

import torch


def true_gradient(function: Callable[[torch.Tensor], torch.Tensor], point: torch.Tensor) -> torch.Tensor:
    """Returns the gradient of `function` at `point`, computed without autograd.

    `function` takes a tensor of the shape of `point` and returns one number.
    Each entry is moved by 1e-6 to both sides, in float64; the result has the shape of `point`.

    >>> true_gradient(lambda x: (x**3).sum(), torch.tensor([1.0, 2.0])).round(decimals=4)
    tensor([ 3., 12.], dtype=torch.float64)
    """
    start = point.detach().double()
    gradient = torch.zeros_like(start)
    for index in range(start.numel()):
        step = torch.zeros_like(start)
        step.view(-1)[index] = 1e-6
        with torch.no_grad():
            gradient.view(-1)[index] = (function(start + step) - function(start - step)) / 2e-6
    return gradient
