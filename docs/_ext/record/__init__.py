"""What each torch really did: pages are replayed under another release, and what came of it is kept.

Nothing here imports torch or Sphinx; `runner` is copied into the environment of the other release and runs there.
"""
