"""What each line of a short program does to its tensors, as a table: one row for each tensor that a line changed."""

from __future__ import annotations

import ast
from typing import Any

import torch

Row = dict[str, str | int | bool | None]


def watch_lines(program: str, **given: Any) -> list[Row]:
    """Runs the program line by line and returns a row for each tensor with a name that is new or other after a line.

    A statement with a body, such as `for` or `with`, counts as one line. `given` are names that the program can use
    besides `torch`. An exception ends the program and is its last row.

    >>> for row in watch_lines("x = torch.ones(2, requires_grad=True)\\ny = x * 2\\ny.add_(1)"):
    ...     print(row["line"], "|", row["tensor"], row["is_leaf"], row["grad_fn"], row["_version"])
    x = torch.ones(2, requires_grad=True) | x True None 0
    y = x * 2 | y False MulBackward0 0
    y.add_(1) | y False AddBackward0 1
    """
    names: dict[str, Any] = {"torch": torch, **given}
    rows: list[Row] = []
    before: dict[str, Row] = {}
    for statement in ast.parse(program).body:
        line = ast.unparse(statement)
        try:
            exec(compile(ast.Module([statement], []), "<program>", "exec"), names)
        except Exception as error:
            return [*rows, dict.fromkeys(_COLUMNS) | {"line": line, "raises": f"{type(error).__name__}: {error}"}]
        tensors = {name: value for name, value in names.items() if isinstance(value, torch.Tensor)}
        after = {name: _look_at(tensor, tensors) for name, tensor in tensors.items()}
        rows += [
            {"line": line, "tensor": name, **state, "raises": None}
            for name, state in after.items()
            if before.get(name) != state
        ]
        before = after
    return rows


_COLUMNS = (
    "line", "tensor", "is_leaf", "requires_grad", "retains_grad", "grad_fn", "_version", "base", "storage", "raises",
)  # fmt: skip


def _look_at(tensor: torch.Tensor, tensors: dict[str, torch.Tensor]) -> Row:
    """What autograd knows of a tensor; its base and its storage are called by the first name that has them."""
    storage = tensor.untyped_storage().data_ptr()
    return {
        "is_leaf": tensor.is_leaf,
        "requires_grad": tensor.requires_grad,
        "retains_grad": tensor.retains_grad,
        "grad_fn": type(tensor.grad_fn).__name__ if tensor.grad_fn is not None else None,
        "_version": tensor._version,
        "base": _first(tensors, lambda one: one is tensor._base) if tensor._base is not None else None,
        "storage": _first(tensors, lambda one: one.untyped_storage().data_ptr() == storage),
    }


def _first(tensors: dict[str, torch.Tensor], fits: Any) -> str:
    return next((name for name, tensor in tensors.items() if fits(tensor)), "(no name)")
