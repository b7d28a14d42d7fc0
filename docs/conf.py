"""Settings of the site; what they switch on lives in `_ext`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "Autograd in Place"
author = "The Autograd in Place authors"
copyright = "2026, the Autograd in Place authors. Text: CC BY 4.0, code: MIT"

extensions = ["myst_nb", "notfound.extension", "render"]
exclude_patterns = ["_*", "constraints.txt"]
primary_domain = "err"  # so that {err}`…` and {claim}`…` need no prefix
nitpicky = True

# The addresses of the site and of its repository; what needs them is left out while they are empty.
html_baseurl = ""
repository_url = ""
torch_docs = "https://docs.pytorch.org/docs/{version}/"  # where names in code lead
colab_url = ""  # of the built notebooks, as in https://colab.research.google.com/github/OWNER/NAME/blob/BRANCH

myst_enable_extensions = ["colon_fence", "deflist"]
smartquotes = False  # a message must stand here as torch prints it, or a search for it finds nothing
myst_heading_anchors = 3
nb_merge_streams = True

redirects: dict[str, str] = {}  # of pages that have moved: "guide/old": "new.html", from the one to the other

notfound_urls_prefix = "/"  # the page of a missing address is served anywhere, so its links start at the site's root

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/icon.svg"
html_theme_options = (
    {"source_repository": repository_url, "source_branch": "main", "source_directory": "docs/"}
    if repository_url
    else {}
)
html_copy_source = False
html_show_sphinx = False
html_use_index = False  # it would hold the words of the glossary, which are in order there
pygments_style = "a11y-light"  # readable at a contrast of 4.5, as the dark one is
pygments_dark_style = "github-dark"
