"""The messages in torch's Python sources: what is raised, warned of or asserted."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from closed_world.said import Said, pieces_of

_CALLS = {
    *(
        "warn",
        "warn_once",
        "warning_once",
        "_warn",
        "deprecated",
        "unimplemented",
        "unimplemented_v2",
        "_log_and_throw",
    ),
    *(
        "_check",
        "_check_with",
        "_check_not_implemented",
        "_check_value",
        "_check_type",
        "_check_index",
        "_check_tensor_all",
    ),
    *("DelayedError", "disable_saved_tensors_hooks"),
}
"""Functions of torch and Python that are given a message."""

_WORDS = {"gb_type", "explanation", "message", "msg", "error_msg"}
"""Names by which such functions take it."""

Texts = Mapping[str, list[ast.expr]]
"""What a file assigns to each name, attribute or not."""


def messages(folder: Path) -> Iterator[Said]:
    """Yields every message in the sources below `folder`, torch's package."""
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder).as_posix()
        yield from messages_of(path.read_bytes(), place)


def messages_of(source: bytes, place: str) -> Iterator[Said]:
    """Yields every message in a source file; none where it is for a newer Python than this."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return
    texts = _assigned(nodes)
    seen = set()
    for node in nodes:
        for message in _messages(node, texts):
            pieces = tuple(filter(str.strip, _pieces(message)))
            if pieces and message not in seen:
                seen.add(message)
                yield Said(f"{place}:{message.lineno}", "{}".join(pieces), pieces)


def _assigned(nodes: list[ast.AST]) -> Texts:
    texts: dict[str, list[ast.expr]] = defaultdict(list)
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                texts[_name(target)].append(node.value)
    return texts


def _messages(node: ast.AST, texts: Texts) -> Iterator[ast.expr]:
    """Yields the expressions that make a message in a statement or a call; for a name, all that is assigned to it."""
    for message in _given(node):
        name = _name(message)
        yield from texts[name] if name and name in texts else [message]


def _given(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield from node.exc.args[:1]
    elif isinstance(node, ast.Assert) and node.msg is not None:
        yield node.msg
    elif isinstance(node, ast.Call) and _name(node.func) in _CALLS:
        yield from node.args[:2]
        yield from (word.value for word in node.keywords if word.arg in _WORDS)


def _name(expression: ast.expr) -> str:
    return expression.attr if isinstance(expression, ast.Attribute) else getattr(expression, "id", "")


def _pieces(message: ast.expr) -> Iterator[str]:
    """Yields the constant texts of an expression that makes a message."""
    match message:
        case ast.Constant(value=str(text)):
            yield from pieces_of(text)
        case ast.Constant(value=bytes(text)):
            yield text.decode("utf-8", "replace")
        case ast.JoinedStr(values=values):
            yield from (str(part.value) for part in values if isinstance(part, ast.Constant))
        case ast.BinOp(left=left, right=right):
            yield from _pieces(left)
            yield from _pieces(right) if isinstance(message.op, ast.Add) else ()
        case ast.Call(func=ast.Attribute(value=text, attr="format" | "join" | "strip")):
            yield from _pieces(text)
        case (
            ast.Call(func=ast.Name(id="dedent"), args=[text]) | ast.Call(func=ast.Attribute(attr="dedent"), args=[text])
        ):
            yield from _pieces(text)
        case ast.IfExp(body=body, orelse=other):
            yield from _pieces(body)
            yield from _pieces(other)
        case ast.Lambda(body=body):
            yield from _pieces(body)
