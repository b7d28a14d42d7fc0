"""What is inside a CopySlices: the function it calls, and the region of the base that it calls it for."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch.autograd.graph import Node


@dataclass(frozen=True)
class Inside:
    """One CopySlices, opened."""

    number: int
    """The node's `_sequence_nr()`: later operations have higher ones."""
    function: str
    """The backward function of the operation that wrote."""
    size: list[int]
    stride: list[int]
    start: int
    """With `size` and `stride`, the region of the base's memory, counted in elements."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The same as short texts."""
        return self.function, f"size {self.size}", f"stride {self.stride}", f"from {self.start}"


def open_copy_slices(*tensors: torch.Tensor) -> list[Inside]:
    """Returns every CopySlices behind the tensors, the newest first.

    Python cannot ask a CopySlices for its function. So the backward pass is run once, into no `.grad`, under the
    profiler, which tells what ran inside what; hooks fire. What a version error forbids to run is left out.

    >>> x = torch.tensor([2.0, 3.0], requires_grad=True)
    >>> b = torch.zeros(4)
    >>> b[1:3] = x * 5
    >>> for inside in open_copy_slices(b):
    ...     print(inside.lines)
    ('CopyBackwards', 'size [2]', 'stride [1]', 'from 1')
    """
    roots = [tensor for tensor in tensors if tensor.grad_fn is not None]
    nodes = list(_nodes([tensor.grad_fn for tensor in roots]))
    leaves = [node.variable for node in nodes if hasattr(node, "variable")]
    if not leaves or not any(type(node).__name__ == "CopySlices" for node in nodes):
        return []
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # or the profiler writes to standard error when it starts
    profile = torch.autograd.profiler.profile(use_kineto=False, record_shapes=True)
    with profile as run, contextlib.suppress(RuntimeError):
        torch.autograd.grad([tensor.sum() for tensor in roots], leaves, retain_graph=True, allow_unused=True)
    return sorted(_read(run), key=lambda inside: -inside.number)


def _nodes(waiting: list[Node | None]) -> Iterator[Node]:
    seen = set[Node]()
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting += [following for following, _ in node.next_functions]
            yield node


def _read(run: torch.autograd.profiler.profile) -> Iterator[Inside]:
    """A CopySlices first takes its region of the gradient, with `as_strided`, and then calls the function for it."""
    regions: dict[int, tuple[list[int], list[int], int]] = {}
    opened = set[int]()
    for event in run.function_events or []:
        outer = event.cpu_parent
        if outer is None or not outer.name.endswith("::CopySlices"):
            continue
        number = outer.sequence_nr
        if event.name == "aten::as_strided" and number not in regions:
            _, size, stride, start = event.concrete_inputs
            regions[number] = (size, stride, start or 0)
        elif event.sequence_nr >= 0 and number in regions and number not in opened:
            opened.add(number)
            yield Inside(number, event.name.rpartition("::")[2], *regions[number])
