"""Heads stay under ceilings: no lower than necessary, smoothly, over feet that stay in place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.control.passes.duck import TUNING, duck
from footfall.core.motion import Clip
from footfall.core.motion.rotations import Array, rotate
from footfall.core.terrain.ground import ScaledScene, Scene
from footfall.tests.support.terrain_scenes import FAR, FLOOR, Boxes, Carrier, roof
from footfall.tests.support.walker import Walker, person

WALKER = Walker(heading=-np.pi / 2, seconds=7.0)
"""Walks to the east, from x = 0.3 to 8.0."""
CLIP = WALKER.clip()


def tops(clip: Clip) -> Array:
    """Return the tops of the heads (F, 3), meters."""
    head = clip.positions[:, clip.skeleton.joint("head")].copy()
    head[:, 2] += TUNING.head_top * clip.skeleton.leg_length
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


class TestOthers:
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
