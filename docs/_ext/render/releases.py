"""`{release}`: what one torch did otherwise than the one that was recorded before it, from the records alone."""

import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from record.history import Change, changes
from record.record import FOLDER, Record
from render.errors import error_link
from render.places import Place, put
from render.said import claim_link, said
from render.site import Site, site_of


class release(Place):
    """Where what one release did will stand."""

    def shows(self, env: BuildEnvironment) -> object:
        site, torch = site_of(env), self["torch"]
        record, before = _record(site, torch), site.history.before(torch)
        kinds = _changed(site, before, torch)
        titles = {env.titles[pages[change.id]].astext() for _, pages, items in kinds for change in items}
        return record and (dict(record.about), before, kinds, sorted(titles))

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        return list(_release(env, self["torch"]))


class ReleaseDirective(SphinxDirective):
    """What became of the claims and messages in one release, against the one recorded before it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return put(self.env, release("", torch=self.arguments[0]))


def _record(site: Site, torch: str) -> Record | None:
    return next((record for record in site.history.records if record.torch == torch), None)


def _changed(site: Site, before: str, torch: str) -> list[tuple[str, Mapping[str, str], list[Change]]]:
    """What changed since the release recorded before, of each kind, with the page on which each of the kind stands."""
    kinds = (("claim", site.history.claims, site.claims), ("message", site.history.errors, site.error_pages))
    return [(kind, pages, list(changes(lines, before, torch)) if before else []) for kind, lines, pages in kinds]


def _release(env: BuildEnvironment, torch: str) -> Iterator[nodes.Node]:
    """Yields what a release's page says."""
    site = site_of(env)
    record = _record(site, torch)
    if record is None:
        yield nodes.paragraph("", f"There is no record of torch {torch}.")
        return
    about = record.about
    words = [outcome.word for outcome in (*record.claims.values(), *record.errors.values())]
    held = f"Of {len(words)} claims and messages {words.count('holds')} held when all pages were replayed."
    where = f"{about['date']}, Python {about['python']}, numpy {about['numpy']}, {about['platform']}"
    file = f"{env.docname.rpartition('/')[2]}.json"
    link = nodes.reference("", "", nodes.literal("", file), internal=True, refuri=file)
    yield nodes.paragraph("", f"{held} {where}; installed: {_installed(about['installed'])}. The record: ", link)
    before = site.history.before(torch)
    if not before:
        yield nodes.paragraph("", "It is the oldest release that was recorded.")
        return
    found = _changed(site, before, torch)
    if not any(items for _, _, items in found):
        yield nodes.paragraph("", f"Everything is as in torch {before}.")
    for kind, pages, items in found:
        yield from _Changes(kind, pages, env).parts(before, items)


def _installed(how: str) -> str:
    """What was installed, without the names of a dozen libraries."""
    what, stand_ins, _ = how.partition("stand-ins for")
    return what + (f"{stand_ins} NVIDIA's libraries" if stand_ins else "")


class _Changes:
    """What changed in one kind of things, claims or messages, as parts of a page."""

    def __init__(self, kind: str, pages: Mapping[str, str], env: BuildEnvironment) -> None:
        self.kind, self.pages, self.env = kind, pages, env

    def parts(self, before: str, items: list[Change]) -> Iterator[nodes.Node]:
        """Yields what became of things otherwise, by page; then what could be replayed for the first time."""
        came = [change for change in items if change.before.word == "cannot run" and change.after.word == "holds"]
        other = [change for change in items if change not in came]
        if other:
            yield nodes.rubric("", f"{self._number(other)} changed since torch {before}")
            groups: dict[str, list[Change]] = defaultdict(list)
            for change in sorted(other, key=lambda change: (self.pages[change.id], change.id)):
                groups[self.pages[change.id]].append(change)
            yield nodes.bullet_list("", *(self._page(name, group) for name, group in groups.items()))
        if came:
            yield nodes.rubric("", f"{self._number(came)} could be replayed for the first time")
            yield nodes.bullet_list("", *self._lacking(came))

    def _number(self, items: list[Change]) -> str:
        return f"{len(items)} {self.kind}{'s' if len(items) > 1 else ''}"

    def _page(self, name: str, group: list[Change]) -> nodes.list_item:
        title = nodes.paragraph("", "", nodes.strong("", self.env.titles[name].astext()))
        return nodes.list_item("", title, nodes.bullet_list("", *map(self._item, group)))

    def _item(self, change: Change) -> nodes.list_item:
        before = nodes.paragraph("", "", nodes.Text("before: "), *said(change.before))
        after = nodes.paragraph("", "", nodes.Text("now: "), *said(change.after))
        return nodes.list_item("", nodes.paragraph("", "", self._link(change.id)), before, after, classes=["change"])

    def _link(self, id_: str) -> nodes.Element:
        link = error_link(id_, id_) if self.kind == "message" else claim_link(id_)
        link["refdoc"] = self.env.docname
        return link

    def _lacking(self, came: list[Change]) -> Iterator[nodes.list_item]:
        """Yields what was missing before, each with all that it lets run."""
        groups: dict[str, list[str]] = defaultdict(list)
        for change in came:
            groups[change.before.got].append(change.id)
        for lack in sorted(groups, key=lambda lack: (-len(groups[lack]), lack)):
            line = nodes.paragraph("", "", nodes.literal("", lack), nodes.Text(": "))
            for number, id_ in enumerate(sorted(groups[lack])):
                line += [nodes.Text(", ")] * bool(number) + [self._link(id_)]
            yield nodes.list_item("", line)


def _publish(app: Sphinx, exception: Exception | None) -> None:
    """Puts each record beside its page, for programs."""
    if exception is None and isinstance(app.builder, StandaloneHTMLBuilder):
        for path in Path(app.srcdir, FOLDER).glob("torch-*.json"):
            Path(app.outdir, FOLDER).mkdir(exist_ok=True)
            shutil.copy(path, Path(app.outdir, FOLDER))


def setup_releases(app: Sphinx) -> None:
    app.connect("build-finished", _publish)
    app.add_directive("release", ReleaseDirective)
