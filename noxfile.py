#!/usr/bin/env -S python3 -m nox -f
# /// script
# requires-python = ">=3.11"
# dependencies = ["nox>=2025.2.9"]
# ///
"""One short session per verb. `nox -l` lists them."""

import os
import sys
import zipfile
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["lint", "tests", "docs"]

PROJECT = nox.project.load_toml("pyproject.toml")
CONSTRAINTS = "docs/constraints.txt"
# One environment for all sessions that run pages, so that torch is installed once; nox would make one a session.
ENVIRONMENT = Path(f".nox/site-{sys.version_info.major}.{sys.version_info.minor}").absolute()
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
BUILD = Path("build")


def prepare(session: nox.Session, group: str) -> None:
    """Installs a dependency group, as pinned, into the one environment, which is made where there is none."""
    if not PYTHON.exists() or not session.run(
        PYTHON, "-m", "pip", "-V", external=True, silent=True, success_codes=[0, 1]
    ):
        session.run(sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT), external=True)
    packages = nox.project.dependency_groups(PROJECT, group)
    run(session, "pip", "install", "--quiet", "--constraint", CONSTRAINTS, *packages)


def run(session: nox.Session, module: str, *arguments: str) -> None:
    """Runs a module in the one environment."""
    session.run(str(PYTHON), "-m", module, *arguments, external=True)


def sphinx(session: nox.Session, builder: str, *arguments: str) -> None:
    """Builds the site with one of Sphinx's builders, warnings being errors."""
    where = ["-d", str(BUILD / "doctrees"), "docs", str(BUILD / builder)]
    run(session, "sphinx", "-b", builder, "-W", "-j", "auto", *arguments, *where)


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """Build the site into build/html; runs and checks every cell."""
    prepare(session, "test")
    sphinx(session, "html", *session.posargs)


@nox.session(venv_backend="none", default=False)
def offline(session: nox.Session) -> None:
    """Build the site and pack it into one file, build/autograd-in-place.zip, which needs no server and no network."""
    prepare(session, "test")
    sphinx(session, "html")
    root, target = BUILD / "html", BUILD / "autograd-in-place.zip"
    with zipfile.ZipFile(target, "w") as packed:
        for path in sorted(path for path in root.rglob("*") if path.is_file() and path.name != ".buildinfo"):
            # Without the time and the rights that the file has here, so that the same site makes the same bytes.
            name = zipfile.ZipInfo(f"autograd-in-place/{path.relative_to(root).as_posix()}")
            packed.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
    session.log(f"{target}: {target.stat().st_size / 1e6:.1f} MB; unpack it and open autograd-in-place/index.html")


@nox.session(venv_backend="none", default=False)
def doctest(session: nox.Session) -> None:
    """Run and check the pages, the examples and the README without building the site; takes pytest's arguments."""
    prepare(session, "test")
    run(session, "pytest", *(session.posargs or ["docs", "examples", "README.md"]))


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run all tests, the doctest run included; takes pytest's arguments."""
    prepare(session, "test")
    run(session, "pytest", *session.posargs)


@nox.session(venv_backend="none", default=False)
def browser(session: nox.Session) -> None:
    """Build the site and try it in a real browser, Chromium, which has to be there; takes pytest's arguments."""
    offline(session)
    prepare(session, "browser")
    run(session, "pytest", "tests/browser", "--override-ini=norecursedirs=roots", *session.posargs)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Check formatting, types and workflows."""
    prepare(session, "lint")
    run(session, "ruff", "format", "--check")
    run(session, "ruff", "check")
    run(session, "mypy")
    workflows = sorted(map(str, Path(".github/workflows").glob("*.yml")))
    run(session, "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    run(session, "check_jsonschema", "--builtin-schema", "vendor.readthedocs", ".readthedocs.yaml")
    session.run(str(PYTHON.with_name("zizmor")), "--offline", "--quiet", ".github", external=True)


@nox.session(venv_backend="none", default=False)
def live(session: nox.Session) -> None:
    """Serve the site, rebuild on saving and reload the browser; a save runs the pages whose cells changed."""
    prepare(session, "live")
    session.env["PYTHONPATH"] = "docs/_ext"
    run(session, "live", *session.posargs)


@nox.session(venv_backend="none", default=False)
def mutants(session: nox.Session) -> None:
    """Change the code of pages bit by bit and see that a claim notices; takes pages, and `--every 4` for a quarter."""
    prepare(session, "test")
    session.env["PYTHONPATH"] = "docs/_ext"
    run(session, "proof.mutants", "docs", "tests/mutants.toml", *session.posargs)


@nox.session(venv_backend="none", default=False)
def bench(session: nox.Session) -> None:
    """Measure `builds` for two hours, `views` for ten minutes, or `saves` for two; each is a part of performance.md."""
    prepare(session, "bench")
    sphinx(session, "html")
    session.env["PYTHONPATH"] = f"tests{os.pathsep}docs/_ext"
    run(session, "benchmark", "docs/reference/performance.md", *session.posargs)


@nox.session(venv_backend="none", default=False)
def record(session: nox.Session) -> None:
    """Replay all pages under other releases of torch and write docs/records: `nox -s record -- 1.8.1`."""
    prepare(session, "site")
    session.env["PYTHONPATH"] = "docs/_ext"
    run(session, "record", *session.posargs)


@nox.session(venv_backend="none", default=False)
def links(session: nox.Session) -> None:
    """Check the links to other sites, those in code first; needs a network, and is no part of the tests."""
    docs(session)
    session.env["PYTHONPATH"] = "docs/_ext"
    run(session, "names.links", str(BUILD / "html"))
    sphinx(session, "linkcheck")


@nox.session(default=False)
def pin(session: nox.Session) -> None:
    """Write docs/constraints.txt anew from the newest releases, with the torch given: `nox -s pin -- 2.13.0`."""
    (torch,) = session.posargs or session.error("say which torch to pin, as in 'nox -s pin -- 2.13.0'")
    groups = {
        package for group in PROJECT["dependency-groups"] for package in nox.project.dependency_groups(PROJECT, group)
    }
    session.install(f"torch=={torch}", *sorted(groups))
    frozen = session.run("python", "-m", "pip", "freeze", silent=True) or ""
    lines = [
        line.partition("+")[0] if line.startswith("torch==") else line for line in frozen.splitlines() if "==" in line
    ]
    header = "# What the published site is built with. Written by 'nox -s pin'.\n"
    Path(CONSTRAINTS).write_text(header + "\n".join(sorted(lines, key=str.casefold)) + "\n", "utf-8")
