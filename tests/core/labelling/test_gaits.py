"""Gaits by speed, flight and head height, on bodies of every size."""

import numpy as np
import pytest

from footfall.core.labelling import label_clip
from footfall.core.labelling.gaits import NAMES, find_gaits
from footfall.core.motion import Clip
from footfall.tests.core.walker import Walker, person

STAND, WALK, RUN, CROUCH = range(4)

GAITS = {
    "adult walks": (Walker(), WALK),
    "adult strolls": (Walker(speed=0.6, cycle=1.3, duty=0.68), WALK),
    "adult runs": (Walker.runner(), RUN),
    "adult jogs with flight": (Walker.runner(speed=1.8, cycle=0.75, duty=0.4), RUN),
    "adult walks round a circle": (Walker(turn=0.6), WALK),
    "child walks": (Walker(scale=0.6), WALK),
    "child runs": (Walker.runner(scale=0.6), RUN),
    "giant walks": (Walker(scale=2.0), WALK),
    "giant runs": (Walker.runner(scale=2.0), RUN),
    "runs at 120 Hz": (Walker.runner(rate=120.0), RUN),
    "walks at 30 Hz": (Walker(rate=30.0), WALK),
    "walks on a raised floor": (Walker(floor=1.5), WALK),
}


def still(frames: int, height: float = 1.0) -> Clip:
    """Somebody who stands without moving."""
    skeleton = person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(skeleton), 1))
    return Clip(skeleton, 60.0, np.tile([0.0, 0.0, height], (frames, 1)), rotations)


@pytest.mark.parametrize("walker, gait", GAITS.values(), ids=GAITS.keys())
def test_every_frame_has_the_gait(walker: Walker, gait: int) -> None:
    gaits = label_clip(walker.clip()).gaits
    assert gaits[:, gait].min() > 0.5


@pytest.mark.parametrize("walker", [Walker(pause=2.0, seconds=8.0), Walker.runner(), Walker()])
def test_gaits_sum_to_one(walker: Walker) -> None:
    gaits = label_clip(walker.clip()).gaits
    np.testing.assert_allclose(gaits.sum(axis=1), 1.0, atol=1e-9)
    assert gaits.min() >= 0


def test_standing_still_is_standing() -> None:
    labels = label_clip(still(90))
    assert NAMES[STAND] == "stand"
    assert labels.gaits[:, STAND].min() > 0.95
    assert labels.contacts.min() > 0.5


def test_a_pause_in_a_walk_is_standing_and_the_walk_is_not() -> None:
    walker = Walker(pause=3.0, seconds=9.0)
    standing = label_clip(walker.clip()).gaits[:, STAND]
    begin, end = walker.times[walker.resting][[0, -1]]
    assert standing[(walker.times > begin + 0.5) & (walker.times < end - 0.5)].min() > 0.9
    assert standing[(walker.times < begin - 1.2) | (walker.times > end + 1.2)].max() < 0.1


def test_sunk_hips_are_crouching() -> None:
    # The head of a person of 1.6 m is at 1.0 m: hips at 0.35 m over bent legs, which do not count for the gait.
    clip = still(90, height=0.35)
    gaits = find_gaits(clip, np.ones((90, 4)), ground=0.0)
    assert gaits[:, CROUCH].min() > 0.95


def test_gaits_do_not_depend_on_direction() -> None:
    walker = Walker.runner()
    np.testing.assert_allclose(
        label_clip(walker.clip()).gaits, label_clip(Walker.runner(heading=2.0).clip()).gaits, atol=1e-6
    )


@pytest.mark.parametrize("frames", [2, 3, 10])
def test_short_clips_have_gaits(frames: int) -> None:
    gaits = label_clip(Walker().clip().cut(0, frames)).gaits
    assert gaits.shape == (frames, 4)
    assert np.isfinite(gaits).all()
