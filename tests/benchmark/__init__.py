"""How long a build takes and how heavy a page is, beside other tools.

`nox -s bench -- builds` and `nox -s bench -- views` measure; each writes its own part of one page.
"""
