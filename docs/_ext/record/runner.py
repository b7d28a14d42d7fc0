"""Runs pages under any torch from 1.0 on: one file, the standard library alone, Python 3.6 or later.

It does what `proof.child` and `proof.shell` do where IPython is; `proof.forked` describes its jobs and answers.
Started as `python runner.py NUMBER`, with the number of pages to run at a time; reads jobs from standard input.
"""

import ast
import contextlib
import importlib
import json
import linecache
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import types
import warnings
from typing import Any, BinaryIO, Iterator  # noqa: UP035 - collections.abc has none to subscript in Python 3.6


class Page:
    """A page that is being run, in a process of its own."""

    def __init__(self, job: "dict[str, Any]") -> None:
        reading, writing = os.pipe()
        self.job, self.limit, self.pipe, self.rest = job, int(job["limit"]), reading, b""
        self.said_end = self.closed = False
        self.folder = tempfile.mkdtemp()
        self.deadline = time.monotonic() + self.limit
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(reading)
                os.setsid()
                run_page(job, self.folder, writing)
            finally:
                os._exit(0)  # torch 1.6 can hang where Python ends in the usual way
        os.close(writing)

    def seconds_left(self) -> float:
        return max(0.0, self.deadline - time.monotonic())

    def over(self) -> bool:
        return self.said_end or self.closed or self.seconds_left() == 0.0

    def read(self, answers: BinaryIO) -> None:
        """Hands on the whole lines that have come."""
        chunk = os.read(self.pipe, 1 << 16)
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            answers.write(line + b"\n")
            self.said_end = self.said_end or b'"end":' in line[:200]
        self.closed = not chunk

    def end(self, answers: BinaryIO) -> None:
        """Ends its processes, and says why it ended if it has not said so itself."""
        os.close(self.pipe)
        hung = not self.said_end and not self.closed
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        status = os.waitpid(self.pid, 0)[1]
        shutil.rmtree(self.folder, ignore_errors=True)
        if not self.said_end:
            how = f"signal {status & 127}" if status & 127 else f"code {status >> 8}"
            reason = f"it ran longer than {self.limit} s and was stopped" if hung else f"it ended its process: {how}"
            answers.write(line_of({"page": self.job["page"], "end": reason}))


def main() -> None:
    """Runs every job on standard input."""
    answers = os.fdopen(os.dup(1), "wb", 0)
    os.dup2(2, 1)
    waiting = [json.loads(line) for line in sys.stdin][::-1]
    import_torch()
    running = {}  # type: dict[int, Page]
    while waiting or running:
        while waiting and len(running) < int(sys.argv[1]):
            page = Page(waiting.pop())
            running[page.pipe] = page
        shortest = min(page.seconds_left() for page in running.values())
        for pipe in select.select(list(running), [], [], shortest)[0]:
            running[pipe].read(answers)
        for page in [page for page in running.values() if page.over()]:
            page.end(answers)
            del running[page.pipe]
    os._exit(0)


