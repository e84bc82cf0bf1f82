"""Motion of one animal on another."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.motion import Clip
from footfall.core.motion.paws import ancestors, leg_chains, paw_tracks
from footfall.core.retarget.calibration import calibrate
from footfall.core.retarget.fit import fit_clip
from footfall.core.retarget.quadruped import sole_depth
from footfall.core.retarget.rest_pose import rest_position
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


def test_a_paw_is_as_high_as_the_lowest_of_its_bones_is_deep() -> None:
    """A claw of 3 cm points down from the joint of the toe."""
    body = dog()
    leg = leg_chains(body)[0]
    paw = leg.paw
    assert paw is not None
    at = rest_position(body, paw)[2]
    below = [rest_position(body, joint)[2] for joint in range(len(body)) if paw in (joint, *ancestors(body, joint))]
    assert sole_depth(body, leg) == pytest.approx(at - min(below))
    body.tips[body.joint("toe.L")] = [0.0, -0.02, -0.03]
    lowest = min(at, rest_position(body, body.joint("toe.L"))[2] - 0.03)
    assert sole_depth(body, leg) == pytest.approx(at - lowest)
    body.tips[body.joint("toe.L")] = [0.0, -0.02, 0.03]
    assert sole_depth(body, leg) == pytest.approx(at - min(below)), "tips that point up reach nothing"
    assert sole_depth(body, replace(leg, paw=None)) == 0.0


def test_shoulders_are_as_high_over_the_hips_as_the_source_s_whatever_slope_a_trunk_has_at_rest() -> None:
    clip, _ = trot(dog())
    sloping = dog()
    sloping.offsets[sloping.joint("chest")] += [0.0, 0.0, 0.08]
    made = retarget(clip, calibrate(clip.skeleton, sloping))

    def rise(of: Clip) -> float:
        tops = [of.positions[:, of.skeleton.joint(f"{part}.{side}"), 2] for part in ("front_thigh", "thigh")
                for side in "LR"]  # fmt: skip
        return float(np.mean(tops[0] + tops[1] - tops[2] - tops[3]) / 2)

    assert rise(made) == pytest.approx(rise(clip), abs=1e-3)
