"""`asked:` in a page's head: what people ask, shown at the page's foot, so that a search for their words finds it."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from render.site import site_of

CLASS, LABEL = "asked", "Also asked as:"


class ShowQuestions(SphinxTransform):
    """Puts the questions at the end of the page."""

    default_priority = 420

    def apply(self, **kwargs: object) -> None:
        page = site_of(self.env).pages.get(self.env.docname)
        section = next(iter(self.document.findall(nodes.section)), None)
        if page and page.asked and section is not None:
            questions = ", ".join(f"“{question}”" for question in page.asked)
            section += nodes.paragraph("", f"{LABEL} {questions}.", classes=[CLASS])


def setup_asked(app: Sphinx) -> None:
    app.add_transform(ShowQuestions)
