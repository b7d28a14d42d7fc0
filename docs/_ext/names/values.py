"""What an expression in code stands for, as far as that can be told without running it."""

import ast
from dataclasses import dataclass

from names.known import Known

_TENSOR = "torch.Tensor"

_OTHERS = ("torch.nn.Module", "torch.optim.Optimizer", "torch.autograd.graph.Node", "torch.distributed.Work")
"""Classes of PyTorch that something may be an instance of where nothing tells what it is."""

_BUILTIN = {short for kind in (str, bytes, list, tuple, dict, set, float, complex) for short in dir(kind)}
"""What everything else is likely to have."""


@dataclass(frozen=True)
class Thing:
    """What an expression stands for."""

    name: str
    """The path to a module, a function or a class."""
    instance: bool = False
    """Whether it is an instance of that class."""


Scope = dict[str, Thing | None]
"""What each variable stands for; None where that cannot be told."""


Place = tuple[int, int]
"""A line, counted from 1, and a column, counted from 0 in bytes of UTF-8, as `ast` has them."""

Found = tuple[Place, Place, str]


class Values(ast.NodeVisitor):
    """Reads expressions: a visit returns what one stands for, and notes the names that it speaks of."""

    def __init__(self, scope: Scope, known: Known, found: list[Found]) -> None:
        self.scope, self.known, self.found = scope, known, found

    def mention(self, begin: Place, end: Place, name: str) -> None:
        """Notes that code speaks of a name, if PyTorch documents it."""
        if name in self.known.pages:
            if self.found and self.found[-1][0] == begin:
                self.found.pop()  # a part of this one
            self.found.append((begin, end, name))

    def visit_Name(self, node: ast.Name) -> Thing | None:
        if isinstance(node.ctx, ast.Store):
            self.scope[node.id] = None
        thing = self.scope.get(node.id)
        if thing and not thing.instance and node.id == thing.name.rpartition(".")[2]:
            self.mention(*_span(node), self.known.paths.get(thing.name, ""))
        return thing

    def visit_Constant(self, node: ast.Constant) -> Thing:
        return Thing(type(node.value).__name__, instance=True)

    def _visit_container(self, node: ast.List | ast.Dict | ast.Set | ast.Tuple | ast.JoinedStr) -> Thing:
        self.generic_visit(node)
        return Thing(type(node).__name__, instance=True)

    visit_List = visit_Dict = visit_Set = visit_Tuple = visit_JoinedStr = _visit_container

    def visit_Attribute(self, node: ast.Attribute) -> Thing | None:
        begin, end = _span(node)
        thing = self.visit(node.value)
        if thing and not thing.instance:
            path = f"{thing.name}.{node.attr}"
            name = self.known.paths.get(path) or self.known.member(self.class_of(thing), node.attr)
            self.mention(begin, end, name)
            return Thing(name or path)
        kind = self.class_of(thing) if thing else _TENSOR if self._only_a_tensor_has(node.attr) else ""
        if thing and not kind:
            return Thing(f"{thing.name}.{node.attr}", instance=True)  # of something that is not PyTorch's
        name = self.known.member(kind, node.attr)
        self.mention((end[0], end[1] - len(node.attr.encode())), end, name)
        gives = self.known.gives.get(name)
        return Thing(gives, instance=True) if gives else Thing(name) if name else None

    def visit_Call(self, node: ast.Call) -> Thing | None:
        called = self.visit(node.func)
        for part in (*node.args, *node.keywords):
            self.visit(part)
        if called is None or called.instance:
            return called if called and self.class_of(called) in ("", _TENSOR) else None  # what a method returns
        path = self.known.paths.get(called.name, called.name)
        gives = self.class_of(called) or self.known.gives.get(path) or ("" if _is_torch(path) else path)
        return Thing(gives, instance=True) if gives else None

    def visit_BinOp(self, node: ast.BinOp) -> Thing | None:
        sides = self.visit(node.left), self.visit(node.right)
        return next((side for side in sides if self._is_tensor(side)), None)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Thing | None:
        thing: Thing | None = self.visit(node.operand)
        return thing

    def visit_Subscript(self, node: ast.Subscript) -> Thing | None:
        thing = self.visit(node.value)
        self.visit(node.slice)
        return thing if self._is_tensor(thing) else None

    def _is_tensor(self, thing: Thing | None) -> bool:
        return thing is not None and thing.instance and _TENSOR in self.known.bases.get(self.class_of(thing), ())

    def class_of(self, thing: Thing) -> str:
        """Returns the name under which the class is documented that a thing is, or is an instance of; or nothing."""
        name = self.known.paths.get(thing.name, thing.name)
        return name if name in self.known.bases else ""

    def _only_a_tensor_has(self, short: str) -> bool:
        return short not in _BUILTIN and not any(self.known.member(kind, short) for kind in _OTHERS)


def _is_torch(path: str) -> bool:
    return path.partition(".")[0] == "torch"


def _span(node: ast.expr) -> tuple[Place, Place]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
