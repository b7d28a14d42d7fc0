"""The settings that every tiny site of these tests is built with."""

project = "Tiny"
extensions = ["myst_nb", "render"]
primary_domain = "err"
nitpicky = True
myst_enable_extensions = ["colon_fence"]
nb_merge_streams = True
html_theme = "furo"
