"""The graph that autograd recorded, as indented text: what `backward()` will walk."""

from __future__ import annotations

import torch


def show_graph(tensor: torch.Tensor) -> str:
    """Returns the names of the nodes behind `tensor`, each indented below the one it hands its gradient on from.

    >>> x = torch.tensor([2.0, 3.0], requires_grad=True)
    >>> print(show_graph((x.exp() * 2).sum()))
    SumBackward0
      MulBackward0
        ExpBackward0
          AccumulateGrad
    """
    return "\n".join(_lines(tensor.grad_fn, 0))


def _lines(node: torch.autograd.graph.Node | None, depth: int) -> list[str]:
    if node is None:
        return []
    name = type(node).__name__
    lines = ["  " * depth + name]
    for following, _ in node.next_functions:
        lines += _lines(following, depth + 1)
    return lines
