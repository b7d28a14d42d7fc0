"""Gradient steps that can be differentiated: train a model's start so that a few steps on a task are enough (MAML)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn
from torch.func import functional_call

Batch = tuple[Tensor, Tensor]
Loss = Callable[[Tensor, Tensor], Tensor]


def adapted(
    model: nn.Module, loss: Loss, batch: Batch, lr: float | Tensor, steps: int = 1, *, first_order: bool = False
) -> dict[str, Tensor]:
    """Returns the model's parameters after steps of gradient descent on a batch; the model itself stays as it is.

    They are functions of the parameters before: a loss computed with them has a gradient for the start.
    With `first_order` the gradients in the steps count as constants.
    Frozen parameters are left out.
    """
    inputs, targets = batch
    parameters: dict[str, Tensor] = {name: p for name, p in model.named_parameters() if p.requires_grad}
    for _ in range(steps):
        value = loss(functional_call(model, parameters, (inputs,)), targets)
        gradients = torch.autograd.grad(value, list(parameters.values()), create_graph=not first_order)
        pairs = zip(parameters.items(), gradients, strict=True)
        parameters = {name: p - lr * gradient for (name, p), gradient in pairs}
    return parameters


def loss_after_steps(
    model: nn.Module,
    loss: Loss,
    tasks: Iterable[tuple[Batch, Batch]],
    lr: float | Tensor,
    steps: int = 1,
    *,
    first_order: bool = False,
) -> Tensor:
    """Returns the sum over the tasks of the loss on the second batch, after steps on the first.

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 3.0)
    >>> one = torch.tensor([[1.0]])
    >>> loss_after_steps(model, nn.functional.mse_loss, [((one, one), (one, one))], lr=0.25).backward()
    >>> model.weight.grad  # of ((w - 1) / 2)²
    tensor([[1.]])
    """
    total = torch.zeros(())
    for support, (inputs, targets) in tasks:
        parameters = adapted(model, loss, support, lr, steps, first_order=first_order)
        total = total + loss(functional_call(model, parameters, (inputs,)), targets)
    return total
