"""Motion of one animal on another."""

import numpy as np

from footfall.core.motion.paws import paw_tracks
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.fit import fit_clip
from footfall.core.retarget.retarget import retarget
from footfall.tests.support.dog import dog, trot


def test_on_the_same_body_nothing_changes() -> None:
    clip, _ = trot(dog(), travels=True)
    made = retarget(clip, calibrate(clip.skeleton, clip.skeleton))
    assert np.allclose(made.positions, clip.positions, atol=1e-4)
    assert np.allclose(fit_clip(clip, clip.skeleton).positions, clip.positions, atol=1e-4)


def test_a_dog_of_twice_the_size_trots_twice_as_far() -> None:
    clip, _ = trot(dog(), travels=True)
    made = retarget(clip, calibrate(clip.skeleton, dog(2.0)))
    assert np.allclose(paw_tracks(made), 2.0 * paw_tracks(clip), atol=2e-3)


def test_a_longer_trunk_leaves_strides_and_soles_as_they_are() -> None:
    clip, _ = trot(dog())
    longer = dog()
    longer.offsets[longer.roles["chest"]] *= 1.5
    made = retarget(clip, calibrate(clip.skeleton, longer))
    assert np.allclose(np.ptp(paw_tracks(made), axis=0), np.ptp(paw_tracks(clip), axis=0), atol=3e-3)
    assert np.allclose(paw_tracks(made)[..., 2], paw_tracks(clip)[..., 2], atol=3e-3)
