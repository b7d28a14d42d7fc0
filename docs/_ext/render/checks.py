"""Runs and judges the pages before Sphinx reads them, and reports all that is wrong with them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import ENUM, Config
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from proof.book import Book, read_book
from proof.cache import Cache, CacheError, cache_folder, digest_of, hold
from proof.imports import read_examples
from proof.problem import Kind, Problem
from proof.run import RunError, torch_version
from proof.verdict import Verdict, judge
from record.history import digest_of as past_of
from record.history import history_of
from record.record import RecordError, read_records
from record.state import state_of
from render.progress import Progress
from render.site import Site, site_of
from render.versions import Stop

_FEW = 10
"""From how many pages on another process is worth its start."""

_LOGGER = logging.getLogger(__name__)


def _use_cache(app: Sphinx, config: Config) -> None:
    """Lets MyST-NB find the executed pages where this module puts them."""
    config.nb_execution_mode = "cache"
    config.nb_execution_cache_path = str(cache_folder(Path(app.doctreedir).parent / "cache"))


def _check(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> set[str]:
    """Judges every page and returns those to be read again because something else than their text has changed."""
    before = site_of(env)
    names = (name for name in env.found_docs if env.doc2path(name).suffix == ".md")
    book = read_book(Path(app.srcdir), names, before.pages)
    try:
        site = _recorded(app, book)
        again = {name for name in book.pages if site.past[name] != before.past.get(name)}
        known = before.verdicts_that_hold(site, read=added | changed | again)
        site = _judged(app, site, {name: (verdict, before.digests[name]) for name, verdict in known.items()})
    except (RunError, CacheError, RecordError) as error:
        raise Stop(str(error)) from error
    env.proof_site = site  # type: ignore[attr-defined]
    for name, verdict in site.verdicts.items():
        _report(name, verdict.problems)
    _stop_at_encoding(site.verdicts)
    return {name for name in site.pages if not site.same_page(before, name)}


def _examples(app: Sphinx) -> Path:
    return Path(app.srcdir, cast(str, app.config.proof_examples)).resolve()


def _recorded(app: Sphinx, book: Book) -> Site:
    """Returns what is known of the pages before any is run: what they say, and what other releases did with them."""
    runs = app.config.nb_execution_cache_path
    examples = read_examples(_examples(app))
    states = {name: state_of(page, book.errors, examples) for name, page in book.pages.items()}
    site = Site(book.pages, errors=book.errors, states=states, runs=runs, torch=torch_version())
    history = history_of(read_records(Path(app.srcdir)), states, site.claims, site.error_pages)
    past = {name: past_of(history.lines(page)) for name, page in book.pages.items()}
    return replace(site, past=past, history=history)


def _judged(app: Sphinx, site: Site, known: Mapping[str, tuple[Verdict, str]]) -> Site:
    """Runs the pages that have to be run, and judges all but those whose verdict, and digest, is known."""
    folder = Path(site.runs)
    app.proof_lock = hold(folder)  # type: ignore[attr-defined]
    found, progress = dict(known), Progress(len(site.pages))
    cache = Cache(folder, Path(app.srcdir), _examples(app), app.config.proof_runner)
    left = {name: page for name, page in site.pages.items() if name not in known}
    for name, page in left.items():
        if page.notebook is None or not page.readable:
            found[name] = judge(page, None, site.errors), ""
    for name, notebook in cache.executed(left):
        found[name] = judge(left[name], notebook, site.errors), digest_of(notebook)
        progress.show([verdict for verdict, _ in found.values()])
    progress.close([found[name][0] for name in site.pages])
    verdicts = {name: found[name][0] for name in site.pages}
    return replace(site, verdicts=verdicts, digests={name: found[name][1] for name in site.pages})


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


def _read_few_here(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Reads a few pages in this process: to hand all that is known to another one and back takes longer."""
    if len(names) < _FEW:
        app.parallel = 1


def _finish(app: Sphinx, exception: Exception | None) -> None:
    """Lets the next build at the cache. A build with a problem fails, whether or not warnings are errors."""
    if lock := getattr(app, "proof_lock", None):
        lock.release()
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
    app.add_config_value("proof_runner", "auto", "", ENUM("auto", "fork", "kernel"), "Who runs pages.")
    app.connect("config-inited", _use_cache)
    app.connect("env-get-outdated", _check)
    app.connect("env-before-read-docs", _read_few_here)
    app.connect("source-read", _replace_broken)
    app.connect("build-finished", _finish)
    app.add_transform(ShowProblems)
