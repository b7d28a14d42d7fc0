"""`{release}`: what one torch did otherwise than the one that was recorded before it, from the records alone."""

from collections import defaultdict
from collections.abc import Iterator
from typing import cast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from record.history import Change, changes
from render.errors import error_link
from render.said import claim_link, said
from render.site import Site, site_of


class release(nodes.General, nodes.Element):
    """Where what one release did will stand."""


class ReleaseDirective(SphinxDirective):
    """What became of the claims and messages in one release, against the one recorded before it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        cast(set[str], self.env.domaindata["err"]["tables"]).add(self.env.docname)
        return [release("", torch=self.arguments[0])]


class FillReleases(SphinxPostTransform):
    """Puts in what the records say."""

    default_priority = 5  # before references are resolved

    def run(self, **kwargs: object) -> None:
        site = site_of(self.env)
        for place in list(self.document.findall(release)):
            place.replace_self(list(_release(site, place["torch"], self.env.docname)))


def _release(site: Site, torch: str, docname: str) -> Iterator[nodes.Node]:
    """Yields what a release's page says."""
    record = next((record for record in site.history.records if record.torch == torch), None)
    if record is None:
        yield nodes.paragraph("", f"There is no record of torch {torch}.")
        return
    about = record.about
    words = [outcome.word for outcome in (*record.claims.values(), *record.errors.values())]
    held = f"Of {len(words)} claims and messages {words.count('holds')} held when all pages were replayed."
    where = f"{about['date']}, Python {about['python']}, numpy {about['numpy']}, {about['platform']}"
    yield nodes.paragraph("", f"{held} {where}; installed: {about['installed']}.")
    before = site.history.before(torch)
    if not before:
        yield nodes.paragraph("", "It is the oldest release that was recorded.")
        return
    found = [
        (kind, list(changes(lines, before, torch)))
        for kind, lines in (("claim", site.history.claims), ("message", site.history.errors))
    ]
    if not any(items for _, items in found):
        yield nodes.paragraph("", f"Everything is as in torch {before}.")
    for kind, items in found:
        yield from _changed(site, kind, before, items, docname)


def _changed(site: Site, kind: str, before: str, items: list[Change], docname: str) -> Iterator[nodes.Node]:
    came = [change for change in items if change.before.word == "cannot run" and change.after.word == "holds"]
    other = [change for change in items if change not in came]
    if other:
        yield nodes.rubric("", f"{len(other)} {kind}{'s' if len(other) > 1 else ''} changed since torch {before}")
        pages = site.claims if kind == "claim" else site.error_pages
        groups: dict[str, list[Change]] = defaultdict(list)
        for change in sorted(other, key=lambda change: (pages[change.id], change.id)):
            groups[pages[change.id]].append(change)
        yield nodes.bullet_list("", *(_item(change, kind, docname) for group in groups.values() for change in group))
    if came:
        yield nodes.rubric("", f"{len(came)} {kind}{'s' if len(came) > 1 else ''} could be replayed for the first time")
        yield nodes.bullet_list("", *_lacking(came, kind, docname))


def _item(change: Change, kind: str, docname: str) -> nodes.list_item:
    link = claim_link(change.id, docname) if kind == "claim" else error_link(change.id, change.id)
    link["refdoc"] = docname
    before = nodes.paragraph("", "", nodes.Text("before: "), *said(change.before))
    after = nodes.paragraph("", "", nodes.Text("now: "), *said(change.after))
    return nodes.list_item("", nodes.paragraph("", "", link), before, after, classes=["change"])


def _lacking(came: list[Change], kind: str, docname: str) -> Iterator[nodes.list_item]:
    """Yields what was missing before, each with all that it lets run."""
    groups: dict[str, list[str]] = defaultdict(list)
    for change in came:
        groups[change.before.got.rpartition(": ")[2]].append(change.id)
    for lack in sorted(groups, key=lambda lack: (-len(groups[lack]), lack)):
        line = nodes.paragraph("", "", nodes.literal("", lack), nodes.Text(": "))
        for number, id_ in enumerate(sorted(groups[lack])):
            link = claim_link(id_, docname) if kind == "claim" else error_link(id_, id_)
            link["refdoc"] = docname
            line += [nodes.Text(", ")] * bool(number) + [link]
        yield nodes.list_item("", line)


def setup_releases(app: Sphinx) -> None:
    app.add_directive("release", ReleaseDirective)
    app.add_post_transform(FillReleases)
