"""Places on a page that are filled from other pages or from the records, when the page is written.

Such a page is written anew when what its places show has changed, and only then. Sphinx would have to be told for each
change which pages it reaches; here each place says what it shows.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import ClassVar, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.directives.other import TocTree
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform

from render.data import data_of
from render.later import leaves_rest, left_by_the_last


class Place(nodes.General, nodes.Element):
    """A place to be filled."""

    def shows(self, env: BuildEnvironment) -> object:
        """Returns what it shows: something whose `repr` changes with it."""
        raise NotImplementedError

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        """Returns what stands there in the end, on the page that is written now."""
        raise NotImplementedError


def put(env: BuildEnvironment, place: Place) -> list[nodes.Node]:
    """Returns what a directive gives that puts a place on the page being read."""
    data_of(env)["places"].setdefault(env.docname, []).append(place.copy())  # one that is in no document
    return [place]


class PlaceOfPages(TocTree):
    """A hidden `toctree`, with its options, and in its place one that is filled from its pages."""

    place: ClassVar[type[Place]]
    """What kind of place; it has the names of the pages, in their order."""

    def run(self) -> list[nodes.Node]:
        self.options["hidden"] = None
        wrapper, *others = super().run()
        pages = [name for toctree in wrapper.findall(addnodes.toctree) for _, name in toctree["entries"]]
        return [wrapper, *others, *put(self.env, self.place("", pages=pages))]


def page_with(env: BuildEnvironment, fits: Callable[[Place], bool]) -> str | None:
    """Returns the name of the first page with a place that fits."""
    places = sorted(cast(dict[str, list[Place]], data_of(env)["places"]).items())
    return next((name for name, found in places if any(map(fits, found))), None)


def page_link(env: BuildEnvironment, name: str, anchor: str = "") -> nodes.reference:
    """Returns a link to a page, with its title, from the page that is written now."""
    uri = env._app.builder.get_relative_uri(env.docname, name) + (f"#{anchor}" if anchor else "")
    return nodes.reference("", env.titles[name].astext(), internal=True, refuri=uri)


class FillPlaces(SphinxPostTransform):
    """Puts in what the places of a page show."""

    default_priority = 5  # before references are resolved: the parts hold some

    def run(self, **kwargs: object) -> None:
        for place in list(self.document.findall(Place)):
            parts = place.parts(self.env)
            for part in parts:
                for table in part.findall(nodes.table):
                    self.document.note_implicit_target(table)  # Sphinx wants to be able to number it
            place.replace_self(parts)


def _to_be_written(app: Sphinx, env: BuildEnvironment) -> Iterator[str]:
    """Yields the pages whose places show something else than when they were written."""
    if leaves_rest(app):
        return
    yield from left_by_the_last(env)
    data = data_of(env)
    for name, places in cast(dict[str, list[Place]], data["places"]).items():
        shown = hashlib.sha256(repr([place.shows(env) for place in places]).encode()).hexdigest()
        if data["shown"].get(name) != shown:
            data["shown"][name] = shown
            yield name


def setup_places(app: Sphinx) -> None:
    app.connect("env-updated", _to_be_written)
    app.add_post_transform(FillPlaces)