def import_torch() -> None:
    """Imports torch, and what newer ones import, slowly, when an optimizer is made or a function compiled."""
    import torch

    torch.set_num_threads(1)
    for name in ("torch._dynamo", "torch._inductor.compile_fx"):
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def line_of(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def run_page(job: "dict[str, Any]", folder: str, writing: int) -> None:
    """Runs the cells of a page one after the other."""
    answers = os.fdopen(writing, "wb", 0)
    signal.alarm(job["limit"] + 5)  # ends it where nobody is left who would
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    random.seed(0)
    sys.modules["torch"].manual_seed(0)
    module = types.ModuleType("__main__")
    sys.modules["__main__"], own = module, os.getpid()
    descriptors = [Descriptor(1), Descriptor(2)]
    for number, source in enumerate(job["cells"]):
        outputs = run_cell(source, number + 1, module.__dict__)
        if os.getpid() != own:
            return  # a process that the page has started does not answer for it
        outputs += [output for descriptor in descriptors for output in descriptor.drained()]
        answers.write(line_of({"page": job["page"], "cell": number, "count": number + 1, "outputs": outputs}))
    answers.write(line_of({"page": job["page"], "end": ""}))


class Descriptor:
    """Keeps what is written to a file descriptor, by torch's own C++ too."""

    def __init__(self, number: int) -> None:
        self.number, self.file = number, tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the page
        os.dup2(self.file.fileno(), number)

    def drained(self) -> "list[dict[str, Any]]":
        (sys.stdout if self.number == 1 else sys.stderr).flush()
        self.file.seek(0)
        text = self.file.read(1000000).decode("utf-8", "replace")
        self.file.seek(0)
        self.file.truncate()
        return [stream({1: "stdout", 2: "stderr"}[self.number], text)] if text else []


def stream(name: str, text: str) -> "dict[str, Any]":
    return {"output_type": "stream", "name": name, "text": text}


def run_cell(source: str, count: int, names: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Returns the outputs of one cell, as a notebook holds them."""
    name = f"<ipython-input-{count}-record>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    outputs = []

    def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        if not str(message).startswith("CUDA initialization"):  # a torch for CUDA, where no GPU is
            outputs.append(stream("stderr", f"{filename}:{lineno}: {category.__name__}: {message}\n"))

    warnings.showwarning = show
    try:
        statements = ast.parse(source, name).body
        for node in statements:
            names.pop("__warningregistry__", None)
            if isinstance(node, ast.Expr):
                value = eval(compile(ast.Expression(node.value), name, "eval"), names)
                outputs += [result(value, count)] if value is not None and node is statements[-1] else []
            else:
                exec(compile(module_of(node), name, "exec"), names)
    except BaseException as error:  # what a page raises is what is recorded, SystemExit too
        outputs.append(failure(error, name))
    return outputs


def module_of(node: ast.stmt) -> ast.Module:
    """Returns a module of one statement; from Python 3.8 on a module has one more field."""
    module = ast.parse("")
    module.body = [node]
    return module


def result(value: object, count: int) -> "dict[str, Any]":
    """Returns the value of a cell, as a notebook holds it."""
    data = {"text/plain": repr(value)}
    return {"output_type": "execute_result", "execution_count": count, "data": data, "metadata": {}}


def failure(error: BaseException, name: str) -> "dict[str, Any]":
    """Returns an exception as a notebook holds it, and leaves it where IPython leaves it."""
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    sys.__dict__["last_exc"] = error  # Python 3.12 and later
    frames = [trace for trace in traces_of(error) if trace.tb_frame.f_code.co_filename == name]
    text = str(error)
    if isinstance(error, AssertionError) and not text and frames:
        text = values_of(frames[-1])
    lines = [f"Cell In[1], line {trace.tb_lineno}" for trace in frames[:1]]
    return {"output_type": "error", "ename": type(error).__name__, "evalue": text, "traceback": lines}


def traces_of(error: BaseException) -> "Iterator[types.TracebackType]":
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def values_of(trace: types.TracebackType) -> str:
    """Returns the assertion that failed, and the values it compared."""
    frame = trace.tb_frame
    source = "".join(linecache.getlines(frame.f_code.co_filename))
    asserts = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert))
    found = [node for node in asserts if node.lineno <= trace.tb_lineno]
    if not found:  # torch itself has asserted something
        return ""
    node = max(found, key=lambda node: node.lineno)
    test = " ".join(line.strip() for line in source.splitlines()[node.lineno - 1 : trace.tb_lineno])
    values = []
    for part in parts_of(node.test):
        try:
            code = compile(ast.Expression(part), "", "eval")
            values.append(repr(eval(code, frame.f_globals, frame.f_locals))[:300])
        except Exception as error:  # a part that the test itself never reached
            values.append(f"({type(error).__name__}: {error})")
    return "; ".join([test, *values])


def parts_of(test: ast.expr) -> "list[ast.expr]":
    """The expressions whose values say why a test is false; constants say nothing."""
    if isinstance(test, ast.Compare):
        parts = [test.left, *test.comparators]
    elif isinstance(test, ast.Call):
        parts = [*test.args, *([test.func.value] if isinstance(test.func, ast.Attribute) else [])]
    elif isinstance(test, ast.UnaryOp):
        parts = parts_of(test.operand)
    elif isinstance(test, ast.BoolOp):
        parts = [part for value in test.values for part in parts_of(value)]
    else:
        parts = [test]
    return [part for part in parts if not is_idle(part)]


def is_idle(part: ast.expr) -> bool:
    """Whether a part of a test says nothing: a constant, or `torch` in `torch.equal(a, b)`."""
    try:
        ast.literal_eval(part)
    except Exception:
        return isinstance(part, ast.Starred) or (isinstance(part, ast.Name) and part.id in sys.modules)
    return True


if __name__ == "__main__":
    main()
