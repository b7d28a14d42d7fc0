"""The foot of a page: what it was checked on, since when all of it holds, and what it can be taken along as."""

import re
from collections.abc import Callable
from pathlib import Path

from tiny_site import DOCS, Built, record

from record.outcome import Outcome

HOLDS = dict.fromkeys(("one-letter", "zero-divides-nothing"), Outcome("holds"))
BEFORE = HOLDS | {"one-letter": Outcome("other value", "AssertionError: assert len('a') == 1; 2")}


def foot(built: Built, name: str = "index") -> str:
    """The foot of a page, or nothing."""
    found = re.search(r'<p class="foot">(.*?)</p>', built.html(name))
    return found[1] if found else ""


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def versions(docs: Path) -> None:
    """Gives the site a page with the table of all releases."""
    (docs / "versions.md").write_text("---\norphan: true\n---\n\n# Versions\n\n:::{versions}\n:::\n")


def test_says_what_is_known(build: Callable[..., Built]) -> None:
    """The torch, the claims, that no release was replayed, and the files; a page without cells has none of it."""
    built = build("good")

    assert re.fullmatch(
        r"Checked on torch [\d.]+ · 2 claims · not replayed on other releases since it last changed · "
        r"this page as a notebook, a script, Markdown",
        text(foot(built)),
    )
    assert "claim" not in text(foot(built, "division"))
    assert '<a href="index.ipynb" download>a notebook</a>, <a href="index.py" download>a script</a>' in foot(built)
    assert foot(built, "ledger") == ""


def test_links_lead_somewhere(build: Callable[..., Built]) -> None:
    """The claims lead to those of the page in the ledger, the releases to its row in the table."""
    docs = build("good").source
    versions(docs)
    record(docs, "1.10.2", HOLDS, {"division": Outcome("holds")})

    built = build("good")

    assert '<a href="ledger.html#claims-index">2 claims</a>' in foot(built)
    assert '<a href="versions.html#versions-index">all of it holds on 1.10.2 to 1.10.2</a>' in foot(built)
    assert built.html("ledger").count('id="claims-index"') == 1
    assert built.html("versions").count('id="versions-index"') == 1


def test_follows_the_records(build: Callable[..., Built]) -> None:
    """A new record changes the foot of a page that has not changed itself, to what is true of all of the page."""
    docs = build("good").source
    record(docs, "1.8.1", HOLDS, {"division": Outcome("holds")})
    record(docs, "1.10.2", HOLDS, {"division": Outcome("holds")})
    always = text(foot(build("good")))
    record(docs, "1.8.1", BEFORE, {"division": Outcome("holds")})
    built = build("good")

    assert " · all of it holds on 1.8.1 to 1.10.2 · " in always
    assert " · all of it holds since 1.10.2 · " in text(foot(built))
    assert " · all of it holds on 1.8.1 to 1.10.2 · " in text(foot(built, "division"))


def test_colab_and_the_source_where_their_addresses_are_set(build: Callable[..., Built]) -> None:
    """The site's settings lead to Colab and to the page's source if, and only if, the addresses are filled in."""
    built = build("good")
    plain = built.html("index")
    settings: dict[str, object] = {"__file__": str(DOCS / "conf.py")}
    filled = (DOCS / "conf.py").read_text().replace('repository_url = ""', 'repository_url = "https://github.com/o/n"')
    exec(filled, settings)
    with (built.source / "conf.py").open("a") as conf:
        conf.write(f"html_theme_options = {settings['html_theme_options']!r}\n")
        conf.write("colab_url = 'https://colab.example'\n")

    html = build("good").html("index")

    assert "Colab" not in plain
    assert "/edit/" not in plain
    assert '<a href="https://colab.example/index.ipynb">in Colab</a>' in html
    assert 'href="https://github.com/o/n/edit/main/docs/index.md"' in html


def test_a_page_that_does_not_hold_has_none(build: Callable[..., Built]) -> None:
    """Nobody is told that a page was checked which has failed."""
    docs = build("good").source
    (docs / "index.md").write_text((docs / "index.md").read_text().replace('len("a") == 1', 'len("a") == 2'))

    assert foot(build("good", fail_on_warning=False)) == ""
