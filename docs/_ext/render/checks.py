"""Runs and judges the pages before Sphinx reads them, and reports all that is wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from proof.book import read_book
from proof.cache import cache_folder, executed
from proof.front_matter import ErrorEntry
from proof.page import Page
from proof.problem import Kind, Problem
from proof.run import RunError, torch_version
from proof.verdict import Verdict, judge
from render.versions import Stop

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True)
class Site:
    """What a build knows of its pages, all by a page's name."""

    pages: Mapping[str, Page] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    errors: Mapping[str, ErrorEntry] = field(default_factory=dict)
    """The catalogue, by the id of the message."""
    torch: str = ""
    """The version of the torch that ran the pages."""

    @property
    def claims(self) -> dict[str, str]:
        """The name of the page on which each claim stands, the first where there are two."""
        return {claim.id: name for name, page in reversed(tuple(self.pages.items())) for claim in page.claims}

    @property
    def error_pages(self) -> dict[str, str]:
        """The name of the page that states each message, the first where there are two."""
        return {entry.id: name for name, page in reversed(tuple(self.pages.items())) for entry in page.errors}


def site_of(env: BuildEnvironment) -> Site:
    """Returns what the current build knows of its pages."""
    return cast(Site, getattr(env, "proof_site", Site()))


def _examples(config: Config, root: Path) -> Path:
    return (root / cast(str, config.proof_examples)).resolve()


def _use_cache(app: Sphinx, config: Config) -> None:
    """Lets MyST-NB find the executed pages where this module puts them."""
    root = Path(app.srcdir)
    parent = Path(app.doctreedir).parent / "cache"
    config.nb_execution_mode = "cache"
    config.nb_execution_cache_path = str(cache_folder(parent, _examples(config, root)))


def _check(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> set[str]:
    """Judges every page and returns those to be read again because their verdict is another one."""
    root = Path(app.srcdir)
    book = read_book(root, (name for name in env.found_docs if env.doc2path(name).suffix == ".md"))
    try:
        folder = Path(app.config.nb_execution_cache_path)
        notebooks = executed(book.pages, folder, _examples(app.config, root))
    except RunError as error:
        raise Stop(str(error)) from error
    before = site_of(env)
    verdicts = {name: judge(page, notebooks.get(name), book.errors) for name, page in book.pages.items()}
    env.proof_site = Site(book.pages, verdicts, book.errors, torch_version())  # type: ignore[attr-defined]
    for name, verdict in verdicts.items():
        _report(name, verdict.problems)
    _stop_at_encoding(verdicts)
    if not any(verdict.problems for verdict in verdicts.values()):
        claims, expected = (sum(getattr(v, what) for v in verdicts.values()) for what in ("claims", "expected"))
        _LOGGER.info(
            "%d pages: %d claims hold, %d errors and warnings came as expected", len(verdicts), claims, expected
        )
    return {name for name, verdict in verdicts.items() if verdict != before.verdicts.get(name)} | _spanning(env, before)


def _spanning(env: BuildEnvironment, before: Site) -> set[str]:
    """The pages that show something of all others, if anything has changed."""
    return cast(set[str], env.domaindata["err"]["tables"]) if site_of(env) != before else set()


def _stop_at_encoding(verdicts: Mapping[str, Verdict]) -> None:
    """Ends the build where a file is not UTF-8, since Sphinx would end in a traceback when it reads it."""
    places = [v.place for v in verdicts.values() if any(p.kind is Kind.ENCODING for p in v.problems)]
    if places:
        raise Stop(f"Sphinx reads only UTF-8, and these files are something else: {', '.join(places)}")


def _report(name: str, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        location = (name, problem.line)
        _LOGGER.warning("%s", problem.message, type="proof", subtype=problem.kind.value, location=location)


def _replace_broken(app: Sphinx, name: str, source: list[str]) -> None:
    """Gives Sphinx a page that only says what is wrong, instead of one on which its parser or a kernel would break."""
    verdict = site_of(app.env).verdicts.get(name)
    if verdict and any(problem.kind in (Kind.UNREADABLE, Kind.NOT_RUN) for problem in verdict.problems):
        source[0] = "# This page is broken\n"


def _fail(app: Sphinx, exception: Exception | None) -> None:
    """A build with a problem fails, whether or not warnings are errors."""
    if exception is None and any(verdict.problems for verdict in site_of(app.env).verdicts.values()):
        app.statuscode = 1


class ShowProblems(SphinxTransform):
    """Shows on the page itself what is wrong with it."""

    default_priority = 400

    def apply(self, **kwargs: object) -> None:
        verdict = site_of(self.env).verdicts.get(self.env.docname)
        if verdict and verdict.problems:
            text = "\n\n".join(map(str, verdict.problems))
            box = nodes.error("", nodes.literal_block(text, text, language="text"))
            title = next(iter(self.document.findall(nodes.title)), None)
            parent = title.parent if title is not None else self.document
            parent.insert(1 if title is not None else 0, box)


def setup_checks(app: Sphinx) -> None:
    app.add_config_value("proof_examples", "../examples", "env", str, "The folder of modules that pages import.")
    app.connect("config-inited", _use_cache)
    app.connect("env-get-outdated", _check)
    app.connect("source-read", _replace_broken)
    app.connect("build-finished", _fail)
    app.add_transform(ShowProblems)
