"""Heads stay under ceilings: no lower than necessary, smoothly, over feet that stay in place."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.feet.duck import (
    DUCK_BLEND_S,
    HEAD_TOP_RATIO,
    MAX_HIP_DROP_RATIO,
    duck,
)
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import Array, rotate
from footfall.core.terrain.ground import Plane, ScaledScene, Scene
from footfall.tests.support.terrain_scenes import FAR, FLOOR, Boxes, Carrier, roof, stairs
from footfall.tests.support.walker import Walker, person

WALKER = Walker(heading=-np.pi / 2, seconds=7.0)
"""Walks to the east, from x = 0.3 to 8.0."""
CLIP = WALKER.clip()


def tops(clip: Clip) -> Array:
    """Return the tops of the heads (F, 3), meters."""
    head = clip.positions[:, clip.skeleton.joint("head")].copy()
    head[:, 2] += HEAD_TOP_RATIO * clip.skeleton.leg_length
    return head


def feet(clip: Clip) -> Array:
    """Return ankles and toes (F, 4, 3), meters."""
    return clip.positions[:, [clip.skeleton.joint(f"{part}.{side}") for part in ("foot", "toe") for side in "LR"]]


def room(clip: Clip, scene: Scene) -> Array:
    """Return the distance (F), meters, of the head below the ceiling over its body."""
    top = tops(clip)
    waist = np.concatenate([top[:, :2], np.full((len(top), 1), 0.4)], axis=1)
    return scene.ceilings(waist) - top[:, 2]


UPRIGHT = float(tops(CLIP)[:, 2].max())


class TestRoof:
    @pytest.mark.parametrize("height", [UPRIGHT - 0.01, 1.6, 1.4, 1.2, 1.1])
    def test_the_head_is_under_it(self, height: float) -> None:
        ducked = duck(CLIP, roof(height, begin=3.0, end=5.0))
        assert room(CLIP, roof(height, begin=3.0, end=5.0)).min() < 0.0
        assert room(ducked, roof(height, begin=3.0, end=5.0)).min() > -0.002

    @given(height=st.floats(1.1, 1.7), begin=st.floats(1.0, 4.0), length=st.floats(0.05, 3.0))
    def test_the_head_is_under_any(self, height: float, begin: float, length: float) -> None:
        beam = roof(height, begin=begin, end=begin + length)
        assert room(duck(CLIP, beam), beam).min() > -0.002

    @pytest.mark.parametrize("height", [1.6, 1.2])
    def test_one_ducks_no_lower_than_it_takes(self, height: float) -> None:
        everywhere = Boxes([FLOOR, ((-FAR, -FAR, height), (FAR, FAR, height + 0.2))])
        lowest = tops(duck(CLIP, everywhere))[60:-60, 2]
        # The head of somebody who walks bobs, and a ceiling is met by the highest of it.
        bob = np.ptp(tops(CLIP)[60:-60, 2])
        assert lowest.max() == pytest.approx(height, abs=0.002)
        assert lowest.min() > height - bob - 0.03

    @pytest.mark.parametrize("height", [1.6, 1.2, 0.9, 0.5])
    def test_feet_stay_where_they_are(self, height: float) -> None:
        ducked = duck(CLIP, roof(height, begin=3.0, end=5.0))
        np.testing.assert_allclose(feet(ducked), feet(CLIP), atol=1e-6)

    def test_far_from_it_nothing_changes(self) -> None:
        ducked = duck(CLIP, roof(1.2, begin=4.0, end=4.5))
        x, reach = CLIP.positions[:, 0, 0], WALKER.speed * 2 * DUCK_BLEND_S + 0.6
        away = (x < 4.0 - reach) | (x > 4.5 + reach)
        assert away.sum() > 100
        np.testing.assert_allclose(ducked.positions[away], CLIP.positions[away], atol=1e-6)

    @pytest.mark.parametrize("height", [1.5, 1.2])
    def test_nobody_jerks(self, height: float) -> None:
        ducked = duck(CLIP, roof(height, begin=3.0, end=5.0))
        before, after = (
            np.linalg.norm(np.diff(tops(clip), n=2, axis=0), axis=-1).max() * 60**2 for clip in (CLIP, ducked)
        )
        # Half a meter down within 0.6 s is some 8 m/s^2 for a smooth course.
        assert after < before + 25.0

    def test_the_head_looks_ahead_and_the_trunk_bends_forwards(self) -> None:
        ducked = duck(CLIP, roof(1.2, begin=3.0, end=5.0))
        at = int(np.argmin(np.abs(CLIP.positions[:, 0, 0] - 4.0)))
        neck, hips, head = (CLIP.skeleton.joint(role) for role in ("neck", "hips", "head"))
        trunk = (ducked.positions[:, neck] - ducked.positions[:, hips])[at]
        assert trunk[0] > 0.15, "forwards, to the east"
        looks = rotate(ducked.world[1][at, head], rotate([0.0, 0.0, 0.0, 1.0], np.array([0.0, 1.0, 0.0])))
        was = rotate(CLIP.world[1][at, head], rotate([0.0, 0.0, 0.0, 1.0], np.array([0.0, 1.0, 0.0])))
        bend = np.arctan2(trunk[0], trunk[2])
        assert np.arccos(np.clip(looks @ was, -1, 1)) < 0.35 * bend

    def test_knees_bend_and_bones_keep_their_lengths(self) -> None:
        ducked = duck(CLIP, roof(1.15, begin=3.0, end=5.0))
        for side in "LR":
            thigh, shin, foot = (CLIP.skeleton.joint(f"{part}.{side}") for part in ("thigh", "shin", "foot"))
            bones = np.linalg.norm(np.diff(ducked.positions[:, [thigh, shin, foot]], axis=1), axis=-1)
            np.testing.assert_allclose(bones, 0.42, atol=1e-6)
        assert (CLIP.positions[:, 0, 2] - ducked.positions[:, 0, 2]).max() <= MAX_HIP_DROP_RATIO * 0.84 + 1e-9


class TestOthers:
    @pytest.mark.parametrize("scene", [Plane(), stairs(), roof(2.2), roof(UPRIGHT + 0.001)])
    def test_without_a_low_ceiling_a_clip_is_left_alone(self, scene: Scene) -> None:
        assert duck(CLIP, scene) is CLIP

    def test_who_stops_before_a_low_ceiling_stays_upright(self) -> None:
        assert duck(CLIP, roof(0.9, begin=float(tops(CLIP)[:, 0].max()) + 0.2, end=20.0)) is CLIP

    @pytest.mark.parametrize("height", [0.9, 0.75])
    def test_under_what_is_too_low_one_is_as_low_as_can_be(self, height: float) -> None:
        ducked = duck(CLIP, roof(height, begin=3.0, end=5.0))
        assert np.isfinite(ducked.positions).all()
        under = np.abs(tops(ducked)[:, 0] - 4.0) < 0.5
        assert tops(ducked)[under, 2].max() < 1.1

    def test_who_has_no_head_does_not_duck(self) -> None:
        own = person()
        names = tuple("skull" if name == "head" else name for name in own.names)
        headless = replace(CLIP, skeleton=Skeleton(names, own.parents, own.offsets, own.tips))
        if "head" not in headless.skeleton.roles:
            assert duck(headless, roof(1.2)) is headless

    def test_a_press_that_comes_down_is_ducked_under_when_it_is_low(self) -> None:
        """From 2.4 m down to 1.4 m in the seven seconds of the walk."""
        plate = Boxes([((-FAR, -FAR, 2.4), (FAR, FAR, 2.5))])
        press = Carrier(Boxes([FLOOR]), plate, velocity=(0.0, 0.0, -1.0 / (len(CLIP) - 1)))
        ducked = duck(CLIP, press)
        underside = 2.4 - np.linspace(0.0, 1.0, len(CLIP))
        assert (tops(ducked)[:, 2] < underside + 0.002).all()
        early = underside > UPRIGHT + 0.2
        np.testing.assert_allclose(ducked.positions[early], CLIP.positions[early], atol=1e-9)

    @pytest.mark.parametrize("scale", [0.3, 2.0])
    def test_somebody_of_another_size_ducks_as_an_adult_does(self, scale: float) -> None:
        small = Clip(person(scale), CLIP.rate, CLIP.root_positions * scale, CLIP.rotations, "scaled")
        ducked = duck(small, ScaledScene(roof(1.3), scale))
        np.testing.assert_allclose(ducked.positions, duck(CLIP, roof(1.3)).positions * scale, atol=1e-5)

    @pytest.mark.parametrize("frames", [1, 2, 5])
    def test_the_shortest_clip_ducks(self, frames: int) -> None:
        short = Clip(CLIP.skeleton, 60.0, CLIP.root_positions[200 : 200 + frames], CLIP.rotations[200 : 200 + frames])
        low = Boxes([FLOOR, ((-FAR, -FAR, 1.4), (FAR, FAR, 1.5))])
        assert tops(duck(short, low))[:, 2].max() < 1.4 + 0.002
