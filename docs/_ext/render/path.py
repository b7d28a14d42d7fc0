"""`{path}`: a table of contents as the way through it, with what each page says of itself beside its title."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from render.places import Place, PlaceOfPages, page_link
from render.summaries import summaries_of


class path(Place):
    """Where the way will stand."""

    def shows(self, env: BuildEnvironment) -> object:
        return [
            (name, env.titles[name].astext(), summaries_of(env)[name].opening.astext()) for name in self._pages(env)
        ]

    def parts(self, env: BuildEnvironment) -> list[nodes.Node]:
        steps = [self._step(env, name) for name in self._pages(env)]
        numbered = {"enumtype": "arabic", "prefix": "", "suffix": "."}
        return [nodes.enumerated_list("", *steps, **numbered, classes=["path"])]

    def _pages(self, env: BuildEnvironment) -> list[str]:
        return [name for name in self["pages"] if name in summaries_of(env)]

    def _step(self, env: BuildEnvironment, name: str) -> nodes.list_item:
        says = summaries_of(env)[name].opening.deepcopy()
        return nodes.list_item("", nodes.paragraph("", "", page_link(env, name), nodes.Text(" "), says))


class PathDirective(PlaceOfPages):
    """A table of contents as a way."""

    place = path


def setup_path(app: Sphinx) -> None:
    app.add_directive("path", PathDirective)
