"""Feet on slopes, stairs, rubble and moving ground: at rest in contact, never in the ground, soles on the surface."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter1d

from footfall.core.control.feet.foot_lock import lock_feet, locked_contacts
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.heel import flat_foot_frames
from footfall.core.motion.limb_ik import Leg
from footfall.core.motion.proportions import ANKLE_JOINT_HEIGHT_M
from footfall.core.motion.rotations import UP, inverse, multiply, rotate, rotation_about_up
from footfall.core.terrain.ground import Plane, Scene
from footfall.tests.core.control.feet.footing import SOLE, creep, gaps, soles
from footfall.tests.support.properties import examples
from footfall.tests.support.terrain_scenes import (
    FAR,
    FLOOR,
    Boxes,
    Carrier,
    relief,
    rubble,
    slope,
    stairs,
    tilted,
)
from footfall.tests.support.walker import Walker

WALKER = Walker(heading=-np.pi / 2, seconds=7.0)
"""Walks to the east, from x = 0.3 to 8.0."""
LEVEL = WALKER.clip()
CONTACTS = FootContacts(WALKER.contacts)
HELD = CONTACTS.held

SCENES: dict[str, Scene] = {
    "up": tilted(15.0),
    "down": tilted(-15.0),
    "across": tilted(15.0, (0.0, 1.0)),
    "aslant": tilted(15.0, (1.0, -1.0)),
    "ramp": slope(20.0, up=1.5, down=4.5, length=2.0),
    "low stairs": stairs(rise=0.1, tread=0.35, count=5, up=1.5, down=5.0),
    "stairs": stairs(rise=0.17, tread=0.29, count=5, up=1.5, down=5.0),
    "low rubble": rubble(seed=1, height=0.1),
    "rubble": rubble(seed=2, height=0.3),
}


def over(scene: Scene, clip: Clip = LEVEL) -> Clip:
    """Return the clip at the heights of a network over a scene: the mean of the ground over half a second."""
    roots = clip.root_positions.copy()
    heights = scene.heights(roots + UP * 5.0)
    roots[:, 2] += gaussian_filter1d(heights, 0.25 * clip.rate, mode="nearest")
    return replace(clip, root_positions=roots)


def locked(scene: Scene) -> Clip:
    return lock_feet(over(scene), CONTACTS, scene, LEVEL)


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
class TestRough:
    def test_heels_and_balls_stand_still(self, scene: Scene) -> None:
        speeds = np.sort(creep(locked(scene), LEVEL, HELD, scene))
        # But for a leg that the hips do not sink for any farther.
        assert speeds[: int(0.97 * len(speeds))].max() < 0.001

    def test_neither_is_ever_in_the_ground(self, scene: Scene) -> None:
        assert gaps(locked(scene), LEVEL, scene).min() > -0.002

    def test_bodies_stay_whole(self, scene: Scene) -> None:
        clip = locked(scene)
        assert np.isfinite(clip.positions).all()
        assert np.isfinite(clip.rotations).all()
        bones = np.linalg.norm(np.diff(clip.positions[:, [1, 2, 3]], axis=1), axis=-1)
        np.testing.assert_allclose(bones, 0.42, atol=1e-6)


@given(degrees=st.floats(-20, 20), about=st.floats(0, 6.28))
@settings(max_examples=examples(15))
def test_feet_follow_slopes_of_any_direction(degrees: float, about: float) -> None:
    scene = tilted(degrees, (np.cos(about), np.sin(about)))
    clip = locked(scene)
    between = gaps(clip, LEVEL, scene)
    assert between.min() > -0.002
    np.testing.assert_allclose(between[HELD], 0.0, atol=0.006)
    normal = scene.normals(np.zeros((1, 3)))[0]
    for column, side in ((0, "L"), (2, "R")):
        leg = Leg.of(clip.skeleton, side)
        assert leg.toe is not None
        flat = flat_foot_frames(LEVEL, leg.foot, leg.toe)
        up = np.median(rotate(inverse(LEVEL.world[1][flat, leg.foot]), np.broadcast_to(UP, (len(flat), 3))), axis=0)
        both = HELD[:, column] & HELD[:, column + 1]
        soles_up = rotate(clip.world[1][both, leg.foot], np.broadcast_to(up, (both.sum(), 3)))
        assert (soles_up @ normal).min() > np.cos(np.radians(4.0))


class TestSwings:
    def test_a_foot_swings_over_a_hurdle_in_its_way(self) -> None:
        """A bar on which no foot lands: soles pass over it, and stand where they stood."""
        x = float(soles(LEVEL, LEVEL)[:, 0, 0][HELD[:, 0]].max())
        free = [edge for edge in np.arange(2.0, x, 0.02) if self._untouched(edge)]
        bar = Boxes([FLOOR, ((free[0], -FAR, 0.0), (free[0] + 0.03, FAR, 0.25))])
        clip = lock_feet(LEVEL, CONTACTS, bar, LEVEL)
        assert gaps(clip, LEVEL, bar).min() > -0.002
        flat = lock_feet(LEVEL, CONTACTS, Plane(), LEVEL)
        np.testing.assert_allclose(soles(clip, LEVEL)[HELD], soles(flat, LEVEL)[HELD], atol=1e-3)
        assert soles(clip, LEVEL)[..., 2].max() > 0.25

    @staticmethod
    def _untouched(edge: float) -> bool:
        """Return whether no standing sole has a surface within a foot's length of an edge."""
        standing = soles(LEVEL, LEVEL)[HELD]
        return bool((np.abs(standing[:, 0] - edge) > 0.12).all())

    def test_a_foot_on_its_heel_is_tipped_up_by_an_obstacle_under_its_ball(self) -> None:
        heel_only = np.zeros_like(HELD)
        heel_only[100:130, 0] = True
        step = float(soles(LEVEL, LEVEL)[115, 1, 0]) - 0.05
        scene = Boxes([FLOOR, ((step, -FAR, 0.0), (FAR, FAR, 0.06))])
        clip = lock_feet(LEVEL, FootContacts(heel_only), scene, LEVEL)
        assert gaps(clip, LEVEL, scene)[100:130, 1].min() > -1e-6


