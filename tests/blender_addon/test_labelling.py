"""See the scripts in in_blender/."""

from pathlib import Path

import pytest

IN_BLENDER = Path(__file__).with_name("in_blender")


@pytest.mark.parametrize("script", ["labelling", "label_editing", "label_watching", "label_presets", "label_batch"])
def test_labelling(blender, shared_data: Path, script: str) -> None:
    blender(IN_BLENDER / f"{script}.py", shared_data / "mocap/cmu_asfamc/walk/02_01.bvh")
