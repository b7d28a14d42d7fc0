"""Lets a failed assertion of a cell show the values it compared."""

import ast
import builtins
import sys
from collections.abc import Callable

from IPython.core.interactiveshell import InteractiveShell

_NAME = "__explain_assertion__"
_LONGEST_VALUE = 300


def explain_assertions(shell: InteractiveShell) -> None:
    """Gives every assertion without a message, in the cells that `shell` will run, one that shows values."""
    shell.ast_transformers.append(_Explain())
    setattr(builtins, _NAME, _explain)


class _Explain(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        if node.msg is None:
            parts = ", ".join(f"({ast.unparse(part)!r}, lambda: ({ast.unparse(part)}))" for part in _parts(node.test))
            call = ast.parse(f"{_NAME}({ast.unparse(node.test)!r}, [{parts}])", mode="eval").body
            for part in ast.walk(call):
                ast.copy_location(part, node)
            node.msg = call
        return node


def _parts(test: ast.expr) -> list[ast.expr]:
    """The expressions whose values say why a test is false; constants say nothing."""
    match test:
        case ast.Compare():
            parts = [test.left, *test.comparators]
        case ast.Call():
            parts = [*test.args, *(keyword.value for keyword in test.keywords)]
            parts += [test.func.value] if isinstance(test.func, ast.Attribute) else []
        case ast.UnaryOp():
            parts = _parts(test.operand)
        case ast.BoolOp():
            parts = [part for value in test.values for part in _parts(value)]
        case _:
            parts = [test]
    return [part for part in parts if not isinstance(part, ast.Constant | ast.Starred)]


def _explain(test: str, parts: list[tuple[str, Callable[[], object]]]) -> str:
    values = []
    for source, value in parts:
        try:
            text = repr(value())
        except Exception as error:  # a part that the test itself never reached
            text = f"({type(error).__name__}: {error})"
        if source not in sys.modules:  # `torch` in `torch.equal(a, b)` is no value
            values.append(f"{source} is {text[:_LONGEST_VALUE]}")
    return "; ".join([test, *values])
