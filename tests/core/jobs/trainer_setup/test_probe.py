"""A Python is asked what it has."""

import sys
from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs.trainer_setup.probe import REQUIRED_MODULES, PythonReport, probe_python


def answer_of(python: Path) -> PythonReport:
    asking = probe_python(python)
    while True:
        try:
            next(asking)
        except StopIteration as done:
            return done.value


def script(folder: Path, program: str) -> Path:
    """A script that stands in for a Python."""
    path = folder / "python"
    path.write_text(f"#!{sys.executable}\n{program}\n")
    path.chmod(0o755)
    return path


def test_this_python_trains():
    answer = answer_of(Path(sys.executable))
    assert answer.version == sys.version_info[:3] and answer.cores >= 1
    assert (
        answer.can_train and set(answer.packages) == set(REQUIRED_MODULES) and answer.packages["torch"].startswith("2.")
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs a script that stands in for a Python")
def test_a_python_without_packages(tmp_path: Path):
    shadow = tmp_path / "shadow"
    shadow.mkdir()
    (shadow / "torch.py").write_text("raise ImportError('DLL load failed\\nmore')")
    (shadow / "tqdm.py").write_text("raise ModuleNotFoundError('No module named tqdm')")
    program = (
        f"import os, sys; os.environ['PYTHONPATH'] = {str(shadow)!r}; "
        f"os.execv({sys.executable!r}, [{sys.executable!r}, *sys.argv[1:]])"
    )
    answer = answer_of(script(tmp_path, program))
    assert answer.broken == {
        "torch": "ImportError: DLL load failed",
        "tqdm": "ModuleNotFoundError: No module named tqdm",
    }
    assert not answer.can_train and "numpy" in answer.packages and not answer.device


@pytest.mark.skipif(sys.platform == "win32", reason="needs a script that stands in for a Python")
def test_what_is_no_python_is_said(tmp_path: Path):
    with pytest.raises(FootfallError, match=r"is not a working Python \(I am a teapot\): choose another"):
        answer_of(script(tmp_path, "print('I am a teapot')"))
    with pytest.raises(FootfallError, match="could not be started"):
        answer_of(tmp_path / "nothing")
