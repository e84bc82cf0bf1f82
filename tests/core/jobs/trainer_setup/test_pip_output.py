"""The output of pip, line by line."""

import sys
from pathlib import Path

import pytest

from footfall.core.jobs.trainer_setup.pip_output import last_line, pip_failure_message, pip_progress
from footfall.core.jobs.trainer_setup.recipe import EnvironmentRecipe

WHEEL = "  Downloading torch-2.13.0-cp313-cp313-linux.whl"


def test_a_package_that_is_asked_for_first_is_no_progress_yet() -> None:
    assert pip_progress("Collecting torch\n", 10) == (0.0, "asks for torch")
    assert pip_progress("Collecting torch\nCollecting numpy\n", 10) == (pytest.approx(0.085), "asks for numpy")


@pytest.mark.parametrize("name", ["numpy", "numpy==2.4", "numpy>=2", "numpy<3", "numpy!=2", "numpy~=2.4", "numpy;a"])
def test_a_package_is_named_without_its_version(name: str) -> None:
    assert pip_progress(f"Collecting {name} (from -r x.txt)\n", 10)[1] == "asks for numpy"


@pytest.mark.parametrize(
    "size, progress, words",
    [
        ("(900.0 MB)", "", "downloads torch-2.13.0 (900 MB)"),
        ("(900.0 MB)", "Progress 1 of 3\n", "downloads torch-2.13.0 (300 of 900 MB)"),
        ("(1.6 GB)", "Progress 3 of 3\n", "downloads torch-2.13.0 (2 of 2 GB)"),
        ("(30 kB)", "Progress 0 of 3\n", "downloads torch-2.13.0 (30 kB)"),
        ("", "Progress 1 of 3\n", "downloads torch-2.13.0"),
    ],
)
def test_a_download_is_told_with_its_size(size: str, progress: str, words: str) -> None:
    assert pip_progress(f"Collecting torch\n{WHEEL} {size}\n{progress}", 10)[1] == words


def test_lines_that_are_no_progress_are_passed_over() -> None:
    output = f"Collecting torch\n{WHEEL} (900.0 MB)\nProgress 1 of 2\n"
    for line in ("Progress x of 2", "Progress 2 of y", "Progress 2 of 2 now", "Progress 2", "", "  Downloading"):
        rest = "" if line == "  Downloading" else f"{line}\n"
        assert pip_progress(output + rest, 10) == (pytest.approx(0.85 * 0.05), "downloads torch-2.13.0 (450 of 900 MB)")
    metadata = f"{output}  Downloading numpy-2.4-cp313.whl.metadata (3 kB)\n"
    assert pip_progress(metadata, 10) == pip_progress(output, 10)
    assert pip_progress("Progress 1 of 0\n", 10) == (0.0, "asks for packages")


def test_a_new_download_begins_at_none_of_it() -> None:
    torch = f"Collecting torch\n{WHEEL} (900.0 MB)\nProgress 1 of 2\n"
    output = f"{torch}Collecting numpy\n  Downloading numpy-2.4-x.whl (8 MB)\n"
    assert pip_progress(output, 10) == (pytest.approx(0.085), "downloads numpy-2.4 (8 MB)")


def test_more_packages_than_expected_end_below_all() -> None:
    assert pip_progress("Collecting a\n" * 4, 4)[0] == pytest.approx(0.85 * 3 / 5)
    assert pip_progress("Collecting a\n" * 2, 2)[0] == pytest.approx(0.85 / 3)
    assert pip_progress("Collecting a\n" * 2, 3)[0] == pytest.approx(0.85 / 3)


def test_what_is_unpacked_is_counted() -> None:
    assert pip_progress("Installing collected packages: a\n", 3) == (0.85, "unpacks 1 packages")
    assert pip_progress("Processing C:\\wheels\\leg_work-2.0-py3-none-any.whl\n", 3)[1] == "asks for leg_work-2.0"


def test_the_last_line_is_one_with_words() -> None:
    assert last_line("one\n  two  \n\n \n") == "two"
    assert last_line("") == last_line(" \n\n") == "no output"


def test_the_last_error_is_the_cause_of_a_failure() -> None:
    message = pip_failure_message("ERROR: a\nERROR:  b \nc", EnvironmentRecipe(Path(sys.executable)), Path("/env"))
    assert "(b)" in message
    wanted = "The user requested (constraint) torch==2.13.0"
    assert "no torch==2.13.0 for" in pip_failure_message(wanted, EnvironmentRecipe(Path(sys.executable)), Path("/env"))
