"""Reads code without running it, and finds which of PyTorch's names it speaks of.

What a variable stands for follows from imports, definitions and assignments, and from what torch's functions return.
Where that does not tell what `x` is in `x.detach()`, it is taken for a tensor if nothing else has a `detach`.
"""

import ast
from dataclasses import dataclass
from itertools import accumulate

from names.known import Known
from names.values import Found, Place, Scope, Thing, Values

_FUNCTION, _CONTEXT = "torch.autograd.Function", "torch.autograd.function.FunctionCtx"


@dataclass(frozen=True)
class Mention:
    """A place in code that speaks of a name."""

    begin: int
    """The number of characters before it."""
    end: int
    name: str
    """The name as PyTorch documents it."""


def mentions(code: str, scope: Scope, known: Known) -> list[Mention]:
    """Returns what a piece of code speaks of, in order; `scope` is what came before it, and is kept up to date.

    Code that is not Python, a shell command say, speaks of nothing.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return []
    found: list[Found] = []
    _Reader(scope, known, found).visit(tree)
    lines = code.encode().split(b"\n")
    starts = [0, *accumulate(len(line.decode()) + 1 for line in lines)]

    def characters(place: Place) -> int:
        return starts[place[0] - 1] + len(lines[place[0] - 1][: place[1]].decode())

    return [Mention(characters(begin), characters(end), name) for begin, end, name in sorted(found)]


class _Reader(Values):
    """Reads statements in order, and keeps what each variable stands for."""

    def _inside(self, variables: Scope) -> "_Reader":
        """Returns a reader for what has variables of its own."""
        return _Reader(self.scope | variables, self.known, self.found)

    # What gives a variable its value.

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            path = alias.name if alias.asname else alias.name.partition(".")[0]
            self.scope[alias.asname or path] = Thing(path)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            path = f"{node.module}.{alias.name}"
            self.scope[alias.asname or alias.name] = Thing(path)
            begin = alias.lineno, alias.col_offset
            self.mention(begin, (begin[0], begin[1] + len(alias.name.encode())), self.known.paths.get(path, ""))

    def visit_Assign(self, node: ast.Assign) -> None:
        thing = self.visit(node.value)
        for target in node.targets:
            self._bind(target, thing, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        thing = self.visit(node.value) if node.value else None
        self._bind(node.target, self._annotated(node.annotation) or thing, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if not isinstance(node.target, ast.Name):  # a variable stays what it was
            self.visit(node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Thing | None:
        thing: Thing | None = self.visit(node.value)
        self._bind(node.target, thing, node.value)
        return thing

    def _bind(self, target: ast.expr, thing: Thing | None, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.scope[target.id] = thing
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            silent = _Reader(self.scope, self.known, [])  # which has been read before, as one value
            for part, kind in list(zip(target.elts, map(silent.visit, value.elts), strict=True)):
                self._bind(part, kind, None)
        else:
            self.visit(target)

    # What has variables of its own.

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        bases = [base for base in map(self.visit, node.bases) if base and self.class_of(base)]
        self.scope[node.name] = bases[0] if bases else Thing(node.name)
        inner = self._inside({})
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                inner._read_function(statement, self.scope[node.name])
            else:
                inner.visit(statement)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._read_function(node, None)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _read_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: Thing | None) -> None:
        """Reads a function, or a method of a class that inherits from `owner`."""
        for part in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(part)
        own: Scope = {argument.arg: self._annotated(argument.annotation) for argument in _arguments(node)}
        if owner and node.args.args:
            first = Thing(_CONTEXT if self.class_of(owner) == _FUNCTION else owner.name, instance=True)
            own[node.args.args[0].arg] = first
        self.scope[node.name] = None
        inner = self._inside(own)
        for statement in node.body:
            inner.visit(statement)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._inside(dict.fromkeys(argument.arg for argument in _arguments(node))).visit(node.body)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        inner = self._inside({})
        for part in sorted(ast.iter_child_nodes(node), key=lambda part: isinstance(part, ast.expr)):
            inner.visit(part)  # the loops first: they give the variables

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def _annotated(self, annotation: ast.expr | None) -> Thing | None:
        kind = self.visit(annotation) if annotation else None
        return Thing(kind.name, instance=True) if kind and self.class_of(kind) else None


def _arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.arg]:
    others = filter(None, (node.args.vararg, node.args.kwarg))
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *others]
