"""Which examples a page uses, told by a digest: it changes with any of them."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from proof.page import Page


def read_examples(folder: Path) -> dict[str, str]:
    """Returns the text of each example, by the name under which pages import it."""
    return {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}


def imports_of(page: Page, examples: Mapping[str, str]) -> str:
    """Returns the digest of those examples that the page's cells name, and those that these name in turn."""
    texts, found = ["\n".join(cell.source for cell in page.cells)], set[str]()
    while texts:
        words = set(re.findall(r"\w+", texts.pop()))
        new = (words & examples.keys()) - found
        found |= new
        texts += [examples[name] for name in new]
    return hashlib.sha256("\0".join(name + examples[name] for name in sorted(found)).encode()).hexdigest()
