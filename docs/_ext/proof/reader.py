"""Reads a page, with MyST-NB's own reader."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, cast

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_nb.core.read import MystMetadataParsingError, is_myst_markdown_notebook, read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.directives import parse_directive_text
from myst_parser.parsers.mdit import create_md_parser
from nbformat import NotebookNode

from proof.can_fail import why_it_cannot_fail
from proof.front_matter import (
    SLUG,
    ErrorEntry,
    FrontMatterError,
    read_asked,
    read_errors,
    read_front_matter,
    read_time_limit,
)
from proof.page import Cell, Claim, Page
from proof.problem import Kind, Problem

CELL_OPTIONS = {"raises", "warns", "table", "tags"}
"""The options a code cell may have."""

CELL_TAGS = {"hide-input", "hide-output", "hide-cell", "remove-input", "remove-output", "remove-cell"}
"""The tags a code cell may have: they change what is shown, never what is checked."""

# How blocks are told apart must not depend on conf.py, or a page could be judged otherwise than it is shown;
# of MyST's extensions only colon_fence decides where a claim or a cell begins.
_CONFIG = MdParserConfig(enable_extensions={"colon_fence"}, disable_syntax=["inline"])

_DIRECTIVE = re.compile(r"\{([\w-]+)\}")
_OPENING = re.compile(r"^[ ]*(?::{3,}|`{3,})\{(claim|code-cell)\}", re.MULTILINE)


def read_page(path: Path, place: str, known: Page | None = None) -> Page:
    """Reads the page at `path`; whatever is wrong with it stands in its problems, and nothing is raised.

    `known` is the page as it was read before; it is returned if the file has not changed since.
    """
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    if known is not None and known.digest == digest:
        return replace(known, shared_problems=())
    try:
        text = content.decode("utf-8-sig")  # some editors begin a file with a byte order mark; Sphinx drops it as well
        if not text.strip():
            raise FrontMatterError("the page is empty: it needs at least a title, '# …'", 1)
        return replace(_Reader(text, place, path).page(), digest=digest)
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        reason = f"the file is not UTF-8: byte 0x{error.object[error.start]:02x}; save it as UTF-8"
        problem = Problem(place, line, Kind.ENCODING, reason)
    except FrontMatterError as error:
        problem = Problem(place, error.line, Kind.UNREADABLE, str(error))
    except MystMetadataParsingError as error:
        found = re.search(r"at line (\d+) could not be read: (.*)", str(error), re.DOTALL)
        line, reason = (int(found[1]), found[2]) if found else (1, str(error))
        problem = Problem(place, line, Kind.UNREADABLE, f"its options cannot be read: {reason}")
    return Page(place, own_problems=(problem,), digest=digest)


class _Reader:
    """Reads the blocks of one page in order."""

    def __init__(self, text: str, place: str, path: Path) -> None:
        self.text, self.place, self.path = text, place, path
        self.problems: list[Problem] = []

    def page(self) -> Page:
        front = read_front_matter(self.text)
        notebook = self._notebook()
        code = [(index, cell) for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
        cells = tuple(self._cells(iter(code)))
        is_notebook = is_myst_markdown_notebook(self.text)
        if cells and not is_notebook:
            self._problem(
                cells[0].line, Kind.UNREADABLE, "cells run only if the front matter has 'file_format: mystnb'"
            )
        errors, asked, limit = self._errors(front), read_asked(front), read_time_limit(front)
        return Page(self.place, notebook if is_notebook else None, cells, errors, asked, limit, tuple(self.problems))

    def _notebook(self) -> NotebookNode:
        try:
            notebook = read_myst_markdown_notebook(self.text, config=_CONFIG, add_source_map=True, path=self.path)
            return cast(NotebookNode, notebook)
        except MystMetadataParsingError:
            raise
        except Exception as error:  # what it cannot read ends in an exception of any kind
            raise FrontMatterError(f"MyST-NB cannot read the page: {str(error).partition(chr(10))[0]}", 1) from error

    def _problem(self, line: int, kind: Kind, text: str, id_: str = "") -> None:
        self.problems.append(Problem(self.place, line, kind, text, id_))

    def _errors(self, front: dict[str, Any]) -> tuple[ErrorEntry, ...]:
        try:
            return tuple(read_errors(front, self.path.stem))
        except FrontMatterError as error:
            self._problem(error.line, Kind.FRONT_MATTER, str(error))
            return ()

    def _cells(self, code: Iterator[tuple[int, NotebookNode]]) -> Iterator[Cell]:
        """Yields the code cells, each with the claim that stands directly before it."""
        waiting: Claim | None = None
        for token, depth in _blocks(self.text):
            for line, word in _inner(token, depth):
                text = f"a {{{word}}} stands at the top level of its page, not inside something else"
                self._problem(line, Kind.NESTED, text)
            if depth:
                continue
            if token.info.startswith("{code-cell}"):
                index, cell = next(code)
                yield self._cell(token, index, cell, waiting)
                waiting = None
                continue
            if waiting:
                self._no_proof(waiting)
            waiting = self._claim(token) if token.info.startswith("{claim}") else None
        if waiting:
            self._no_proof(waiting)

    def _no_proof(self, claim: Claim) -> None:
        text = "no code cell follows the claim directly, so nothing proves it"
        self._problem(claim.line, Kind.NO_PROOF, text, f"claim {claim.id}")

    def _claim(self, token: Token) -> Claim | None:
        line = _line(token)
        id_ = token.info.removeprefix("{claim}").strip()
        parsed = _parse(token)
        if not re.fullmatch(SLUG, id_):
            self._problem(line, Kind.OPTION, f"a claim needs an id of small letters, digits and hyphens, not {id_!r}")
            return None
        for name in sorted(set(parsed.options) - {"open"}):
            self._problem(line, Kind.OPTION, f"a claim has no option ':{name}:', only ':open:'", f"claim {id_}")
        if not "".join(parsed.body).strip():
            self._problem(line, Kind.OPTION, "the claim says nothing: its sentence is missing", f"claim {id_}")
        return Claim(id_, line, "open" in parsed.options)

    def _cell(self, token: Token, index: int, cell: NotebookNode, claim: Claim | None) -> Cell:
        line, options = _line(token), dict(cell.metadata)
        for name in sorted(set(options) - CELL_OPTIONS):
            known = ", ".join(f"':{option}:'" for option in sorted(CELL_OPTIONS))
            self._problem(line, Kind.OPTION, f"a code cell has no option ':{name}:', only {known}")
        self._check_tags(line, options.get("tags", []))
        found = Cell(
            index,
            line,
            cast(list[int], token.map)[1] - cell.source.count("\n") - 1,
            cell.source,
            claim,
            str(options.get("raises", "")),
            tuple(str(options.get("warns", "")).replace(",", " ").split()),
            str(options.get("table") or ""),
        )
        if "table" in options and not found.table:
            self._problem(line, Kind.OPTION, "a table needs a caption: ':table: What it shows'")
        if claim and not found.raises and not found.warns and (reason := why_it_cannot_fail(found.source)):
            self._problem(claim.line, Kind.CANNOT_FAIL, reason, f"claim {claim.id}")
        return found

    def _check_tags(self, line: int, tags: object) -> None:
        names = tags.replace(",", " ").split() if isinstance(tags, str) else tags
        for tag in names if isinstance(names, list) else [names]:
            if tag == "raises-exception":
                self._problem(line, Kind.OPTION, "'raises-exception' only permits an error; name it with ':raises:'")
            elif tag not in CELL_TAGS:
                self._problem(line, Kind.OPTION, f"a code cell has no tag {tag!r}, only {', '.join(sorted(CELL_TAGS))}")


def _blocks(text: str) -> Iterator[tuple[Token, int]]:
    """Yields the first token of every block with the number of blocks around it."""
    depth = 0
    for token in create_md_parser(_CONFIG, RendererHTML).parse(text + "\n"):
        if token.nesting >= 0 and token.type not in ("front_matter", "inline"):
            yield token, depth
        depth += token.nesting


def _inner(token: Token, depth: int) -> Iterator[tuple[int, str]]:
    """Yields the line and the name of each claim and each cell that is not at the top level."""
    word = _DIRECTIVE.match(token.info)
    if token.type not in ("fence", "colon_fence") or not word:
        return
    if depth and word[1] in ("claim", "code-cell"):
        yield _line(token), word[1]
    if word[1] not in ("claim", "code-cell", "code-block", "code"):
        for inner in _OPENING.finditer(token.content):
            yield _line(token) + 1 + token.content[: inner.start()].count("\n"), inner[1]


def _line(token: Token) -> int:
    return cast(list[int], token.map)[0] + 1


class _AnyOption:
    """Lets MyST's parser take every option, so that the check above can name the wrong ones."""

    option_spec: ClassVar = {"options": True}
    required_arguments = 0
    optional_arguments = 1
    has_content = True


def _parse(token: Token) -> Any:
    return parse_directive_text(cast(Any, _AnyOption), "", token.content, validate_options=False)
