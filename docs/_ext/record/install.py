"""An environment for one release of torch, without a GPU and without NVIDIA's libraries."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

from record.stubs import NoTools, add_stubs

PYTHONS = (("2.1", "3.11"), ("1.11", "3.10"), ("1.8", "3.9"), ("1.4", "3.8"), ("1.0", "3.7"))
"""From which torch on which Python: the newest for which there is a wheel and on which all of that torch works."""

NIGHTLY = "nightly"
"""What will be the next release, as PyTorch publishes it each night."""

NIGHTLY_INDEX = "TORCH_NIGHTLY_INDEX"
"""The variable that says in which index of packages; pytorch.org names it where it tells how to install one."""

_NOT_FOUND = "No matching distribution"


class InstallError(Exception):
    """This torch cannot be installed here; the text says why and what to do."""


@dataclass(frozen=True)
class Installed:
    """A torch in an environment of its own."""

    python: Path
    how: str
    """What was installed, in words."""


def install(release: str, folder: Path) -> Installed:
    """Makes an environment in `folder` for `release`, or for "nightly". Raises InstallError."""
    interpreter = find_python(python_for(release))
    shutil.rmtree(folder, ignore_errors=True)
    _call([interpreter, "-m", "venv", folder], f"{interpreter} cannot make an environment")
    python = folder / "bin" / "python"
    if release == NIGHTLY:
        return _install_nightly(python)
    _pip(python, "--no-deps", f"torch=={release}")
    package = _package(python)
    needed, cuda = list(_needed(package)), _cuda_of(package)
    numpy = "numpy" if Version(release) >= Version("2.3") else "numpy<2"
    _pip(python, numpy, *needed)
    how = [f"torch's wheel for {f'CUDA {cuda}' if cuda else 'the CPU'}", numpy]
    return Installed(python, ", ".join(how + (_without_cuda(python, package, cuda) if cuda else [])))


def _install_nightly(python: Path) -> Installed:
    index = os.environ.get(NIGHTLY_INDEX)
    if not index:
        raise InstallError(f"set {NIGHTLY_INDEX} to the index for CPUs that pytorch.org names for its nightly")
    _pip(python, "--pre", "--index-url", index, "torch")
    _pip(python, "numpy")
    return Installed(python, "torch's nightly wheel for the CPU, numpy")


def python_for(release: str) -> str:
    """Returns which Python a release is replayed on. Raises InstallError."""
    if release == NIGHTLY:
        return PYTHONS[0][1]
    if not re.fullmatch(r"\d+\.\d+\.\d+", release):
        raise InstallError(f"{release!r} is no release: write all three numbers, as in 1.8.1, or {NIGHTLY}")
    found = (python for since, python in PYTHONS if Version(release) >= Version(since))
    if python := next(found, None):
        return python
    raise InstallError(f"torch {release} has no wheel that still installs; the oldest is 1.0.0")


def find_python(version: str) -> Path:
    """Returns an interpreter of that version, from the path or from pyenv. Raises InstallError."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [*sorted(root.glob(f"versions/{version}.*/bin/python")), shutil.which(f"python{version}")]
    for candidate in candidates:
        if candidate and _says_its_version(Path(candidate), version):
            return Path(candidate)
    text = f"Python {version} is needed, and neither python{version} is on the path nor {root}/versions/{version}.*"
    raise InstallError(f"{text} is there: install it, with 'pyenv install {version}' say")


def _says_its_version(python: Path, version: str) -> bool:
    """Whether it runs at all: pyenv puts names on the path that only say that nothing is installed."""
    done = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.startswith(f"Python {version}.")


def _pip(python: Path, *arguments: str) -> None:
    command: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        "--no-cache-dir",
        *arguments,
    ]
    _call(command, f"pip install {' '.join(arguments)} failed")


def _call(command: list[str | Path], what: str) -> str:
    """Runs a command and returns what it printed. Raises InstallError with its last lines."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        found = [line for line in lines if _NOT_FOUND in line] or lines[-5:]
        raise InstallError("\n".join([f"{what}:", *found]))
    return done.stdout


def _package(python: Path) -> Path:
    """The folder of the installed torch, which cannot be imported yet."""
    (found,) = python.parents[1].glob("lib/python*/site-packages/torch")
    return found


def _needed(package: Path) -> Iterator[str]:
    """What this torch requires besides the libraries for a GPU; old releases do not say that they use the first two."""
    yield "typing_extensions"
    yield "setuptools"
    (metadata,) = package.parent.glob("torch-*.dist-info/METADATA")
    for line in metadata.read_text("utf-8").split("\n\n")[0].splitlines():
        if line.startswith("Requires-Dist: "):
            requirement = Requirement(line.partition(": ")[2])
            usual = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if usual and not re.match("nvidia|cuda|triton|pytorch-triton", requirement.name):
                yield f"{requirement.name}{requirement.specifier}"


def _cuda_of(package: Path) -> str | None:
    """The version of CUDA that a torch was built for."""
    found = re.search(r"^cuda.*= '([\d.]+)'", (package / "version.py").read_text("utf-8"), re.MULTILINE)
    return found[1] if found else None


def _without_cuda(python: Path, package: Path, cuda: str) -> list[str]:
    """Puts in what a torch for CUDA needs to be imported at all, and returns what that was."""
    major, _, minor = cuda.partition(".")
    runtime: list[str] = []
    if not list(package.glob("lib/libcudart*")):
        runtime = [f"nvidia-cuda-runtime{f'-cu{major}' if int(major) < 13 else ''}=={major}.{minor}.*"]
        _pip(python, "--no-deps", *runtime)
    try:
        stubs = add_stubs(package, package.parent / "nvidia")
    except (NoTools, subprocess.CalledProcessError) as error:
        raise InstallError(str(error)) from error
    return runtime + ([f"stand-ins for {' '.join(stubs)}"] if stubs else [])
