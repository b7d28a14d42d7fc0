"""A base and its views as cells of one memory, as text and as a picture: which elements each of them has."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from html import escape

import torch


@dataclass
class Memory:
    """Which cells of one memory each tensor uses."""

    cells: int
    """How many elements the memory has."""
    used: dict[str, list[int]]
    """The cells of each tensor, in the order of its elements; a cell that stands twice is two elements of it."""
    layouts: dict[str, str]
    """Size, stride and start of each tensor."""

    def __str__(self) -> str:
        width = max(map(len, self.used))
        counts = {
            name: [str(used.count(cell) or ".") for cell in range(self.cells)] for name, used in self.used.items()
        }
        return "\n".join(f"{name:{width}}  {' '.join(row)}  {self.layouts[name]}" for name, row in counts.items())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        left, cell = (max(map(len, self.used)) + 1) * 8, 26
        parts = [
            f'<text x="{left + column * cell + cell / 2:g}" y="12" text-anchor="middle">{column}</text>'
            for column in range(self.cells)
        ]
        for row, (name, used) in enumerate(self.used.items()):
            y = 20 + row * (cell + 6)
            parts.append(f'<text x="0" y="{y + 17}">{escape(name)}</text>')
            for column in range(self.cells):
                times = used.count(column)
                box = f'x="{left + column * cell}" y="{y}" width="{cell}" height="{cell}"'
                parts.append(f'<rect class="{"used" if times else "unused"}" {box} stroke="currentColor" fill="none"/>')
                if times:
                    middle = left + column * cell + cell / 2
                    parts.append(
                        f'<text x="{middle:g}" y="{y + 17}" text-anchor="middle">{_elements(used, column)}</text>'
                    )
            parts.append(f'<text x="{left + self.cells * cell + 10}" y="{y + 17}">{self.layouts[name]}</text>')
        width = left + self.cells * cell + 10 + max(map(len, self.layouts.values())) * 8
        height = 20 + len(self.used) * (cell + 6)
        id_ = "memory-" + sha256(str(self).encode()).hexdigest()[:8]
        return (
            f'<figure class="memory"><svg role="img" aria-labelledby="{id_}" aria-describedby="{id_}-text" '
            f'viewBox="0 0 {width} {height}" '
            f'width="{width}" fill="currentColor" font-family="monospace" font-size="12">'
            f'<title id="{id_}">One memory: {escape(", ".join(self.used))}</title>'
            f'<desc id="{id_}-text">{escape(str(self))}</desc>{"".join(parts)}</svg>'
            "<figcaption>above: the elements of the memory; in a cell: which element of the tensor it is</figcaption>"
            "</figure>"
        )


def draw_memory(**tensors: torch.Tensor) -> Memory:
    """Returns which cells of their memory the tensors use. Raises ValueError where they do not share one.

    >>> b = torch.arange(6.0).view(2, 3)
    >>> draw_memory(b=b, row=b[1], column=b[:, 1], twice=b[0, :1].expand(2))
    b       1 1 1 1 1 1  size [2, 3], stride [3, 1], from 0
    row     . . . 1 1 1  size [3], stride [1], from 3
    column  . 1 . . 1 .  size [2], stride [3], from 1
    twice   2 . . . . .  size [2], stride [0], from 0
    """
    memories = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage() for tensor in tensors.values()}
    if len(memories) != 1:
        raise ValueError("these tensors do not share one memory")
    (memory,) = memories.values()
    first = next(iter(tensors.values()))
    cells = torch.arange(memory.nbytes() // first.element_size())
    layouts = {
        name: f"size {list(tensor.shape)}, stride {list(tensor.stride())}, from {tensor.storage_offset()}"
        for name, tensor in tensors.items()
    }
    used = {
        name: cells.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).flatten().tolist()
        for name, tensor in tensors.items()
    }
    return Memory(len(cells), used, layouts)


def _elements(used: list[int], cell: int) -> str:
    """Which elements of a tensor a cell is, counted from 0."""
    return ",".join(str(number) for number, one in enumerate(used) if one == cell)
