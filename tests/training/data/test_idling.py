"""Idling motion of a data set: offsets of standing people from their mean pose."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.rest import IDLE_RATE_HZ
from footfall.training.config.config import TrainingConfig
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset import Dataset
from footfall.training.data.idling import MAX_OFFSET_M, idle_offsets


def test_a_procedural_walker_stands_like_a_statue(dataset: Dataset) -> None:
    assert np.abs(np.array(idle_offsets(dataset))).max() < 0.01, "but for the start of its walk"


@pytest.mark.slow
def test_a_standing_person_sways(shared_data: Path, tmp_path: Path) -> None:
    """ACCAD's clip of standing, with a walk from standing to standing beside it."""
    clips = [shared_data / "mocap/accad_male1" / name for name in ("idle/Male1_A1_Stand.bvh", "walk/Male1_B3_Walk.bvh")]
    build_dataset(clips, tmp_path / "dataset", TrainingConfig())
    dataset = Dataset.open(tmp_path / "dataset")
    offsets = np.array(dataset.start["idle"])
    assert "idle" in dataset.manifest["start"]
    assert offsets.shape[1:] == (len(dataset.joints), 3) and len(offsets) > 2 * IDLE_RATE_HZ
    assert 0.0005 < offsets.std() < 0.03 and np.abs(offsets).max() < MAX_OFFSET_M
    head = offsets[:, dataset.joints.index(dataset.skeleton.names[dataset.skeleton.roles["head"]])]
    feet = [dataset.joints.index(dataset.skeleton.names[dataset.skeleton.roles[f"foot.{side}"]]) for side in "LR"]
    assert head.std() > 1.5 * offsets[:, feet].std(), "bodies sway over feet that stay"
    assert np.linalg.norm(np.diff(offsets, axis=0), axis=-1).max() * IDLE_RATE_HZ < 0.5, "m/s"
