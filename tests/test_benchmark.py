"""The page of measurements: each part is written by its own command."""

from pathlib import Path

import pytest
from benchmark.parts import write_part

BEFORE = "# Performance\n\nWhat this page is.\n\n## Builds\n\nOld.\n\n### 10 pages\n\n| 1 |\n\n## Views\n\nOther.\n"


@pytest.mark.parametrize(
    ("title", "after"),
    [
        ("Builds", "# Performance\n\nWhat this page is.\n\n## Builds\n\nNew.\n\n### 5\n\n## Views\n\nOther.\n"),
        ("Views", BEFORE.replace("Other.", "New.\n\n### 5")),
        ("Saves", f"{BEFORE}\n## Saves\n\nNew.\n\n### 5\n"),
    ],
    ids=["first", "last", "new"],
)
def test_write_part(tmp_path: Path, title: str, after: str) -> None:
    """A part is replaced from its heading to the next part's, or added at the end."""
    page = tmp_path / "performance.md"
    page.write_text(BEFORE)
    write_part(page, title, "New.\n\n### 5\n")

    assert page.read_text() == after
