"""How long a build takes and how heavy a page is, beside other tools; how long until a save is shown.

`nox -s bench -- builds`, `-- views` and `-- saves` measure; each writes its own part of one page.
"""
