"""Which examples a page uses, told by a digest: it changes with any of them."""

import hashlib
import re
from pathlib import Path

from proof.page import Page


def imports_of(page: Page, folder: Path) -> str:
    """Returns the digest of the examples in `folder` that the page's cells name, and those that these name in turn."""
    examples = {path.stem: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}
    texts, found = ["\n".join(cell.source for cell in page.cells)], set[str]()
    while texts:
        words = set(re.findall(r"\w+", texts.pop()))
        new = (words & examples.keys()) - found
        found |= new
        texts += [examples[name] for name in new]
    return hashlib.sha256("\0".join(name + examples[name] for name in sorted(found)).encode()).hexdigest()
