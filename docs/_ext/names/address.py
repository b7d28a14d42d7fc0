"""Where PyTorch's documentation has a name: on a page of its own, or on one that it shares with others.

That is a habit of its authors, which no file of an installed torch tells. `nox -s links` holds each address that the
site gives against the inventory that PyTorch publishes with its documentation.
"""

_SHARED = {
    "torch.Tensor": "tensors",
    "torch.__future__": "future_mod",
    "torch.amp": "amp",
    "torch.autocast": "amp",
    "torch.autograd.Function": "autograd",
    "torch.autograd.detect_anomaly": "autograd",
    "torch.autograd.function.FunctionCtx": "autograd",
    "torch.autograd.graph": "autograd",
    "torch.autograd.graph.increment_version": "",
    "torch.autograd.set_detect_anomaly": "autograd",
    "torch.device": "tensor_attributes",
    "torch.distributed": "distributed",
    "torch.dtype": "tensor_attributes",
    "torch.futures": "futures",
    "torch.library": "library",
    "torch.nn.init": "nn.init",
    "torch.optim.Optimizer": "optim",
    "torch.optim.swa_utils.get_ema_multi_avg_fn": "optim",
    "torch.optim.swa_utils.update_bn": "optim",
    "torch.overrides": "torch.overrides",
    "torch.utils.checkpoint": "checkpoint",
    "torch.utils.data": "data",
}
"""The page that a name, and what is in it, shares with others; nothing for one that has its own all the same."""

_OWN_MEMBERS = {
    "torch.Tensor",
    "torch.autograd.Function",
    "torch.autograd.function.FunctionCtx",
    "torch.autograd.graph.Node",
    "torch.optim.Optimizer",
}
"""Classes whose members have pages of their own."""

_WITH_CLASS = {f"torch.Tensor.{short}" for short in ("H", "T", "mH", "mT")}
"""Members that stand beside their class all the same."""


def address(name: str, owner: str) -> str:
    """Returns the address of a name below that of the documentation; `owner` is its class, or nothing for a function.

    >>> address("torch.ones", "")
    'generated/torch.ones.html'
    >>> address("torch.nn.Module.apply", "torch.nn.Module")
    'generated/torch.nn.Module.html#torch.nn.Module.apply'
    >>> address("torch.Tensor.add_", "torch.Tensor")
    'generated/torch.Tensor.add_.html'
    >>> address("torch.Tensor", "torch.Tensor")
    'tensors.html#torch.Tensor'
    """
    if name != owner and owner in _OWN_MEMBERS and name not in _WITH_CLASS:
        return f"generated/{name}.html"
    parts = name.split(".")
    paths = (".".join(parts[:length]) for length in range(len(parts), 1, -1))
    page = next((_SHARED[path] for path in paths if path in _SHARED), "") or f"generated/{owner or name}"
    return f"{page}.html" if page == f"generated/{name}" else f"{page}.html#{name}"
