"""The page on which each measurement writes a part of its own."""

import re
from pathlib import Path


def write_part(file: Path, title: str, text: str) -> None:
    """Writes one part of a page, from its heading to the next part's; the other parts stay as they are."""
    head, *parts = re.split(r"^(?=## )", file.read_text("utf-8"), flags=re.MULTILINE)
    texts = {part.partition("\n")[0].removeprefix("## "): part.rstrip() for part in parts}
    texts[title] = f"## {title}\n\n{text.strip()}"
    file.write_text("\n\n".join([head.rstrip(), *texts.values()]) + "\n", "utf-8")
