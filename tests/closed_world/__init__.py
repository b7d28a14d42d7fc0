"""The messages of the installed torch, taken out of it, and whether the catalogue has them."""
