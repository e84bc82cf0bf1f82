"""See the scripts in in_blender/."""

from pathlib import Path

import pytest

IN_BLENDER = Path(__file__).with_name("in_blender")
NO_GRAPHICS = 77
CLIP = "mocap/cmu_asfamc/walk/02_01.bvh"


def test_training(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "training.py", shared_data / CLIP)


def test_what_is_learnt_from(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "training_data.py", shared_data / CLIP)


@pytest.mark.slow
def test_the_trainers_python(blender) -> None:
    blender(IN_BLENDER / "trainer.py")


def test_previews_and_controllers(blender, shared_data: Path) -> None:
    blender(IN_BLENDER / "run_preview.py", shared_data / CLIP)


def test_the_plot(blender) -> None:
    blender(IN_BLENDER / "training_plot.py")


def test_drawing(blender, shared_data: Path) -> None:
    if blender.version < "5.2":
        pytest.skip(f"Blender {blender.version} cannot draw without a window")
    child = blender(IN_BLENDER / "training_plot_drawing.py", shared_data / CLIP, check=False)
    if child.returncode == NO_GRAPHICS:
        pytest.skip(f"no graphics, not even in software: {child.stdout}")
    assert child.returncode == 0, child.stdout + child.stderr
