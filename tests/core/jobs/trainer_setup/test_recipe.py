"""What an environment can be made of, and what pip says meanwhile."""

import re
import sys
from pathlib import Path

import pytest

from footfall.core.jobs.trainer_setup.pip_output import DOWNLOAD_PROGRESS_SHARE, pip_failure_message, pip_progress
from footfall.core.jobs.trainer_setup.recipe import EnvironmentRecipe, EnvironmentRecipeError
from footfall.core.jobs.trainer_setup.requirements import (
    TRAINING_REQUIREMENTS,
    digest_of,
    pinned_versions,
    requested_packages,
)
from footfall.tests.core.jobs.trainer_setup.wheels import write_requirements

PYTHON = Path(sys.executable)
PIP = """\
Collecting torch==2.13.0 (from -r training.txt (line 8))
  Downloading torch-2.13.0-cp313-cp313-manylinux_2_28_x86_64.whl.metadata (30 kB)
  Downloading torch-2.13.0-cp313-cp313-manylinux_2_28_x86_64.whl (900.0 MB)
Progress 0 of 900000000
Progress 225000000 of 900000000
"""


def test_the_trainers_own_requirements_pin_torch():
    assert pinned_versions(TRAINING_REQUIREMENTS)["torch"] == "2.13.0"
    assert {"torch", "numpy", "scipy", "safetensors", "tqdm"} <= set(requested_packages(TRAINING_REQUIREMENTS))
    assert "jinja2" not in requested_packages(TRAINING_REQUIREMENTS), "it is only constrained"


def test_files_that_name_others_are_read_with_them(tmp_path: Path):
    file = write_requirements(tmp_path, "leg_work", "Arm-Work>=2  # any")
    assert pinned_versions(file) == {"footstep": "1.0.0", "leg-work": "2.0", "neverasked": "3.1"}
    assert sorted(requested_packages(file)) == ["arm-work", "footstep", "leg-work"]
    before = digest_of(file)
    (tmp_path / "constraints.txt").write_text("leg_work==2.1\n")
    assert digest_of(file) != before


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"python": Path("/no/python")}, "'/no/python' does not exist"),
        ({"wheels": Path("/no/wheels")}, "There are no wheels in '/no/wheels'"),
        ({"index": "pypi.org"}, "'pypi.org' is not the address of a package index"),
        ({"index": "http://studio/simple"}, "'http://studio/simple' is not encrypted"),
        ({"torch_index": "http://localhost.example.org/"}, "is not encrypted"),
        ({"torch_index": "https://one two"}, "is not the address"),
    ],
)
def test_what_is_no_recipe_is_said(changes, sentence: str):
    with pytest.raises(EnvironmentRecipeError, match=sentence):
        EnvironmentRecipe(**{"python": PYTHON, **changes}).check()


def test_how_far_pip_is():
    assert pip_progress("", 10) == (0.0, "Looking for packages")
    share, doing = pip_progress(PIP, 10)
    assert (
        share == pytest.approx(DOWNLOAD_PROGRESS_SHARE * 0.025) and doing == "Downloading torch-2.13.0 (225 of 900 MB)"
    )
    share, doing = pip_progress(f"{PIP}Collecting numpy<3,>=2\n", 10)
    assert share == pytest.approx(DOWNLOAD_PROGRESS_SHARE * 0.1) and doing == "Looking for numpy"
    assert pip_progress("Processing /wheels/six-1.17-py3-none-any.whl\n", 2)[1] == "Looking for six-1.17"
    assert pip_progress(f"{PIP}Installing collected packages: a, b, c\n", 10) == (
        DOWNLOAD_PROGRESS_SHARE,
        "Unpacking 3 packages",
    )
    shares = [pip_progress("Collecting x\n" * count, 3)[0] for count in range(9)]
    assert shares == sorted(shares) and shares[-1] < DOWNLOAD_PROGRESS_SHARE, "more packages than anybody thought"


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("ERROR: Could not install: [Errno 28] No space left on device", "The disk of '/env' is full"),
        ("WARNING: Retrying: Failed to establish a new connection\nERROR: No matching distribution found for torch",
         "The package index cannot be reached"),
        ("ERROR: No matching distribution found for torch==2.13.0", "The package index has no torch==2.13.0"),
        ("ERROR: numpy needs something else\n", r"pip could not install everything \(numpy needs something else\)"),
        ("Segmentation fault", r"\(Segmentation fault\): see the log in '/env'"),
    ]
)  # fmt: skip
def test_why_pip_gave_up(said: str, sentence: str):
    assert re.search(sentence, pip_failure_message(said, EnvironmentRecipe(PYTHON), Path("/env")))


def test_a_folder_of_wheels_that_lacks_one():
    said = pip_failure_message(
        "ERROR: No matching distribution found for numpy==2.4.6", EnvironmentRecipe(PYTHON, wheels=Path("/w")), Path()
    )
    assert said.startswith("The folder '/w' has no wheel of numpy==2.4.6")
