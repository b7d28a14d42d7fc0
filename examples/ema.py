"""An exponential moving average of a model's weights."""

from __future__ import annotations

import copy

import torch
from torch import nn


def average_of(model: nn.Module) -> nn.Module:
    """Returns a copy of the model to average into: memory of its own, and no gradients."""
    return copy.deepcopy(model).requires_grad_(False)


def update(average: nn.Module, model: nn.Module, decay: float) -> None:
    """Moves the average towards the model: `decay` of it stays. Buffers, such as running statistics, are copied.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 1.0)
    >>> average = average_of(model)
    >>> _ = nn.init.constant_(model.weight, 5.0)
    >>> update(average, model, decay=0.75)
    >>> average.weight
    Parameter containing:
    tensor([[2.]])
    """
    with torch.no_grad():
        for a, p in zip(average.parameters(), model.parameters(), strict=True):
            a.lerp_(p, 1 - decay)
        for copied, buffer in zip(average.buffers(), model.buffers(), strict=True):
            copied.copy_(buffer)
