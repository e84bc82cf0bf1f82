"""Frames at which windows begin more often: a standing character sets off, something is done with an object."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS, SAMPLE_STEP_FRAMES
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.tests.training.interactions.walker_takes import BODY, walker_take
from footfall.training.data.dataset import Dataset
from footfall.training.interactions.dataset import InteractionDatasetSettings, build_interaction_dataset
from footfall.training.interactions.frame_emphasis import (
    ACTION_EMPHASIS,
    DETOUR_EMPHASIS,
    ONSET_EMPHASIS,
    REST_EMPHASIS,
    frame_emphasis,
)
from footfall.training.interactions.take import InteractionTake

STANDING = 90
SEATED_FRAMES = 30


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


def seated_first(number: int) -> InteractionTake:
    """Return a walk that is labeled as sitting for its first half second."""
    take = walker_take(number)
    actions = take.actions.copy()
    actions[:SEATED_FRAMES] = 0.0
    actions[:SEATED_FRAMES, ACTIONS.index("sit")] = 1.0
    return replace(take, actions=actions)


def seated_throughout(number: int) -> InteractionTake:
    """Return a walk that is labeled as sitting from its first frame to its last."""
    take = walker_take(number)
    actions = np.zeros_like(take.actions)
    actions[:, ACTIONS.index("sit")] = 1.0
    return replace(take, actions=actions)


def straying(aside: float) -> Callable[[int], InteractionTake]:
    """Walks whose goal is 6 m ahead of each frame, turned from the way of the walk by an angle, radians."""

    def make(number: int) -> InteractionTake:
        take = walker_take(number)
        track = root_track(take.clip)
        goals = np.zeros((len(take.clip), 3))
        goals[:, :2] = track.positions + 6.0 * facing_direction(track.yaws + aside)
        wanted = np.zeros_like(take.goal_actions)
        wanted[:, GOAL_ACTIONS.index("walk")] = 1.0
        nothing = np.full(len(take.clip), -1)
        return replace(take, goal_actions=wanted, goal_positions=goals, goal_object=nothing)

    return make


def dataset_of(folder: Path, make_take: Callable[[int], InteractionTake]) -> Dataset:
    settings = InteractionDatasetSettings(takes=2, validation_share=0.0)
    return build_interaction_dataset(make_take, BODY, folder, settings)


def test_onsets_are_the_last_half_second_of_standing(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "takes", standing_first)
    found = frame_emphasis(dataset, "training")
    assert found is not None
    for take in found.split([clip.samples for clip in dataset.clips]):
        rows = torch.nonzero(take == ONSET_EMPHASIS)[:, 0]
        assert 10 <= len(rows) <= 40
        assert (rows.diff() == 1).all()
        assert (take[rows[-1] + 1 :] != ONSET_EMPHASIS).all()


def test_frames_within_a_second_of_sitting_are_emphasized(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "takes", seated_first)
    found = frame_emphasis(dataset, "training")
    assert found is not None
    for take in found.split([clip.samples for clip in dataset.clips]):
        rows = torch.nonzero(take == ACTION_EMPHASIS)[:, 0]
        assert (rows == torch.arange(len(rows))).all()
        assert len(rows) == pytest.approx(SEATED_FRAMES + 60, abs=SAMPLE_STEP_FRAMES)
        assert (take[len(rows) :] == 1).all()


def test_frames_amid_sitting_are_emphasized_less(tmp_path: Path) -> None:
    dataset = dataset_of(tmp_path / "takes", seated_throughout)
    found = frame_emphasis(dataset, "training")
    assert found is not None
    assert (found == REST_EMPHASIS).all()


@pytest.mark.parametrize(("aside", "emphasis"), [(0.0, 1), (0.6, DETOUR_EMPHASIS)])
def test_ways_that_are_not_straight_are_emphasized(tmp_path: Path, aside: float, emphasis: int) -> None:
    found = frame_emphasis(dataset_of(tmp_path / "takes", straying(aside)), "training")
    assert found is not None
    assert (found == emphasis).float().mean() > 0.9
