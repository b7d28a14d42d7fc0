"""Whatever stands in a file, reading it says what is wrong, and raises nothing."""

import random
from pathlib import Path

import pytest

from proof.reader import read_page

PAGES = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "docs" / "errors").glob("*.md"))[:8]]

PIECES = (
    b"---\n",
    b"```",
    b":::",
    b"{claim}",
    b"{code-cell}",
    b"\r\n",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\t",
    b":raises: ",
    b"[",
    b"{",
    b'"',
    b"'",
    b"error:\n",
    b"- ",
    b"> ",
    b"\xff",
    b"&a *a",
    b"1_",
    b"```{code-cell} python\n---\ntags: [x\n---\n",
    b"+++ {\n",
)


def _damaged(seed: int) -> bytes:
    """A page in which some bytes were put in, taken out or changed."""
    chance = random.Random(seed)
    content = bytearray(chance.choice(PAGES))
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(content))
        match chance.randrange(3):
            case 0:
                content[place:place] = chance.choice(PIECES)
            case 1:
                del content[place : place + chance.randint(1, 60)]
            case 2:
                content[place] = chance.randrange(256)
    return bytes(content)


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_damaged_page(tmp_path: Path, first: int) -> None:
    """The page comes back, and a problem with it has a line of the file."""
    path = tmp_path / "page.md"
    for seed in range(first, first + 50):
        path.write_bytes(_damaged(seed))
        page = read_page(path, "docs/page.md")
        lines = path.read_bytes().count(b"\n") + 1
        assert all(1 <= problem.line <= lines and problem.text for problem in page.problems)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"---\n---\n\n# Page\n", "MyST-NB cannot read the page"),
        (b"---\n2020-01-01\n---\n", "must be a mapping, not a date"),
        (b"---\nfile_format: mystnb\nkernelspec: 3\n---\n", "'kernelspec' in the head of a page cannot be 3"),
        (b"---\nfile_format: mystnb\n---\n```{code-cell} python\n:load: no.py\n```\n", "Can't read file from :load:"),
        (b"---\nfile_format: mystnb\n---\n```{code-cell} python\n:tags: 3\n1\n```\n", "3 is not of type 'array'"),
        (b"---\nerror: 3\n---\n", "'error' in the head of a page cannot be 3"),
        (b"---\nerror: {type: A, message: ''}\n---\n", "'type' and 'message' are needed"),
        (b"---\nerror: {id: Bad Id, type: A, message: m}\n---\n", "an id has small letters, digits and hyphens"),
        (b"---\nerror: {type: A, message: m, earlier: [3]}\n---\n", "'earlier' must be a list of mappings"),
        (b"---\nerror: [{type: A, message: m}, {type: A, message: n}]\n---\n", "after a page's first needs an 'id'"),
        (b"+++ {\n", "its options cannot be read"),
    ],
)
def test_odd_page(tmp_path: Path, content: bytes, problem: str) -> None:
    """The problem says what it is."""
    path = tmp_path / "page.md"
    path.write_bytes(content)

    (found,) = read_page(path, "docs/page.md").problems

    assert problem in found.text


def test_byte_order_mark(tmp_path: Path) -> None:
    """A mark at the beginning of the file, which some editors write, changes nothing."""
    path = tmp_path / "page.md"
    path.write_bytes(b"\xef\xbb\xbf---\nfile_format: mystnb\n---\n\n# Page\n\n```{code-cell} python\n1\n```\n")

    page = read_page(path, "docs/page.md")

    assert page.problems == ()
    assert [cell.source for cell in page.cells] == ["1"]
