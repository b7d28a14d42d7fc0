"""A buffer filled slot by slot, with gradients that flow back through it."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor


def filled(function: Callable[[Tensor], Tensor], points: Tensor) -> Tensor:
    """Returns a tensor with `function(points[i])` in slot i.

    >>> import torch
    >>> x = torch.tensor([2.0, 3.0], requires_grad=True)
    >>> out = filled(lambda point: point**2, x)
    >>> out.sum().backward()
    >>> out.tolist(), x.grad
    ([4.0, 9.0], tensor([4., 6.]))
    """
    first = function(points[0])
    out = first.new_zeros(len(points), *first.shape)
    out[0] = first
    for i in range(1, len(points)):
        out[i] = function(points[i])
    return out


def states_of(step: Callable[[Tensor], Tensor], start: Tensor, count: int) -> Tensor:
    """Returns `count` states in a tensor: `start`, and each of the others computed by `step` from the one before it.

    The state is kept in a variable, and the buffer is only written: what is read from it may not be overwritten.

    >>> import torch
    >>> w = torch.tensor(3.0, requires_grad=True)
    >>> states = states_of(lambda state: state * w, torch.tensor(2.0), 3)
    >>> states.sum().backward()
    >>> states.tolist(), w.grad  # 2 + 4w
    ([2.0, 6.0, 18.0], tensor(14.))
    """
    states = start.new_zeros(count, *start.shape)
    state = start
    for i in range(count):
        states[i] = state
        if i + 1 < count:
            state = step(state)
    return states