class TestHoles:
    def test_without_any_ground_feet_are_held_where_they_are(self) -> None:
        clip = lock_feet(LEVEL, CONTACTS, relief(lambda xy: np.full(xy.shape[:-1], np.nan)), LEVEL)
        assert np.isfinite(clip.positions).all()
        assert np.abs(soles(clip, LEVEL) - soles(LEVEL, LEVEL)).max() < 0.05


class TestMoving:
    """A character on moving ground stands as on static ground: relative to the ground, nothing is different."""

    CARRIERS = {
        "lift": Carrier(Plane(-1e3), Plane(), velocity=(0.0, 0.0, 0.5 / 60)),
        "train": Carrier(Plane(-1e3), Plane(), velocity=(0.05, 0.1, 0.0)),
        "turntable": Carrier(Plane(-1e3), Plane(), turn=np.radians(20.0) / 60, pivot=(4.0, 1.0)),
        "spiral": Carrier(
            Plane(-1e3), stairs(0.1, 0.35, 5, 1.5, 5.0), np.radians(10.0) / 60, (4.0, 0.0), (0, 0.01, 0.01)
        ),
    }

    @staticmethod
    def ridden(clip: Clip, carrier: Carrier, back: bool = False) -> Clip:
        """Return a clip at rest, as seen from the moving ground, or the reverse."""
        frames = range(len(clip))
        moved = [carrier.moved(at, f if back else 0, 0 if back else f) for f, at in enumerate(clip.root_positions)]
        turns = rotation_about_up(np.array([carrier.turn * f * (-1 if back else 1) for f in frames]))
        rotations = clip.rotations.copy()
        rotations[:, 0] = multiply(turns, rotations[:, 0])
        return Clip(clip.skeleton, clip.rate, np.array(moved), rotations, clip.name)

    @pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS.keys())
    def test_contacts_are_seen_from_it(self, carrier: Carrier) -> None:
        clip = self.ridden(over(carrier.rider), carrier)
        np.testing.assert_array_equal(
            locked_contacts(clip, CONTACTS, carrier, LEVEL).held,
            locked_contacts(over(carrier.rider), CONTACTS, carrier.rider, LEVEL).held,
        )

    @pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS.keys())
    def test_feet_ride_on_it(self, carrier: Carrier) -> None:
        clip = lock_feet(self.ridden(over(carrier.rider), carrier), CONTACTS, carrier, LEVEL)
        assert gaps(clip, LEVEL, carrier).min() > -0.002
        speeds = np.sort(creep(clip, LEVEL, HELD, carrier))
        assert speeds[: int(0.97 * len(speeds))].max() < 0.001


class TestWithoutToes:
    def body(self) -> tuple[Clip, Clip]:
        """Return the walker whose feet end at their ankles, on level ground and over stairs."""
        kept = [joint for joint, name in enumerate(LEVEL.skeleton.names) if "toes" not in name]
        skeleton = Skeleton(
            tuple(LEVEL.skeleton.names[joint] for joint in kept),
            tuple(kept.index(LEVEL.skeleton.parents[joint]) if joint else -1 for joint in kept),
            LEVEL.skeleton.offsets[kept],
            LEVEL.skeleton.tips[kept],
        )
        level = Clip(skeleton, LEVEL.rate, LEVEL.root_positions, LEVEL.rotations[:, kept])
        return level, over(SCENES["stairs"], level)

    def test_ankles_stand_on_the_steps(self) -> None:
        level, climbing = self.body()
        scene = SCENES["stairs"]
        clip = lock_feet(climbing, CONTACTS, scene, level)
        for column, side in ((0, "L"), (2, "R")):
            ankle = clip.positions[:, clip.skeleton.joint(f"foot.{side}")]
            above = ankle[:, 2] - scene.heights(ankle)
            assert above.min() > ANKLE_JOINT_HEIGHT_M - 0.002
            assert np.median(above[HELD[:, column]]) == pytest.approx(ANKLE_JOINT_HEIGHT_M, abs=0.002)


@pytest.mark.parametrize("scale", [0.3, 2.0])
def test_somebody_of_another_size_stands_on_their_own_stairs(scale: float) -> None:
    walker = replace(WALKER, scale=scale)
    level, held = walker.clip(), walker.contacts > 0.5
    scene = stairs(0.17 * scale, 0.29 * scale, 5, 1.5 * scale, 5.0 * scale)
    clip = lock_feet(over(scene, level), FootContacts(held), scene, level)
    between = gaps(clip, level, scene)
    assert between.min() > -0.002
    assert np.median(between[held]) < 0.005 * scale
    assert SOLE.min() * scale > 0


@pytest.mark.parametrize("name", ["low stairs", "stairs"])
def test_feet_that_land_at_the_edge_of_a_step_are_tilted_out_of_it_little_by_little(name: str) -> None:
    scene, clip = SCENES[name], over(SCENES[name])
    locked = lock_feet(clip, locked_contacts(clip, CONTACTS, scene, LEVEL), scene, LEVEL)
    feet = [locked.skeleton.joint(f"{part}.{side}") for part in ("foot", "toe") for side in "LR"]
    # Changes of their moves from one frame to the next: 7 and 10 cm where the tilt begins within a frame.
    assert np.linalg.norm(np.diff(locked.positions[:, feet], 2, axis=0), axis=-1).max() < 0.04
