"""What the site changes of its theme: one stylesheet, and a policy, on each page of any site with it."""

import re
from collections.abc import Callable

from tiny_site import Built

PARTS = {
    "furo": "--sidebar-",
    "MyST-NB": "--mystnb-",
    "the colours of code in the dark": 'body[data-theme="dark"] .highlight',
    "the theme's colours": "--color-code-background: #",
}
"""Words of each stylesheet that is joined."""


def test_one_stylesheet(build: Callable[..., Built]) -> None:
    """All styles stand in one file; the others are not published, and a page that changes still has it."""
    built = build("good")
    page = next(built.source.glob("*.md"))
    page.write_text(page.read_text("utf-8") + "\nMore text.\n", "utf-8")
    built = build("good")
    style = (built.out / "_static" / "style.css").read_text("utf-8")

    assert [name for name, words in PARTS.items() if words not in style] == []
    assert [path.name for path in built.out.rglob("*.css")] == ["style.css"]
    for path in built.out.glob("*.html"):
        linked = re.findall(r'<link rel="stylesheet"[^>]* href="([^"?]+)', path.read_text("utf-8"))
        assert linked == ["_static/style.css"], path.name


def test_scripts(build: Callable[..., Built]) -> None:
    """What only the search needs is loaded by its page alone."""
    built = build("good")
    loading = {path.stem for path in built.out.glob("*.html") if "doctools.js" in path.read_text("utf-8")}

    assert loading == {"search"}


def test_plain_code_has_no_elements(build: Callable[..., Built]) -> None:
    """What both styles write as they write all text has no element of its own, and what one of them colours has one."""
    built = build("good")
    page, settings = built.source / "division.md", built.source / "conf.py"
    page.write_text(f"{page.read_text('utf-8')}\n```python\nif x: (y + 1)\n```\n", "utf-8")
    before = set(re.findall(r'<span class="(\w+)">', build("good").html("division")))
    styles = "pygments_style, pygments_dark_style = 'a11y-light', 'github-dark'\n"
    settings.write_text(settings.read_text("utf-8") + styles, "utf-8")
    after = set(re.findall(r'<span class="(\w+)">', build("good").html("division")))

    assert before - after == {"n", "p"}
    assert {"k", "o", "mi"} <= after
