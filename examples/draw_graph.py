"""The graph behind tensors, as text and as a picture: what `backward()` walks, what was saved and at which version.

The picture needs pygraphviz, whose wheels bring Graphviz along; the text needs torch and `open_copy_slices.py` alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from textwrap import indent

import torch

from open_copy_slices import open_copy_slices


@dataclass
class Graph:
    """Boxes and arrows."""

    boxes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The lines of each box, by its key: first its kind (leaf, non-leaf, node, saved), then what stands in it."""
    arrows: list[tuple[str, str, str]] = field(default_factory=list)
    """From which box to which, and what the arrow says."""
    named: list[str] = field(default_factory=list)
    """The boxes of the tensors that were given."""

    def __str__(self) -> str:
        lines = []
        for key, (_, *said) in self.boxes.items():
            lines.append(", ".join(said))
            lines += [f"  {says} {self.boxes[end][1]}" for start, end, says in self.arrows if start == key]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str | None:
        try:
            return _figure(self)
        except ImportError:  # without pygraphviz a notebook shows the text
            return None


@dataclass
class Beside:
    """Graphs to be shown beside each other, each with its title: before a write and after it, say."""

    graphs: dict[str, Graph]

    def __repr__(self) -> str:
        return "\n\n".join(f"{title}\n{indent(str(graph), '  ')}" for title, graph in self.graphs.items())

    def _repr_html_(self) -> str | None:
        figures = {title: graph._repr_html_() for title, graph in self.graphs.items()}
        if None in figures.values():
            return None
        shown = "".join(f"<div><p>{escape(title)}</p>{figure}</div>" for title, figure in figures.items())
        return f'<div class="beside">{shown}</div>'


def draw_graph(**tensors: torch.Tensor) -> Graph:
    """Returns the graph behind the tensors; each is called by the name it is given.

    Where there is a CopySlices, the backward pass is run once, into no `.grad`, to see what is inside; hooks fire, too.

    >>> x = torch.tensor([2.0, 3.0], requires_grad=True)
    >>> draw_graph(x=x, y=x.exp())
    x, leaf, requires grad, version 0
    y, non-leaf, version 0
      is the result of ExpBackward0
    ExpBackward0
      hands its gradient to AccumulateGrad
      saved result: y
    AccumulateGrad
      adds to the .grad of x

    A write to what was saved shows, and so does what a CopySlices does in its region.

    >>> y = x.exp()
    >>> y[1:].mul_(5)
    tensor([100.4277], grad_fn=<AsStridedBackward0>)
    >>> draw_graph(x=x, y=y)
    x, leaf, requires grad, version 0
    y, non-leaf, version 1
      is the result of CopySlices
    CopySlices, MulBackward0, size [1], stride [1], from 1
      hands its gradient to ExpBackward0
    ExpBackward0
      hands its gradient to AccumulateGrad
      saved result: version 0, now 1
    AccumulateGrad
      adds to the .grad of x
    version 0, now 1
    """
    walk = _Walk(tensors)
    for name in tensors:
        walk.add_tensor(name)
    return walk.graph


