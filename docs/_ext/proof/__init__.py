"""Reads, runs and judges pages.

Data flows one way: a page is read as cells with expectations (`page`, `book`), its cells are run (`run`),
and the executed notebook is compared with the expectations (`verdict`).
Nothing here imports Sphinx, and nothing outside the child process that runs cells (`child`) imports torch.
"""
