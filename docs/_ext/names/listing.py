"""`python -m names.listing` prints, as JSON, what the installed torch documents, and of which type things are.

A name counts as documented if it has a docstring, since PyTorch's own tests demand nearly always that such a name is in
its documentation. Where the two differ for a name on this site, it stands below; `nox -s links` finds such names.
"""

import contextlib
import importlib
import json
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

import torch

from names.address import address

MODULES = (
    "torch.overrides",
    "torch.nn.functional",
    "torch",
    "torch.amp",
    "torch.func",
    "torch.nn",
    "torch.nn.parameter",
    "torch.nn.init",
    "torch.nn.parallel",
    "torch.nn.attention",
    "torch.nn.utils",
    "torch.nn.utils.parametrize",
    "torch.nn.utils.parametrizations",
    "torch.nn.utils.prune",
    "torch.nn.utils.rnn",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.optim.swa_utils",
    "torch.autograd",
    "torch.autograd.forward_ad",
    "torch.autograd.function",
    "torch.autograd.functional",
    "torch.autograd.grad_mode",
    "torch.autograd.gradcheck",
    "torch.autograd.graph",
    "torch.linalg",
    "torch.fft",
    "torch.distributed",
    "torch.futures",
    "torch.library",
    "torch.compiler",
    "torch.utils",
    "torch.utils.checkpoint",
    "torch.utils.data",
    "torch.__future__",
)
"""The modules whose names are looked for: what several of them hold is documented under the first one's name."""

_ELSEWHERE = {
    "torch.inference_mode": "torch.autograd.grad_mode.inference_mode",
    "torch.set_grad_enabled": "torch.autograd.grad_mode.set_grad_enabled",
    "torch.autograd.enforce_grad_layout_policy": "torch.autograd.grad_mode.enforce_grad_layout_policy",
    "torch.autograd.gradcheck": "torch.autograd.gradcheck.gradcheck",
    "torch.autograd.gradgradcheck": "torch.autograd.gradcheck.gradgradcheck",
    "torch.autograd.set_multithreading_enabled": "torch.autograd.grad_mode.set_multithreading_enabled",
    "torch.nn.Buffer": "torch.nn.parameter.Buffer",
    "torch.nn.Parameter": "torch.nn.parameter.Parameter",
    "torch.nn.UninitializedBuffer": "torch.nn.parameter.UninitializedBuffer",
    "torch.nn.UninitializedParameter": "torch.nn.parameter.UninitializedParameter",
}
"""Names that PyTorch documents under another one."""

_NO_DOCSTRING = {
    "torch.Tensor",
    "torch.autograd.function.FunctionCtx",
    "torch.autograd.graph.Node",
    "torch.autograd.graph.Node.next_functions",
}
"""Names that PyTorch documents although they have no docstring."""

_NO_PAGE = {
    "torch.GradScaler",
    "torch.Tensor.grad_dtype",
    "torch.Tensor.put",
    "torch.Tensor.unsafe_chunk",
    "torch.autograd.Function.setup_context",
    "torch.autograd.function.FunctionCtx.save_for_forward",
    "torch.autograd.graph.Node",
    "torch.distributed.DebugLevel",
    "torch.distributed.set_debug_level",
    "torch.overrides.TorchFunctionMode",
    "torch.utils.checkpoint.GraphExecGroup",
}
"""Names that have a docstring, or are known for what is in them, and are not in PyTorch's documentation."""

_NO_TENSOR = ("bool", "float", "int", "list or number", "number", "numpy.ndarray", "str")
"""What a docstring says of a function that returns no tensor, so that what it returns is not taken for one."""

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType)
_MEMBERS = (
    *_FUNCTIONS, classmethod, property, staticmethod, types.GetSetDescriptorType, types.MethodDescriptorType
)  # fmt: skip

Found = dict[int, tuple[str, Any]]
"""The name and the thing itself, by its identity."""


