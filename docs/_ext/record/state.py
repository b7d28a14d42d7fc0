"""What of a page a record speaks of: its cells, what they expect, and the examples they import."""

import hashlib
import json
from collections.abc import Mapping

from proof.front_matter import ErrorEntry
from proof.imports import imports_of
from proof.page import Page


def state_of(page: Page, errors: Mapping[str, ErrorEntry], examples: Mapping[str, str]) -> str:
    """Returns a digest that changes with the page's cells and expectations, and not with its prose."""
    ids = {id_ for cell in page.cells for id_ in (cell.raises, *cell.warns) if id_ in errors}
    expected = {id_: str(errors[id_].message) for id_ in ids}
    cells = [(cell.claim.id if cell.claim else "", cell.raises, cell.warns, cell.source) for cell in page.cells]
    state = json.dumps([cells, expected, imports_of(page, examples)], sort_keys=True)
    return hashlib.sha256(state.encode()).hexdigest()[:12]
