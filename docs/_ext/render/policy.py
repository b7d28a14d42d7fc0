"""What a page may load: a Content-Security-Policy, in each page, and in `_headers` for hosts that read that file."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

FILE = "_headers"

_POLICY = {
    "default-src": "'self'",
    "script-src": "'self' {scripts}",
    "img-src": "'self' data:",  # the theme's icons stand in its stylesheet
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}


def policy(app: Sphinx) -> str:
    """Returns the policy: everything from the site itself, no inline style, and of inline scripts the theme's alone."""
    script = app.builder.templates.render("theme.js", {})
    scripts = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    return "; ".join(f"{name} {sources}" for name, sources in _POLICY.items()).format(scripts=scripts)


def state_policy(
    app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """States the policy in the head of a page, before anything it speaks of."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(app)}">'
    context["metatags"] = meta + context.get("metatags", "")


def write_headers(app: Sphinx, exception: Exception | None) -> None:
    if exception is None:
        Path(app.outdir, FILE).write_text(f"/*\n  Content-Security-Policy: {policy(app)}\n", "utf-8")
