"""The picture that another site shows beside a link to a page: its title, and the torch it was checked on.

Pillow brings its font along, so that they are the same on every machine. sphinxext-opengraph draws such pictures with
matplotlib, which would be the largest dependency after torch.
"""

from pathlib import Path
from textwrap import wrap

from PIL import Image, ImageDraw, ImageFont
from sphinx.application import Sphinx

from render.site import site_of

FOLDER = "_cards"
_SIZE, _MARGIN = (1200, 630), 80
_PAPER, _INK, _QUIET, _MARK = "#ffffff", "#1a1a1a", "#5a5c63", "#0a4bff"
_LETTERS, _LINES = 34, 5
"""How many letters a line of the title has, and how many lines there is room for."""


def card_of(app: Sphinx, name: str, title: str) -> str:
    """Draws the picture of a page and returns its path in the site."""
    path = Path(FOLDER, f"{name}.png")
    target = Path(app.outdir, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    picture(title, app.config.project, f"checked on torch {site_of(app.env).torch}").save(target, optimize=True)
    return path.as_posix()


def picture(title: str, project: str, foot: str) -> Image.Image:
    """Returns the picture."""
    image = Image.new("RGB", _SIZE, _PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 16, _SIZE[1]), fill=_MARK)
    lines = wrap(title, _LETTERS, max_lines=_LINES, placeholder="…")
    draw.text((_MARGIN, 60), project, fill=_MARK, font=ImageFont.load_default(40))
    draw.multiline_text((_MARGIN, 150), "\n".join(lines), fill=_INK, font=ImageFont.load_default(64), spacing=14)
    draw.text((_MARGIN, 545), foot, fill=_QUIET, font=ImageFont.load_default(34))
    return image.quantize(32)