class _Walk:
    """Goes from tensors to the leaves and notes what it meets."""

    def __init__(self, tensors: dict[str, torch.Tensor]) -> None:
        self.graph, self.tensors, self.nodes = (
            Graph(named=list(tensors)),
            tensors,
            dict[torch.autograd.graph.Node, str](),
        )
        self.inside = {one.number: one.lines for one in open_copy_slices(*tensors.values())}

    def add_tensor(self, name: str) -> None:
        tensor = self.tensors[name]
        kind = "leaf" if tensor.is_leaf else "non-leaf"
        flags = {"requires grad": tensor.is_leaf and tensor.requires_grad, "retains grad": tensor.retains_grad}
        said = (kind, *(flag for flag, holds in flags.items() if holds), f"version {tensor._version}")
        self.graph.boxes[name] = (kind, name, *said)
        if tensor._base is not None:
            self._arrow(name, self._box_of(tensor._base, "base"), "is a view of")
        if tensor.grad_fn is not None:
            self._arrow(name, self._add_node(tensor.grad_fn), "is the result of")

    def _add_node(self, node: torch.autograd.graph.Node) -> str:
        if node in self.nodes:
            return self.nodes[node]
        key = self.nodes[node] = f"node {len(self.nodes)}"
        self.graph.boxes[key] = ("node", type(node).__name__, *self.inside.get(node._sequence_nr(), ()))
        for following, _ in node.next_functions:
            if following is not None:
                self._arrow(key, self._add_node(following), "hands its gradient to")
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            self._arrow(key, self._box_of(leaf, "leaf"), "adds to the .grad of")
        for what, saved in _saved(node):
            box = self._box_of(saved, "tensor") if isinstance(saved, torch.Tensor) else self._add("saved", saved)
            self._arrow(key, box, f"saved {what}:")
        return key

    def _box_of(self, tensor: torch.Tensor, kind: str) -> str:
        """The box of a tensor: its own where it has a name, else a new one."""
        named = [name for name, one in self.tensors.items() if _same(one, tensor)]
        return named[0] if named else self._add(kind, f"{kind} {tuple(tensor.shape)}, version {tensor._version}")

    def _add(self, kind: str, text: str) -> str:
        key = f"{kind} {len(self.graph.boxes)}"
        self.graph.boxes[key] = (kind, text)
        return key

    def _arrow(self, start: str, end: str, says: str) -> None:
        self.graph.arrows.append((start, end, says))


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two objects are one tensor: a node that saved its result gives another object for it."""
    made = one.grad_fn is not None and one.grad_fn is other.grad_fn and one.output_nr == other.output_nr
    return one is other or (made and one.data_ptr() == other.data_ptr())


def _saved(node: torch.autograd.graph.Node) -> Iterator[tuple[str, torch.Tensor | str]]:
    """Yields what a node saved: the name of each tensor and the tensor, or why it is not to be had."""
    for attribute in dir(node):
        if attribute.startswith("_saved_"):
            name = attribute[len("_saved_") :]
            try:
                value = getattr(node, attribute)
            except RuntimeError as error:
                versions = re.search(r"is at version (\d+); expected version (\d+)", str(error))
                yield name, f"version {versions[2]}, now {versions[1]}" if versions else "freed"
            else:
                values = value if isinstance(value, tuple) else (value,)
                yield from ((name, one) for one in values if isinstance(one, torch.Tensor))


# Sizes in points. Every box has a size of its own and no font is asked for, so that the picture is the same everywhere.
_CHARACTER, _LINE, _MARGIN = 7.3, 17, 8
_CAPTIONS = {
    "gradient": "solid: where the gradient goes",
    "saved": "dashed: what was saved for the backward pass",
    "of": "dotted: is the result of, is a view of",
}


def _figure(graph: Graph) -> str:
    """Lays the graph out with Graphviz and prints it as SVG; classes leave the colours to the page's style."""
    import pygraphviz

    layout = pygraphviz.AGraph(directed=True, strict=False, nodesep=0.3, ranksep=0.35, ordering="out")
    layout.node_attr.update(shape="box", fixedsize=True, label="")
    for key, (_, *said) in graph.boxes.items():
        wide, high = _size(said)
        layout.add_node(key, width=wide / 72, height=high / 72)
    for number, (start, end, says) in enumerate(graph.arrows):
        cycle = _kind(says) == "saved" and end in graph.named  # the result of the node above it, say
        layout.add_edge(start, end, key=str(number), constraint=not cycle)
    layout.layout("dot")
    _, _, width, height = map(float, layout.graph_attr["bb"].split(","))
    positions = [layout.get_edge(start, end, str(n)).attr["pos"] for n, (start, end, _) in enumerate(graph.arrows)]
    parts = [_arrow(says, at, height) for (_, _, says), at in zip(graph.arrows, positions, strict=True)]
    parts += [_box(said, layout.get_node(key).attr["pos"], height) for key, said in graph.boxes.items()]
    met = {_kind(says) for _, _, says in graph.arrows}
    caption = "; ".join(text for kind, text in _CAPTIONS.items() if kind in met)
    id_ = "graph-" + sha256(str(graph).encode()).hexdigest()[:8]
    return (
        f'<figure class="graph"><svg role="img" aria-labelledby="{id_}" aria-describedby="{id_}-text" '
        f'viewBox="-2 -2 {width + 4:g} {height + 4:g}" '
        f'width="{width + 4:g}" fill="none" stroke="currentColor" font-family="monospace" font-size="12" '
        f'text-anchor="middle"><title id="{id_}">A graph: {escape(", ".join(graph.named) or "questions")}</title>'
        f'<desc id="{id_}-text">{escape(str(graph))}</desc>{"".join(parts)}</svg>'
        f"{caption and f'<figcaption>{caption}</figcaption>'}</figure>"
    )


def _kind(says: str) -> str:
    kinds = {"hands": "gradient", "adds": "gradient", "saved": "saved", "is": "of"}
    return kinds.get(says.partition(" ")[0], "other")


def _size(lines: Sequence[str]) -> tuple[float, float]:
    return max(map(len, lines)) * _CHARACTER + 2 * _MARGIN, len(lines) * _LINE + _MARGIN


def _points(text: str, height: float) -> list[tuple[float, float]]:
    """Graphviz counts from the bottom, SVG from the top."""
    pairs = (point.split(",") for point in text.split())
    return [(float(x), height - float(y)) for x, y in pairs]


def _arrow(says: str, position: str, height: float) -> str:
    (x, y), *curve = _points(position.removeprefix("e,"), height)
    start, *rest = (f"{a:g} {b:g}" for a, b in curve)
    across, down = (y - curve[-1][1]) * 0.4, (curve[-1][0] - x) * 0.4
    base_x, base_y = curve[-1]
    head = f"{x:g},{y:g} {base_x + across:g},{base_y + down:g} {base_x - across:g},{base_y - down:g}"
    return (
        f'<g class="arrow {_kind(says)}"><title>{escape(says)}</title><path d="M{start}C{" ".join(rest)}"/>'
        f'<polygon points="{head}" fill="currentColor"/></g>'
    )


def _box(said: tuple[str, ...], position: str, height: float) -> str:
    kind, *lines = said
    ((x, y),), (wide, high) = _points(position, height), _size(lines)
    kind += " copy-slices" if lines[0] == "CopySlices" else ""
    text = "".join(
        f'<text x="{x:g}" y="{y - high / 2 + (number + 0.95) * _LINE:g}" fill="currentColor" stroke="none">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines)
    )
    rectangle = f'x="{x - wide / 2:g}" y="{y - high / 2:g}" width="{wide:g}" height="{high:g}" rx="3"'
    return f'<g class="{kind}"><rect {rectangle}/>{text}</g>'
