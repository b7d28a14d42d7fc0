"""How long it takes to build executed pages: with this site's runner, and with what one would otherwise use.

`nox -s bench` runs it. All tools build the same generated pages, in turn, with the same Python and the same torch.
"""
