"""Every way a page can be wrong ends in a message that tells its author where and what."""

from collections.abc import Callable

import pytest
from tiny_site import ROOTS, Built

MESSAGES = {
    "broken-front-matter": """\
index.md:3: WARNING: the front matter is not YAML: expected the node content, but found '<stream end>' [proof.unreadable]
""",
    "cells-without-format": """\
index.md:3: WARNING: cells run only if the front matter has 'file_format: mystnb' [proof.unreadable]
""",
    "claim-id": """\
index.md:7: WARNING: a claim needs an id of small letters, digits and hyphens, not 'Two Words' [proof.option]
index.md:15: WARNING: a claim needs an id of small letters, digits and hyphens, not '' [proof.option]
""",
    "claim-without-proof": """\
index.md:7: WARNING: claim first: no code cell follows the claim directly, so nothing proves it [proof.no-proof]
index.md:17: WARNING: claim last: no code cell follows the claim directly, so nothing proves it [proof.no-proof]
""",
    "duplicate-claim": """\
other.md:7: WARNING: claim same: the id stands at docs/index.md:7 already [proof.duplicate]
""",
    "duplicate-error": """\
other.md:1: WARNING: error division: the id stands at docs/division.md:1 already [proof.duplicate]
""",
    "empty": """\
nothing.md:1: WARNING: the page is empty: it needs at least a title, '# …' [proof.unreadable]
""",
    "ended-process": """\
index.md:11: WARNING: nowhere: no page states a message with this id, so ':raises:' can't be checked [proof.unknown-id]
index.md:11: WARNING: raises nowhere: it ended its process with code 3 [proof.not-run]
index.md:16: WARNING: cell: not run: a cell before it did not end, because it ended its process with code 3 [proof.not-run]
""",
    "false-claim": """\
index.md:17: WARNING: claim one-and-one: the claim does not hold
    expected: no failed assertion
    got:      AssertionError: total == expected; total is 2; expected is 3 [proof.claim-false]
""",
    "front-matter-list": """\
index.md:2: WARNING: the front matter must be a mapping, not a list [proof.unreadable]
""",
    "incomplete-error": """\
five.md:1: WARNING: 'five': 'says' is no template of its message: the message has no hole 'other', only a, b [proof.front-matter]
four.md:1: WARNING: 'four': 'says' is no template of its message: a hole is written {hole}, {node:op} or {a-b:times}, not {a:times} [proof.front-matter]
one.md:1: WARNING: 'one': 'type' and 'message' are needed, both as text [proof.front-matter]
seven.md:1: WARNING: 'seven': 'says' is no template of its message: {a-b:times} needs holes for digits, and 'a' is for any text [proof.front-matter]
six.md:1: WARNING: 'six': 'says' must be text, not 3 [proof.front-matter]
three.md:1: WARNING: 'error:' has no key 'text' [proof.front-matter]
two.md:1: WARNING: 'two': the message is no template: a hole is written {name}, {name:d} or {name:w}, not {0} [proof.front-matter]
""",
    "nested-claim": """\
index.md:8: WARNING: a {claim} stands at the top level of its page, not inside something else [proof.nested]
""",
    "no-table": """\
index.md:7: WARNING: cell: the cell names a table, and has no value: end it with the list of rows [proof.no-table]
index.md:12: WARNING: cell: the value is no list of dictionaries with text, numbers, True, False or None [proof.no-table]
index.md:17: WARNING: cell: the value is no list of dictionaries, or it is empty [proof.no-table]
index.md:22: WARNING: cell: row 2 has the columns ['b'], and the first row ['a'] [proof.no-table]
index.md:27: WARNING: cell: row 1, column 'a': [1] is neither text nor a number [proof.no-table]
index.md:32: WARNING: a table needs a caption: ':table: What it shows' [proof.option]
""",
    "not-raised": """\
index.md:7: WARNING: raises division: the cell names this error, and nothing was raised
    expected: ZeroDivisionError: {kind} by zero
    got:      no error [proof.not-raised]
""",
    "not-warned": """\
index.md:7: WARNING: warns odd: the cell names the warning 'odd', and none came
    expected: UserWarning: the value {value:d} is odd
    got:      no warning [proof.not-warned]
""",
    "open-front-matter": """\
index.md:1: WARNING: the front matter is not closed: a line with '---' is missing [proof.unreadable]
""",
    "other-error": """\
index.md:10: WARNING: raises division: the cell raised another error than the one it names
    expected: ZeroDivisionError: {kind} by zero
    got:      NameError: name 'undefined' is not defined [proof.other-error]
""",
    "other-warning": """\
index.md:7: WARNING: warns odd: the cell names the warning 'odd', and another one came
    expected: UserWarning: the value {value:d} is odd
    got:      UserWarning: the value is odd [proof.other-warning]
""",
    "proof-asserts-constants": """\
index.md:7: WARNING: claim one-and-one: its proof asserts only what is always true [proof.cannot-fail]
""",
    "proof-asserts-nothing": """\
index.md:7: WARNING: claim one-and-one: its proof asserts nothing that runs [proof.cannot-fail]
""",
    "head": """\
four.md:1: WARNING: 'asked:' must be a list of questions, not ['why', 3] [proof.unreadable]
one.md:3: WARNING: the head of a page has no 'mystnb', only asked, error, file_format, kernelspec, orphan, time_limit [proof.unreadable]
three.md:1: WARNING: 'time_limit:' must be a whole number of seconds from 1 to 600, not 0 [proof.unreadable]
two.md:3: WARNING: 'time_limit' in the head of a page cannot be 'long' [proof.unreadable]
""",
    "torch-source": """\
index.md:3: ERROR: torch.optim.sgd.no_such_function: sgd.py of torch 2.13.0 defines no 'no_such_function' there [docutils]
index.md:6: ERROR: torch.optim.no_such_module.f: no file of torch 2.13.0 has this name [docutils]
index.md:9: ERROR: torch/optim/sgd.py of torch 2.13.0 has no line with 'no such line' there [docutils]
""",
    "unexpected-error": """\
index.md:9: WARNING: cell: the cell raised an error
    expected: no error; an expected one is named with ':raises:'
    got:      ZeroDivisionError: division by zero [proof.unexpected-error]
""",
    "unexpected-warning": """\
index.md:7: WARNING: cell: the cell gave a warning
    expected: no warning; an expected one is named with ':warns:'
    got:      UserWarning: look out [proof.unexpected-warning]
""",
    "unknown-error": """\
index.md:7: WARNING: nowhere: no page states a message with this id, so ':raises:' can't be checked [proof.unknown-id]
""",
    "unknown-option": """\
index.md:7: WARNING: claim one-letter: a claim has no option ':folded:', only ':open:' [proof.option]
index.md:12: WARNING: a code cell has no option ':raise:', only ':raises:', ':table:', ':tags:', ':warns:' [proof.option]
index.md:12: WARNING: 'raises-exception' only permits an error; name it with ':raises:' [proof.option]
index.md:12: WARNING: a code cell has no tag 'hide-me', only hide-cell, hide-input, hide-output, remove-cell, remove-input, remove-output [proof.option]
index.md:8: WARNING: 'claim': Unknown option key: 'folded' (allowed: ['open']) [myst.directive_option]
""",
    "unknown-reference": """\
index.md:3: WARNING: no page states an error message with the id 'nowhere' [ref.err]
index.md:3: WARNING: no page has a claim with the id 'no-such-claim' [ref.claim]
""",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_message(name: str, build: Callable[..., Built]) -> None:
    """The build fails and says exactly this, no more and no less."""
    built = build(name)

    assert built.warnings == MESSAGES[name]
    assert built.status == 1


def test_not_utf_8(build: Callable[..., Built]) -> None:
    """A file in another encoding ends the build, since Sphinx cannot read it, with its place and one line."""
    with pytest.raises(SystemExit, match=r"these files are something else: docs/index\.md"):
        build("not-utf-8")


def test_every_site_is_used() -> None:
    """No tiny site is left over."""
    assert {path.name for path in ROOTS.iterdir() if path.is_dir()} == {*MESSAGES, "not-utf-8", "good"}


def test_problem_fails_without_w(build: Callable[..., Built]) -> None:
    """A false claim fails the build although warnings are no errors, and fails it again when nothing has changed."""
    first = build("false-claim", fail_on_warning=False)
    second = build("false-claim", fail_on_warning=False)

    assert (first.status, second.status) == (1, 1)
    assert second.warnings == first.warnings


def test_problem_shows_on_page(build: Callable[..., Built]) -> None:
    """The page says itself what is wrong with it, and the tick of the false claim is none."""
    html = build("false-claim").html("index")

    assert "claim one-and-one: the claim does not hold" in html
    assert 'class="tick failed"' in html
