"""Names the lines of your code that write to a tensor, when "modified by an inplace operation" does not."""

# mypy: allow-untyped-calls

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

HIDDEN = (torch.__file__[: -len("__init__.py")], __file__)


@dataclass
class Write:
    """A line, what it did, and the version of the tensor before and after."""

    file: str
    line: int
    what: str
    before: int
    after: int

    def __str__(self) -> str:
        place = f"{Path(self.file).name}:{self.line}: {linecache.getline(self.file, self.line).strip()}"
        return f"{place}\n    {self.what}, version {self.before} -> {self.after}"


class Writes(TorchDispatchMode):
    """The writes of a `with` block, in order: sees each operation that torch dispatches, and what it writes to."""

    def __init__(self, tensor: torch.Tensor | None) -> None:
        super().__init__()
        self.writes: list[Write] = []
        self._tensor, self._line, self._copy = tensor, _line(), _copy(tensor)
        self._last: list[tuple[Write, torch.Tensor]] = []

    def __str__(self) -> str:
        return "\n".join(str(write) for write in self.writes) or "no write seen"

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self._look("the end of the block")

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None) -> Any:
        file, line = _line()
        self._look(f"line {line}" if file == self._line[0] else f"{Path(file).name}:{line}")
        self._line = file, line
        for t in _written(func, args, kwargs or {}):
            counted = t if self._tensor is None else self._tensor
            if _shares_storage(t, counted):
                what = f"{func} into {list(t.shape)}" + ("" if _overlap(t, counted) else ", beside it")
                self._last.append((Write(file, line, what, counted._version, counted._version), counted))
        self.writes += [write for write, _ in self._last]
        # A mode keeps the parts of a foreach operation from being counted: let them be counted.
        key, uncounted = torch._C.DispatchKey.ADInplaceOrView, "::_foreach_" not in func.name()
        with torch._C._SetExcludeDispatchKeyGuard(key, uncounted):
            result = func(*args, **(kwargs or {}))
        self._copy = _copy(self._tensor) if self._last else self._copy
        return result

    def _look(self, until: str) -> None:
        """Reads the version after the last write, which torch raises late; finds a change that no operation made."""
        for write, tensor in self._last:
            write.after = tensor._version
        self._last.clear()
        now = _copy(self._tensor)
        if self._tensor is not None and not torch.equal(now, self._copy):
            what, version = f"changed by something else, here or later, up to {until}", self._tensor._version
            self.writes.append(Write(*self._line, what, version, version))
        self._copy = now


def who_wrote(tensor: torch.Tensor | None = None) -> Writes:
    """Lists what is written in a `with` block to the memory of `tensor`, or without one to any tensor.

    >>> h = torch.tensor([1.0, 2.0])
    >>> with who_wrote(h) as log:
    ...     h += 1
    ...     h.data[0] = 7.0
    >>> [(write.line, write.what, write.before, write.after) for write in log.writes]
    [(2, 'aten.add_.Tensor into [2]', 0, 1), (3, 'aten.copy_.default into []', 1, 1)]
    """
    return Writes(tensor)


def _line() -> tuple[str, int]:
    frame = sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(HIDDEN):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _written(func: Any, args: Any, kwargs: dict[str, Any]) -> list[torch.Tensor]:
    given = dict(zip((a.name for a in func._schema.arguments), args, strict=False)) | kwargs
    values = [given.get(a.name) for a in func._schema.arguments if a.alias_info is not None and a.alias_info.is_write]
    flat = [t for value in values for t in (value if isinstance(value, list | tuple) else [value])]
    return [t for t in flat if isinstance(t, torch.Tensor) and t.layout == torch.strided and not t.is_inference()]


def _copy(tensor: torch.Tensor | None) -> torch.Tensor:
    if tensor is None or tensor.untyped_storage().nbytes() == 0:
        return torch.empty(0)
    return tensor.detach().clone(memory_format=torch.contiguous_format).view(-1).view(torch.uint8)


def _shares_storage(one: torch.Tensor, other: torch.Tensor) -> bool:
    a, b = one.untyped_storage(), other.untyped_storage()
    start, end = max(a.data_ptr(), b.data_ptr()), min(a.data_ptr() + a.nbytes(), b.data_ptr() + b.nbytes())
    return one.device == other.device and start < end


def _overlap(one: torch.Tensor, other: torch.Tensor) -> bool:
    unit = min(one.element_size(), other.element_size())
    return one.data_ptr() == other.data_ptr() or bool(torch.isin(_places(one, unit), _places(other, unit)).any())


def _places(t: torch.Tensor, unit: int) -> torch.Tensor:
    places = t.data_ptr() + torch.arange(0, t.element_size(), unit)
    for size, stride in zip(t.shape, t.stride(), strict=True):
        places = places[..., None] + torch.arange(size) * stride * t.element_size()
    return places
