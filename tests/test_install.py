"""An environment for another torch."""

import subprocess
import sys
from pathlib import Path

import pytest

from record.install import InstallError, find_python, install, python_for
from record.stubs import TOOLS, NoTools, add_stubs


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.8", "'1.8' is no release: write all three numbers, as in 1.8.1, or nightly"),
        ("newest", "'newest' is no release: write all three numbers, as in 1.8.1, or nightly"),
        ("0.4.1", "torch 0.4.1 has no wheel that still installs; the oldest is 1.0.0"),
    ],
)
def test_no_such_release(release: str, said: str) -> None:
    """What is no release is said to be none before anything is installed."""
    with pytest.raises(InstallError) as caught:
        python_for(release)
    assert str(caught.value) == said


def test_nightly_without_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the nightlies are has to be said."""
    monkeypatch.delenv("TORCH_NIGHTLY_INDEX", raising=False)

    with pytest.raises(InstallError, match=r"^set TORCH_NIGHTLY_INDEX to the index for CPUs that pytorch\.org names"):
        install("nightly", tmp_path / "nightly")


def test_no_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command says which Python it looked for, and where."""
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))

    with pytest.raises(InstallError) as caught:
        find_python("3.99")
    assert str(caught.value) == (
        f"Python 3.99 is needed, and neither python3.99 is on the path nor {tmp_path}/versions/3.99.* is there: "
        "install it, with 'pyenv install 3.99' say"
    )


def test_stubs(tmp_path: Path) -> None:
    """A missing library gets a stand-in with the function that is asked for, and what needs it can be loaded."""
    lib, elsewhere = tmp_path / "torch" / "lib", tmp_path / "elsewhere"
    lib.mkdir(parents=True)
    elsewhere.mkdir()
    (tmp_path / "far.c").write_text("long cudaFar(void){return 1;}\n")
    (tmp_path / "near.c").write_text(
        "long cudaFar(void); long near(void){return 7;} long both(void){return cudaFar();}\n"
    )
    far = [
        "gcc",
        "-shared",
        "-fPIC",
        "-Wl,-soname,libfar.so.1",
        "-o",
        str(elsewhere / "libfar.so"),
        str(tmp_path / "far.c"),
    ]
    near = ["gcc", "-shared", "-fPIC", "-Wl,-rpath,$ORIGIN", "-o", str(lib / "libnear.so"), str(tmp_path / "near.c")]
    subprocess.run(far, check=True)
    subprocess.run([*near, f"-L{elsewhere}", "-lfar"], check=True)
    load = [sys.executable, "-c", f"import ctypes; print(ctypes.CDLL({str(lib / 'libnear.so')!r}).near())"]

    assert subprocess.run(load, capture_output=True, check=False).returncode == 1
    assert add_stubs(tmp_path / "torch", tmp_path / "none") == ["libfar.so.1"]
    assert subprocess.run(load, capture_output=True, text=True, check=False).stdout == "7\n"


def test_no_tools_for_stubs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs that are missing are named."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NoTools, match=" and ".join(TOOLS)):
        add_stubs(tmp_path, tmp_path)
