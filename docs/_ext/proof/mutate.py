"""Small changes to the code of a cell, each of which some claim or expectation of its page should notice."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_IN_PLACE = {"add", "sub", "mul", "div", "pow", "exp", "neg", "clamp", "copy", "fill", "zero", "detach", "relu", "abs"}
"""The methods whose name may get an underscore."""

_FACTORIES = {"tensor", "zeros", "ones", "empty", "full", "arange", "rand", "randn", "zeros_like", "ones_like"}
"""What makes a tensor from numbers: it has no history that `detach` could cut."""

_FLAGS = {"requires_grad_", "detach_"}
"""Methods that write a flag, not values, and do so under `no_grad` as well."""

_REMOVED = {"detach", "clone", "retain_grad", "requires_grad_"}
"""The calls that may be taken away, so that `x.detach()` becomes `x`."""

_MODES = {"no_grad", "enable_grad", "inference_mode", "set_grad_enabled"}

_OPPOSITE: dict[type[ast.cmpop], str] = {
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Lt: ">=",
    ast.GtE: "<",
    ast.Gt: "<=",
    ast.LtE: ">",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


@dataclass(frozen=True, order=True)
class Edit:
    """Characters of a cell's source, and what stands there instead."""

    start: int
    end: int
    text: str
    what: str
    """The kind of change, in words."""

    def apply(self, source: str) -> str:
        """Returns the changed source."""
        return source[: self.start] + self.text + source[self.end :]


def edits(source: str) -> list[Edit]:
    """Returns every small change of a cell, in the order of its source; none where it is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    return sorted(set(_Editor(source).edits(tree)))


class _Editor:
    """Knows where a node of the syntax tree stands in the source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

        self.unrecorded: set[ast.AST] = set()
        """What stands under `no_grad`: it leaves no history, whatever is added to it."""

    def edits(self, tree: ast.Module) -> Iterator[Edit]:
        for block in ast.walk(tree):
            if isinstance(block, ast.With) and _mode(block) in ("no_grad", "inference_mode"):
                self.unrecorded.update(ast.walk(block))
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                yield from self._statement(node)
            elif isinstance(node, ast.Call):
                yield from self._call(node)
            elif isinstance(node, ast.Compare):
                yield from self._comparison(node)
            elif isinstance(node, ast.Subscript):
                yield from self._index(node)

    def _offset(self, line: int, column: int) -> int:
        """Where a place of the tree, whose columns count bytes, stands in the text."""
        text = self.source[self.lines[line - 1] : self.lines[line]]
        return self.lines[line - 1] + len(text.encode()[:column].decode())

    def _place(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _replace(self, node: ast.expr | ast.stmt, text: str, what: str) -> Edit:
        return Edit(*self._place(node), text, what)

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._place(node)
        return self.source[start:end]

    def _statement(self, node: ast.stmt) -> Iterator[Edit]:
        match node:
            case ast.Expr(value=value) if _does_something(value):
                yield self._replace(node, "pass", "statement removed")
            case ast.Assign() | ast.AugAssign() | ast.Delete() | ast.For() | ast.While():
                yield self._replace(node, "pass", "statement removed")
        if _writes(node) and node not in self.unrecorded:
            yield self._replace(node, f"with torch.no_grad(): {self._text(node)}", "no_grad added")
        match node:
            case ast.AugAssign(target=target, value=value):
                operator = self.source[self._place(target)[1] : self._place(value)[0]].replace("=", "", 1)
                text = f"{self._text(target)} = {self._text(target)}{operator}({self._text(value)})"
                yield self._replace(node, text, "in place made out of place")
            case ast.Assign(targets=[ast.Attribute(attr="requires_grad")], value=ast.Constant(value=bool() as flag)):
                yield self._replace(node.value, str(not flag), "requires_grad flipped")
            case ast.Assign(targets=[ast.Name()], value=ast.Call() | ast.BinOp() as value) if self._has_history(node):
                yield self._replace(value, f"({self._text(value)}).detach()", "detach added")
            case ast.Assign(targets=[ast.Name()], value=ast.Name() | ast.Subscript() as value) if _aliases(value):
                yield self._replace(value, f"{self._text(value)}.clone()", "clone added")
            case ast.With() if _mode(node) in _MODES:
                start, end = self._place(node)[0], self._place(node.items[0].context_expr)[1]
                yield Edit(start, end, "if True", f"{_mode(node)} removed")

    def _has_history(self, node: ast.Assign) -> bool:
        """Whether what is assigned can have a history that `detach` could cut."""
        match node.value:
            case ast.Call(func=ast.Attribute(attr=name)):
                return node not in self.unrecorded and name not in _FACTORIES | {"detach"}
        return node not in self.unrecorded

    def _call(self, node: ast.Call) -> Iterator[Edit]:
        for keyword in node.keywords:
            match keyword:
                case ast.keyword(arg="requires_grad", value=ast.Constant(value=bool() as flag)):
                    yield self._replace(keyword.value, str(not flag), "requires_grad flipped")
        if not isinstance(node.func, ast.Attribute):
            return
        name, receiver, end = node.func.attr, self._text(node.func.value), self._place(node.func)[1]
        if name.endswith("_") and not name.startswith("_") and name != "requires_grad_":
            yield Edit(end - len(name), end, name[:-1], "in place made out of place")
        elif name in _IN_PLACE and receiver != "torch":
            yield Edit(end, end, "_", "out of place made in place")
        if name in _REMOVED and receiver != "torch":
            yield self._replace(node, receiver, f"{name} removed")

    def _comparison(self, node: ast.Compare) -> Iterator[Edit]:
        before = node.left
        for operator, after in zip(node.ops, node.comparators, strict=True):
            start, end = self._place(before)[1], self._place(after)[0]
            between = self.source[start:end]
            if "(" not in between and ")" not in between:
                yield Edit(start, end, f" {_OPPOSITE[type(operator)]} ", "comparison turned round")
            before = after

    def _index(self, node: ast.Subscript) -> Iterator[Edit]:
        for part in ast.walk(node.slice):
            match part:
                case ast.Constant(value=int() as number) if not isinstance(number, bool):
                    yield self._replace(part, str(number + 1), "index changed")


def _mode(node: ast.With) -> str:
    """The name of the grad mode that a block sets, or nothing."""
    match node.items:
        case [ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr=name)))] if name in _MODES:
            return name
    return ""


def _writes(node: ast.stmt) -> bool:
    """Whether a statement writes into a tensor, which grad mode decides whether to record."""
    match node:
        case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str()))]):
            return False  # into a dictionary
        case ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver, attr=name))):
            if any(isinstance(part, ast.Name) and part.id in ("torch", "nn") for part in ast.walk(receiver)):
                return False  # a function of torch.nn, which sets the mode itself
            return name.endswith("_") and not name.endswith("__") and name not in _FLAGS
    return False


def _aliases(value: ast.expr) -> bool:
    """Whether a name is given to memory that another name has; a list or a mask as index copies."""
    match value:
        case ast.Subscript(slice=ast.List() | ast.Compare() | ast.Name()):
            return False
    return True


def _does_something(value: ast.expr) -> bool:
    """Whether an expression is there for what it does, not for what it shows."""
    if not isinstance(value, ast.Call):
        return False
    return not (isinstance(value.func, ast.Name) and value.func.id in ("print", "display"))
