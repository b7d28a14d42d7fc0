"""`python -m names.links build/html` holds the site's links into PyTorch's documentation against its inventory.

That is a file which Sphinx publishes with each documentation, so this needs the network. A page must be there, and on
it the name to which a link leads; which sections a page has no inventory tells.
"""

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import requests
from sphinx.util.inventory import InventoryFile

_LINK = re.compile(r'href="((https?://[^"/]+/docs/[\w.]+/)([\w./-]+\.html)(?:#([^"]*))?)"')
_TIMEOUT = 60  # seconds


def main() -> int:
    """Reports links that lead nowhere; returns 1 if there are any."""
    parser = argparse.ArgumentParser(prog="names.links")
    parser.add_argument("html", type=Path, help="the folder of the built site")
    parser.add_argument("--docs", default="https://docs.pytorch.org/docs/", help="the address of all documentations")
    arguments = parser.parse_args()
    found = _links(arguments.html, arguments.docs)
    if not found:
        sys.exit(f"no page in {arguments.html} has a link that begins with {arguments.docs}: is it built?")
    wrong = [line for base, links in sorted(found.items()) for line in _wrong(base, links)]
    print("\n".join(wrong) or f"{sum(map(len, found.values()))} links into {', '.join(sorted(found))}: all are there")
    return 1 if wrong else 0


def _links(html: Path, docs: str) -> dict[str, dict[str, str]]:
    """Returns by documentation each link into it, and the first page that has it."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for file in sorted(html.rglob("*.html")):
        for match in _LINK.finditer(file.read_text("utf-8")):
            if match[2].startswith(docs):
                found[match[2]].setdefault(match[1], file.relative_to(html).as_posix())
    return found


def _wrong(base: str, links: dict[str, str]) -> Iterator[str]:
    answer = requests.get(f"{base}objects.inv", timeout=_TIMEOUT)
    answer.raise_for_status()
    inventory = InventoryFile.loads(answer.content, uri=base.rstrip("/"))
    there = {item.uri for kind in inventory.data.values() for item in kind.values()}
    pages = {uri.partition("#")[0] for uri in there}
    for link, where in sorted(links.items()):
        page, _, anchor = link.partition("#")
        if page not in pages:
            yield f"{where}: {link}: there is no such page"
        elif anchor.startswith("torch.") and link not in there:
            yield f"{where}: {link}: the page has no such name"


if __name__ == "__main__":
    sys.exit(main())
