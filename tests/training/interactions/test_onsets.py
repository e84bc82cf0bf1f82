"""Frames at which a standing character sets off."""

from pathlib import Path

import numpy as np
import torch

from footfall.core.motion import Clip
from footfall.tests.training.interactions.walker_takes import BODY, walker_take
from footfall.training.data.dataset import Dataset
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.interactions.onsets import find_onsets
from footfall.training.interactions.take import InteractionTake

STANDING = 90


def standing_first(number: int) -> InteractionTake:
    """Return a walk that begins with a second and a half of standing in its first pose."""
    take = walker_take(number)
    held = np.concatenate([np.zeros(STANDING, dtype=int), np.arange(len(take.clip))])
    clip = Clip(
        take.clip.skeleton,
        take.clip.rate,
        take.clip.root_positions[held],
        take.clip.rotations[held],
        take.clip.name,
    )
    frames = {
        name: getattr(take, name)[held]
        for name in ("actions", "goal_actions", "goal_positions", "goal_directions", "goal_object", "contacts", "phase")
    }
    objects = tuple(
        type(one)(one.name, one.kind, one.collider, one.positions[held], one.rotations[held]) for one in take.objects
    )
    fields = {**vars(take), **frames, "clip": clip, "objects": objects, "origins": take.origins[held]}
    return InteractionTake(**fields)


def dataset_of(folder: Path) -> Dataset:
    settings = InteractionDatasetSettings(takes=2, validation_share=0.0)
    return build_interaction_dataset(standing_first, BODY, folder, settings)


def test_onsets_are_the_last_half_second_of_standing(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "takes")
    found = find_onsets(dataset, "training")
    assert found is not None and found.dtype == torch.bool
    for take in found.split([clip.samples for clip in dataset.clips]):
        rows = torch.nonzero(take)[:, 0]
        assert 10 <= len(rows) <= 40
        assert (rows.diff() == 1).all()
        assert take[rows[-1] + 1 :].sum() == 0
