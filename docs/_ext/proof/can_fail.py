"""Whether a proof could fail: what its assertions depend on, read from its syntax tree."""

import ast
import warnings
from collections.abc import Iterator

from IPython.core.inputtransformer2 import TransformerManager

_SWALLOWS = {"AssertionError", "Exception", "BaseException"}


def why_it_cannot_fail(source: str) -> str | None:
    """Returns why the cell's assertions cannot fail, or None if one of them can.

    A cell that is no Python is left to the run, which says where it is wrong.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # the run will show it
            tree = ast.parse(TransformerManager().transform_cell(source))
    except (SyntaxError, ValueError):
        return None
    asserts = list(_reached(tree.body, _called(tree)))
    if not asserts:
        return "its proof asserts nothing that runs"
    if all(_is_constant(test) for test in asserts):
        return "its proof asserts only what is always true"
    return None


def _called(tree: ast.Module) -> set[str]:
    """The names of the functions that the cell calls or hands on."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _reached(body: list[ast.stmt], called: set[str]) -> Iterator[ast.expr]:
    """Yields what is asserted where it can run and its failure is not swallowed.

    A call of `torch.testing.assert_close` and its like asserts as well.
    """
    for statement in body:
        match statement:
            case ast.Assert(test=test):
                yield test
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name), args=args)) if name.startswith("assert_"):
                yield ast.BoolOp(ast.And(), args)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name not in called:
                continue
            case ast.If(test=test) if _is_constant(test):
                continue
            case ast.Try() if any(_swallows(handler) for handler in statement.handlers):
                yield from _reached(statement.orelse + statement.finalbody, called)
            case _:
                for field in ("body", "orelse", "finalbody"):
                    yield from _reached(getattr(statement, field, []), called)


def _swallows(handler: ast.ExceptHandler) -> bool:
    names = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else _SWALLOWS
    raises = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    return bool(names & _SWALLOWS) and not raises


def _is_constant(test: ast.expr) -> bool:
    """Whether a test has the same outcome whatever ran before it."""
    match test:
        case ast.Tuple() | ast.List() | ast.Dict() | ast.Set() | ast.JoinedStr() | ast.Lambda():
            return True
        case ast.BoolOp(op=ast.Or()):
            return any(_is_constant(value) for value in test.values)
        case ast.BoolOp():
            return all(_is_constant(value) for value in test.values)
        case ast.UnaryOp(op=ast.Not()):
            return _is_constant(test.operand)
        case ast.Compare(left=left, comparators=[right], ops=[ast.Eq() | ast.Is() | ast.LtE() | ast.GtE()]):
            same = ast.dump(left) == ast.dump(right) and not any(isinstance(n, ast.Call) for n in ast.walk(left))
            return same or not _names(test)
        case _:
            return not _names(test)


def _names(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) for part in ast.walk(node))
