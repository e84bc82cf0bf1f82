"""Frames at which windows begin more often: a standing character sets off, something is done with an object."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from footfall.core.features.interaction import ACTIONS, SAMPLE_STEP_FRAMES
from footfall.tests.training.interactions.walker_takes import BODY, walker_take
from footfall.training.data.dataset import Dataset
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.interactions.frame_emphasis import TUNING as FRAME_EMPHASIS_TUNING
from footfall.training.interactions.frame_emphasis import frame_emphasis
from footfall.training.interactions.take import InteractionTake

SEATED_FRAMES = 30


def seated_first(number: int) -> InteractionTake:
    """Return a walk that is labeled as sitting for its first half second."""
    take = walker_take(number)
    actions = take.actions.copy()
    actions[:SEATED_FRAMES] = 0.0
    actions[:SEATED_FRAMES, ACTIONS.index("sit")] = 1.0
    return replace(take, actions=actions)


def dataset_of(folder: Path, make_take: Callable[[int], InteractionTake]) -> Dataset:
    settings = InteractionDatasetSettings(takes=2, validation_share=0.0)
    return build_interaction_dataset(make_take, BODY, folder, settings)


def test_frames_within_a_second_of_sitting_are_emphasized(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "takes", seated_first)
    found = frame_emphasis(dataset, "training")
    assert found is not None
    for take in found.split([clip.samples for clip in dataset.clips]):
        rows = torch.nonzero(take == FRAME_EMPHASIS_TUNING.action_emphasis)[:, 0]
        assert (rows == torch.arange(len(rows))).all()
        assert len(rows) == pytest.approx(SEATED_FRAMES + 60, abs=SAMPLE_STEP_FRAMES)
        assert (take[len(rows) :] == 1).all()
