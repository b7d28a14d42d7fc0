"""Runs the cells of one page in IPython and keeps what a Jupyter kernel would have sent.

This module is imported in the child process that runs cells, and nowhere else.
"""

import ast
import builtins
import io
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

Output = dict[str, Any]

_EXPLAIN = "__explain_assertion__"
_LONGEST_VALUE = 300


class _Stream(io.TextIOBase):
    """A text stream that appends to the outputs of the running cell, in order with everything else."""

    encoding = "utf-8"

    def __init__(self, name: str, outputs: list[Output]) -> None:
        self.name, self.outputs = name, outputs

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        last = self.outputs[-1] if self.outputs else {}
        if not text:
            return 0
        if last.get("output_type") == "stream" and last["name"] == self.name:
            last["text"] += text
        else:
            self.outputs.append({"output_type": "stream", "name": self.name, "text": text})
        return len(text)


class _Hook(DisplayHook):
    """Keeps the value of a cell's last expression."""

    shell: "PageShell"

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        self.shell.outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": self.prompt_count,
                "data": format_dict,
                "metadata": md_dict or {},
            }
        )


class _Publisher(DisplayPublisher):
    """Keeps what a cell displays."""

    shell: "PageShell"

    def publish(self, data: Any, metadata: Any = None, source: Any = None, **kwargs: Any) -> None:
        self.shell.outputs.append({"output_type": "display_data", "data": data, "metadata": metadata or {}})

    def clear_output(self, wait: bool = False) -> None:
        self.shell.outputs.clear()


class _Compiler(CachingCompiler):
    """Names a cell in tracebacks as a notebook does."""

    def format_code_name(self, name: str) -> tuple[str, str] | None:
        number = name.removeprefix("<ipython-input-").split("-")[0]
        return ("Cell", f"In[{number}]") if number.isdigit() else None


class PageShell(InteractiveShell):
    """An IPython that keeps its outputs as a notebook's cells hold them.

    It is made with `PageShell.instance()`, since IPython's `display` and its tracebacks ask for the one instance.
    """

    def __init__(self) -> None:
        config = Config()
        config.HistoryManager.enabled = False
        self.outputs: list[Output] = []
        super().__init__(  # type: ignore[no-untyped-call]
            config=config,
            displayhook_class=_Hook,
            display_pub_class=_Publisher,
            compiler_class=_Compiler,
            xmode="Plain",
            colors="nocolor",
        )
        self.ast_transformers.append(_ExplainAssertions())
        setattr(builtins, _EXPLAIN, _explain)
        setattr(builtins, "input", _no_input)  # noqa: B010 - a builtin is replaced on purpose

    def run(self, source: str) -> tuple[int, list[Output]]:
        """Runs one cell and returns its execution count and its outputs."""
        self.outputs.clear()
        count = self.execution_count
        with redirect_stdout(_Stream("stdout", self.outputs)), redirect_stderr(_Stream("stderr", self.outputs)):
            self.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        return count, list(self.outputs)

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        self.outputs.append(
            {"output_type": "error", "ename": etype.__name__, "evalue": str(evalue), "traceback": list(stb)}
        )

    def enable_gui(self, gui: str | None = None) -> None:
        pass


def _no_input(*_: object, **__: object) -> str:
    raise StdinNotImplementedError("a page cannot read from the keyboard: it is run when the site is built")


class _ExplainAssertions(ast.NodeTransformer):
    """Gives every assertion without a message one that shows the values it compared."""

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        if node.msg is None:
            parts = ", ".join(f"({ast.unparse(part)!r}, lambda: ({ast.unparse(part)}))" for part in _parts(node.test))
            call = ast.parse(f"{_EXPLAIN}({ast.unparse(node.test)!r}, [{parts}])", mode="eval").body
            for part in ast.walk(call):
                ast.copy_location(part, node)
            node.msg = call
        return node


def _parts(test: ast.expr) -> list[ast.expr]:
    """The expressions whose values say why a test is false; constants say nothing."""
    match test:
        case ast.Compare():
            parts = [test.left, *test.comparators]
        case ast.Call():
            parts = [*test.args, *(keyword.value for keyword in test.keywords)]
            parts += [test.func.value] if isinstance(test.func, ast.Attribute) else []
        case ast.UnaryOp():
            parts = _parts(test.operand)
        case ast.BoolOp():
            parts = [part for value in test.values for part in _parts(value)]
        case _:
            parts = [test]
    return [part for part in parts if not isinstance(part, ast.Constant | ast.Starred)]


def _explain(test: str, parts: list[tuple[str, Callable[[], object]]]) -> str:
    values = []
    for source, value in parts:
        try:
            text = repr(value())
        except Exception as error:  # a part that the test itself never reached
            text = f"({type(error).__name__}: {error})"
        if source not in sys.modules:  # `torch` in `torch.equal(a, b)` is no value
            values.append(f"{source} is {text[:_LONGEST_VALUE]}")
    return "; ".join([test, *values])