def main() -> None:
    """Prints the listing; `known.Known` says what is in it."""
    warnings.simplefilter("ignore")  # some names warn when they are looked at
    listing = {part: dict[str, Any]() for part in ("paths", "pages", "gives", "bases", "members")}
    found: Found = {}
    for module in map(importlib.import_module, MODULES):
        for path, value in _public(module):
            listing["paths"][path], _ = found.setdefault(id(value), (_ELSEWHERE.get(path, path), value))
    for name, value in found.values():
        if isinstance(value, type):
            _add_class(listing, name, value, found)
        else:
            listing["pages"][name] = address(name, "")
            _add_type(listing, name, value)
    listing["gives"] |= {f"torch.Tensor.{short}": kind for short, kind in _attributes()}
    listing["pages"] = {name: page for name, page in listing["pages"].items() if name not in _NO_PAGE}
    json.dump(listing, sys.stdout, sort_keys=True)


def _public(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Yields the functions and classes of torch in a module that are documented, each with its path."""
    for short, value in sorted(vars(module).items()):
        path, home = f"{module.__name__}.{short}", getattr(value, "__module__", None) or "torch"
        own = not short.startswith("_") and home.partition(".")[0] == "torch"
        if own and isinstance(value, (*_FUNCTIONS, type)) and (value.__doc__ or path in _NO_DOCSTRING):
            yield path, value


def _add_class(listing: dict[str, dict[str, Any]], name: str, kind: type, found: Found) -> None:
    listing["pages"][name] = address(name, name)
    listing["bases"][name] = [found[id(base)][0] for base in kind.__mro__ if id(base) in found]
    listing["members"][name] = []
    for short, member in _members(kind, found):
        path = f"{name}.{short}"
        listing["members"][name].append(short)
        _add_type(listing, path, member)
        place = address(path, name)
        if (member.__doc__ or path in _NO_DOCSTRING) and (name not in _NO_PAGE or "#" not in place):
            listing["pages"][path] = place


def _members(kind: type, found: Found) -> Iterator[tuple[str, Any]]:
    """Yields what a class has of its own, or from bases that have no name of their own."""
    seen = set()
    for base in kind.__mro__[:-1]:
        if base is not kind and id(base) in found:
            return
        for short, member in sorted(vars(base).items()):
            if not short.startswith("_") and short not in seen and isinstance(member, _MEMBERS):
                seen.add(short)
                yield short, member


def _add_type(listing: dict[str, dict[str, Any]], name: str, value: Any) -> None:
    """Notes what a function returns, as its annotation says or the signature in its docstring."""
    annotation = getattr(getattr(value, "__func__", value), "__annotations__", {}).get("return")
    signature, _, returned = (value.__doc__ or "").strip().partition("\n\n")[0].partition(") -> ")
    if annotation is torch.Tensor or (signature.startswith(name.rpartition(".")[2] + "(") and returned == "Tensor"):
        listing["gives"][name] = "torch.Tensor"
    elif returned in _NO_TENSOR:
        listing["gives"][name] = returned


def _attributes() -> Iterator[tuple[str, str]]:
    """Yields the attributes of a tensor that are tensors or nodes, as they are on one that has them all."""
    leaf = torch.ones(1, 1, dtype=torch.complex64, requires_grad=True)
    leaf.grad = torch.ones_like(leaf)
    for short, member in sorted(vars(torch._C.TensorBase).items()):
        if isinstance(member, types.GetSetDescriptorType):
            for tensor in (leaf, leaf * 1):
                with contextlib.suppress(AttributeError, RuntimeError):  # of other layouts and devices only
                    value = getattr(tensor, short)
                    if isinstance(value, torch.Tensor):
                        yield short, "torch.Tensor"
                    elif isinstance(value, torch.autograd.graph.Node):
                        yield short, "torch.autograd.graph.Node"


if __name__ == "__main__":
    main()
