"""Sensors: what they may be told, and the joints that they find."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling.contacts.sensor_tracks import sensor_track
from footfall.core.labelling.sensors import Sensor, find_joint
from footfall.tests.support.walker import Walker


@pytest.mark.parametrize("against", ["", "floor", "joint:", "object:", "joint", "grounds", "x:ball"])
def test_a_sensor_that_touches_nothing_known_is_refused(against: str) -> None:
    with pytest.raises(FootfallError, match=f"The contact point 'a' touches '{against}'"):
        Sensor("a", "hand.L", against)


@pytest.mark.parametrize("name", ["height", "sharpness", "shortest"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_a_limit_that_is_not_above_zero_is_refused(name: str, value: float) -> None:
    limits: dict[str, Any] = {name: value}
    with pytest.raises(FootfallError, match=f"'a' has a {name} of {value}: write a number above zero"):
        Sensor("a", "hand.L", **limits)
    assert Sensor("a", "hand.L", **{name: 1e-6})


def test_a_sensor_is_at_a_joint_its_tip_or_its_heel() -> None:
    for place in ("joint", "tip", "heel"):
        assert Sensor("a", "hand.L", at=place).at == place
    with pytest.raises(
        FootfallError, match="The contact point 'a' is at 'end', which is unknown: write one of joint, tip, heel"
    ):
        Sensor("a", "hand.L", at="end")


def test_a_toe_that_is_missing_is_the_foot() -> None:
    clip = Walker(seconds=1.0).clip()
    roles = {role: joint for role, joint in clip.skeleton.roles.items() if not role.startswith("toe")}
    toeless = replace(clip, skeleton=replace(clip.skeleton, roles=roles))
    assert find_joint(toeless, "toe.R", "a") == clip.skeleton.joint("foot.R")
    for missing in ("hand.X", "toes.R"):
        with pytest.raises(FootfallError):
            find_joint(toeless, missing, "a")


def test_an_offset_turns_with_its_joint_and_grows_with_the_body() -> None:
    walker = Walker(seconds=1.0, scale=0.5)
    clip = walker.clip()
    hips = clip.skeleton.joint("hips")
    track = sensor_track(clip, Sensor("a", "hips", offset=(0.2, 0.0, 0.4)))
    np.testing.assert_allclose(track - clip.positions[:, hips], np.tile([-0.1, 0.0, 0.2], (len(clip), 1)), atol=1e-9)
    plain = sensor_track(clip, Sensor("a", "hips"))
    np.testing.assert_array_equal(plain, clip.positions[:, hips])
