"""`nox -s bench -- builds`: how long a build takes, with this site's runner and with what one would otherwise use.

All tools build the same generated pages, in turn, with the same Python and the same torch.
Options: `--sizes 10,40,160,0` (0 for the pages of this site), `--repeats 3,1,1,1` (one number a size),
`--only NAME` to measure one tool beside ours, `--note TEXT` for what else is to be known of the run.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmark.machine import where_and_when
from benchmark.measure import Cost, Failed, measure
from benchmark.pages import SITE
from benchmark.parts import write_part
from benchmark.tools import TOOLS, Tool, write_kernel

TITLE = "How long a build takes"
EXAMPLES = Path("examples").absolute()

Costs = dict[tuple[str, int], list[Cost]]


def main(file: Path, arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmark FILE builds")
    parser.add_argument("--sizes", default="10,40,160,0")
    parser.add_argument("--repeats", default="3,1,1,1")
    parser.add_argument("--only", default="")
    parser.add_argument("--note", default="", help="what else is to be known of the run, such as what else was running")
    options = parser.parse_args(arguments)
    sizes, repeats = ([int(number) for number in text.split(",")] for text in (options.sizes, options.repeats))
    tools = [tool for tool in TOOLS if options.only in tool.name or tool is TOOLS[0]]
    costs, failures = run(tools, dict(zip(sizes, repeats, strict=True)))
    text = report(tools, sizes, costs, failures) + (f"\n{options.note}\n" if options.note else "")
    print(text)
    write_part(file, TITLE, text)


def run(tools: list[Tool], sizes: dict[int, int]) -> tuple[Costs, dict[str, str]]:
    """Measures all tools in turn, so that what else the machine does falls on all alike."""
    costs: Costs = {}
    failures: dict[str, str] = {}
    for size, repeats in sizes.items():
        for _ in range(repeats):
            for tool in tools:
                if tool.name in failures or (size == SITE and not tool.knows_myst):
                    continue
                try:
                    cost = build(tool, size)
                except (Failed, subprocess.CalledProcessError) as error:
                    failures[tool.name] = str(error)
                    print(f"{tool.name}, {size} pages: {error}", file=sys.stderr)
                else:
                    costs.setdefault((tool.name, size), []).append(cost)
                    print(f"{tool.name}, {size} pages: {cost}", file=sys.stderr)
    return costs, failures


def build(tool: Tool, size: int) -> Cost:
    """Measures one clean build."""
    python = tool.python
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_kernel(folder)
        tool.write(folder, size)
        environment = os.environ | {"JUPYTER_PATH": str(folder), "PYTHONPATH": str(EXAMPLES), "OMP_NUM_THREADS": "1"}
        return measure([str(python), *tool.arguments], folder, environment)


def program(code: str) -> Cost:
    """Measures a program of one line, which stays for the moment that a look at its memory takes."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-c", f"{code}; import time; time.sleep(0.5)"]
        cost = measure(command, Path(name), os.environ | {"OMP_NUM_THREADS": "1"})
    return Cost(cost.seconds - 0.5, cost.megabytes, 0.0)


def report(tools: list[Tool], sizes: list[int], costs: Costs, failures: dict[str, str]) -> str:
    """Returns the part of the page: a table for each number of pages, the cost of one page more, and the machine."""
    lines = [_HEAD]
    for size in sizes:
        lines.append(f"### {size} generated pages\n" if size != SITE else "### The pages of this site\n")
        lines += ["| built with | seconds | times this site | memory, MB | of it to run cells |"]
        lines += ["| --- | --: | --: | --: | --: |"]
        ours = _median(costs, TOOLS[0].name, size)
        for tool in tools:
            if found := costs.get((tool.name, size)):
                seconds = _median(costs, tool.name, size)
                memory, cells = max(cost.megabytes for cost in found), max(cost.started for cost in found)
                lines.append(f"| {tool.name} | {seconds:.1f} | {seconds / ours:.1f} | {memory:.0f} | {cells:.0f} |")
        lines.append("")
    if len(sizes) > 1:
        lines += _added(tools, sizes, costs)
    one, compiled = program("import torch"), program(_COMPILED).megabytes
    lines.append(f"One import of torch takes {one.seconds:.1f} s and {one.megabytes:.0f} MB here.")
    lines.append(f"A program that compiles one function, as some of this site's pages do, takes {compiled:.0f} MB.\n")
    lines += [f"{name} could not be measured: {text.strip().splitlines()[-1]}\n" for name, text in failures.items()]
    return "\n".join([*lines, "### Where and when\n", where_and_when("torch", "sphinx", "myst-nb", "ipython")])


def _added(tools: list[Tool], sizes: list[int], costs: Costs) -> list[str]:
    lines = ["### One page more\n", "| built with | seconds a page |", "| --- | --: |"]
    for tool in tools:
        measured = [size for size in sizes if size != SITE and (tool.name, size) in costs]
        if len(measured) > 1:
            first, last = measured[0], measured[-1]
            added = (_median(costs, tool.name, last) - _median(costs, tool.name, first)) / (last - first)
            lines.append(f"| {tool.name} | {added:.2f} |")
    return [*lines, ""]


def _median(costs: Costs, name: str, size: int) -> float:
    return statistics.median(cost.seconds for cost in costs[name, size])


_COMPILED = "import torch; torch.compile(torch.sin, backend='aot_eager')(torch.ones(1, requires_grad=True)).backward()"

_HEAD = """\
`python3 -m nox -s bench -- builds` wrote this part: a record of one run on one machine.
All tools built the same generated pages of six cells, each build from nothing.
They took turns, with the same Python and the same torch.
Seconds are medians; memory is the most that all processes of a build had at a time, what they share counted once.
"""
