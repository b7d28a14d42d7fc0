"""The texts in torch's shared libraries: what C++ can say, in the pieces in which it is compiled."""

import mmap
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from closed_world.said import Said, is_long, pieces_of

LIBRARIES = ["libc10.so", "libtorch_cpu.so", "libtorch_python.so"]

_TEXT = re.compile(rb"[\t\n\x20-\x7e]{12,}(?=\0)")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_CODE = re.compile(
    r"INTERNAL ASSERT FAILED at |^[\w.:]+\([^)]*\)$|^[\w.:]+\(.*\) -> |^\s*graph\(|(^|\n)\s*def \w+\("
    r"|\[with \w+ = |\$\{\w+\}"
)
"""What marks a text as an assertion on torch itself, or as code or a signature in C++, TorchScript or a schema."""


def texts(folder: Path) -> Iterator[Said]:
    """Yields each text of the read-only data of torch's libraries in `folder` that reads like a sentence."""
    for name in LIBRARIES:
        for data in _read_only_data(folder / name):
            found = {text.decode("ascii") for text in _TEXT.findall(data)}
            yield from (Said(name, text, tuple(pieces_of(text))) for text in sorted(found) if is_sentence(text))


def is_sentence(text: str) -> bool:
    """Whether a text has three words or more, and is neither code nor an assertion on torch itself."""
    return is_long(text) and not _CODE.search(text)


def _read_only_data(path: Path) -> Iterator[bytes]:
    """Yields the sections of an ELF file that hold its constant data; their layout is that of the ELF-64 standard."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[:5] != b"\x7fELF\x02":
            raise ValueError(f"{path} is no 64-bit ELF file")
        (table,) = struct.unpack_from("<Q", data, 0x28)
        size, count, names = struct.unpack_from("<HHH", data, 0x3A)
        sections = [_SECTION.unpack_from(data, table + number * size) for number in range(count)]
        for section in sections:
            name = sections[names][4] + section[0]
            if data[name : data.find(b"\0", name)].startswith(b".rodata"):
                yield data[section[4] : section[4] + section[5]]
