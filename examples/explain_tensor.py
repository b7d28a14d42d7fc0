"""Whether a tensor is a leaf and why, whether `backward()` will fill its `.grad`, and what to do: in words."""

from __future__ import annotations

import torch
from torch._C import _functorch


def explain_tensor(value: object) -> str:
    """Returns what autograd makes of `value`, in a few sentences, one a line; never raises.

    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> print(explain_tensor(w))
    A leaf that requires grad.
    backward() fills its .grad if the loss was computed from it.
    >>> print(explain_tensor(w * 2))
    Not a leaf: MulBackward0 made it.
    backward() passes its gradient on and does not keep it.
    Call retain_grad() on it before backward(), or read the .grad of the leaf it was computed from.
    """
    if not isinstance(value, torch.Tensor):
        return f"Not a tensor: {type(value).__name__}.\nIt has no history, and nothing goes back through it."
    try:
        return "\n".join(_explain(value))
    except Exception as error:
        said = str(error).partition(". ")[0]
        advice = "\nTake the view again, after the write." if "modified inplace" in said else ""
        return f'torch refuses to tell whether it is a leaf: "{said}."{advice}'


def _explain(t: torch.Tensor) -> tuple[str, ...]:
    if _functorch.is_functorch_wrapped_tensor(t):
        return _wrapped(t)
    if t.is_inference():
        return (
            "An inference tensor: a leaf made under inference_mode(), which autograd does not save.",
            "Do not count on its .grad.",
            "Outside that mode, go on with t.detach().clone().requires_grad_().",
        )
    if not t.is_leaf:
        return _non_leaf(t)
    if not t.requires_grad:
        return _untracked(t)
    if _is_dead_end(t):
        return (
            "A view of a tensor that requires grad, taken under no_grad() or before that one required grad.",
            "It says it is a leaf that requires grad; through it backward() reaches neither its .grad nor its base.",
            "Take the view again, in grad mode, or make a leaf of its own: t.detach().clone().requires_grad_().",
        )
    kind = "parameter, a leaf" if isinstance(t, torch.nn.Parameter) else "leaf"
    return f"A {kind} that requires grad.", "backward() fills its .grad if the loss was computed from it."


def _wrapped(t: torch.Tensor) -> tuple[str, ...]:
    if _functorch.is_batchedtensor(t):
        return (
            "A batched tensor, inside vmap: it says that it does not require grad, even where its source does.",
            "Ask about the tensor that you gave to vmap.",
        )
    return "A tensor inside a transform of torch.func.", "The transform returns the gradient, and fills no .grad."


def _non_leaf(t: torch.Tensor) -> tuple[str, ...]:
    made = f"{t.grad_fn.name() if t.grad_fn else 'an operation'} made it"
    if t.retains_grad:
        return (
            f"Not a leaf: {made}. But retain_grad() was called.",
            "backward() fills its .grad if the loss was computed from it.",
        )
    if _is_dead_end(t):
        return (
            f"Not a leaf: {made}, from a view taken under no_grad() or before its base required grad.",
            "Through it backward() reaches no leaf.",
            "Take all views again, in grad mode, or make a leaf of its own: t.detach().clone().requires_grad_().",
        )
    if isinstance(t, torch.nn.Parameter):
        return (
            f"A parameter that is no leaf any more: {made}, written into it while it was frozen.",
            "backward() passes its gradient on and does not keep it.",
            "Write under no_grad(); detach_() makes it a leaf again.",
        )
    if t._is_view() and t._base is not None and t._base.is_leaf:
        return (
            f"Not a leaf: a view of one, and {made}.",
            "backward() passes its gradient on to the leaf.",
            "Read the same part of the leaf's .grad.",
        )
    return (
        f"Not a leaf: {made}.",
        "backward() passes its gradient on and does not keep it.",
        "Call retain_grad() on it before backward(), or read the .grad of the leaf it was computed from.",
    )


def _untracked(t: torch.Tensor) -> tuple[str, ...]:
    if not (t.is_floating_point() or t.is_complex()):
        return (
            f"A leaf of {t.dtype}, which cannot require grad.",
            "backward() leaves its .grad alone.",
            "Convert first, then ask: t.float().requires_grad_().",
        )
    if isinstance(t, torch.nn.Parameter):
        return (
            "A parameter that is frozen: a leaf that does not require grad.",
            "backward() leaves its .grad alone.",
            "Call requires_grad_() on it before the forward.",
        )
    return (
        "A leaf that does not require grad: data, or a result that was not recorded or was detached.",
        "backward() leaves its .grad alone.",
        "Call requires_grad_() on it before the forward; if it should have a history, look for what cut it off.",
    )


def _is_dead_end(t: torch.Tensor) -> bool:
    """Whether `t` is a view from which no way leads back to its base, though that one requires grad."""
    base = t._base
    if base is None or not base.requires_grad:
        return False
    with torch.enable_grad():
        node = t.view_as(t).grad_fn
    while node is not None and node is not base.grad_fn and node.next_functions:
        node = node.next_functions[0][0]
    return node is None
