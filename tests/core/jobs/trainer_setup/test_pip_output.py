"""The output of pip, line by line."""

import sys
from pathlib import Path

import pytest

from footfall.core.jobs.trainer_setup.pip_output import pip_failure_message, pip_progress
from footfall.core.jobs.trainer_setup.recipe import EnvironmentRecipe

WHEEL = "  Downloading torch-2.13.0-cp313-cp313-linux.whl"


@pytest.mark.parametrize("name", ["numpy", "numpy==2.4", "numpy>=2", "numpy<3", "numpy!=2", "numpy~=2.4", "numpy;a"])
def test_a_package_is_named_without_its_version(name: str) -> None:
    assert pip_progress(f"Collecting {name} (from -r x.txt)\n", 10)[1] == "Looking for numpy"


@pytest.mark.parametrize(
    "size, progress, words",
    [
        ("(900.0 MB)", "", "Downloading torch-2.13.0 (900 MB)"),
        ("(900.0 MB)", "Progress 1 of 3\n", "Downloading torch-2.13.0 (300 of 900 MB)"),
        ("(1.6 GB)", "Progress 3 of 3\n", "Downloading torch-2.13.0 (2 of 2 GB)"),
        ("(30 kB)", "Progress 0 of 3\n", "Downloading torch-2.13.0 (30 kB)"),
        ("", "Progress 1 of 3\n", "Downloading torch-2.13.0"),
    ],
)
def test_a_download_is_told_with_its_size(size: str, progress: str, words: str) -> None:
    assert pip_progress(f"Collecting torch\n{WHEEL} {size}\n{progress}", 10)[1] == words


def test_the_last_error_is_the_cause_of_a_failure() -> None:
    message = pip_failure_message("ERROR: a\nERROR:  b \nc", EnvironmentRecipe(Path(sys.executable)), Path("/env"))
    assert "(b)" in message
    wanted = "The user requested (constraint) torch==2.13.0"
    assert "no torch==2.13.0 for" in pip_failure_message(wanted, EnvironmentRecipe(Path(sys.executable)), Path("/env"))
