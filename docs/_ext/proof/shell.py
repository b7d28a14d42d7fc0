"""Runs the cells of one page in IPython and keeps what a Jupyter kernel would have sent.

This module is imported in the process that runs a page, and nowhere else.
"""

import builtins
import io
import os
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from typing import IO, Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from proof.explain import explain_assertions

Output = dict[str, Any]

MOST_OUTPUT = 1_000_000
"""How many characters a cell may print to each stream."""


class _Stream(io.TextIOBase):
    """A text stream that appends to the outputs of the running cell, in order with everything else."""

    encoding = "utf-8"

    def __init__(self, name: str, outputs: list[Output]) -> None:
        self.name, self.outputs = name, outputs
        self.left = MOST_OUTPUT

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text and self.left >= 0:
            kept = text[: self.left]
            self.left -= len(text)
            self._parts().append(
                kept if self.left >= 0 else f"{kept}\n[cut: a cell may print {MOST_OUTPUT:,} characters]\n"
            )
        return len(text)

    def _parts(self) -> list[str]:
        """The parts of the text that is being written, which begins anew when something else came between."""
        last = self.outputs[-1] if self.outputs else {}
        if last.get("name") != self.name:
            self.outputs.append({"output_type": "stream", "name": self.name, "text": []})
        parts: list[str] = self.outputs[-1]["text"]
        return parts


class _Descriptor:
    """Keeps what is written to a file descriptor past Python, by a library in C++ say."""

    def __init__(self, number: int) -> None:
        self.file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the page
        os.dup2(self.file.fileno(), number)

    def drain(self, stream: _Stream) -> None:
        """Hands what has been written to `stream`, and begins anew."""
        self.file.seek(0)
        stream.write(self.file.read(MOST_OUTPUT + 1).decode("utf-8", "replace"))
        self.file.seek(0)
        self.file.truncate()


class _Hook(DisplayHook):
    """Keeps the value of a cell's last expression."""

    shell: "PageShell"

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        output = {"output_type": "execute_result", "execution_count": self.prompt_count}
        self.shell.outputs.append(output | {"data": format_dict, "metadata": md_dict or {}})


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
        )
        prepare(self)
        self.descriptors = _Descriptor(1), _Descriptor(2)

    def run(self, source: str) -> tuple[int, list[Output]]:
        """Runs one cell and returns its execution count and its outputs."""
        self.outputs.clear()
        count = self.execution_count
        streams = _Stream("stdout", self.outputs), _Stream("stderr", self.outputs)
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            self.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        for descriptor, stream in zip(self.descriptors, streams, strict=True):
            descriptor.drain(stream)
        return count, [self._joined(output) for output in self.outputs]

    def _joined(self, output: Output) -> Output:
        return output | {"text": "".join(output["text"])} if output["output_type"] == "stream" else output

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException, stb: list[str]) -> None:
        error = {"output_type": "error", "ename": etype.__name__, "evalue": str(evalue), "traceback": list(stb)}
        self.outputs.append(error)

    def enable_gui(self, gui: str | None = None) -> None:
        pass


def prepare(shell: InteractiveShell) -> None:
    """Makes any IPython, a Jupyter kernel's too, run cells as pages need it: the same text, whoever runs them."""
    shell.InteractiveTB.set_mode("Plain")
    shell.colors = "nocolor"
    explain_assertions(shell)
    setattr(builtins, "input", no_input)  # noqa: B010 - a builtin is replaced on purpose


def no_input(*_: object, **__: object) -> str:
    """Stands in for `input`."""
    raise StdinNotImplementedError("a page cannot read from the keyboard: it is run when the site is built")
