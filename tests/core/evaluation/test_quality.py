from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.evaluation import course_points
from footfall.core.evaluation.bending import hinge_axes
from footfall.core.evaluation.quality import (
    MEASURE_LIMITS,
    MeasureQuality,
    measure_traces,
    require_verdicts,
    summarise_traces,
)
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import from_axis_angle
from footfall.core.retarget.fit import fit_clip
from footfall.core.terrain.ground import Plane
from footfall.tests.support.walker import Walker

DOWN = FootContacts(np.ones((300, 4)))
WALK = Walker(seconds=4.0).clip()
DOWN_THROUGHOUT = FootContacts(np.ones((len(WALK), 4)))


def straight(speed: float = 1.2, frames: int = 300) -> np.ndarray:
    return np.column_stack([speed * np.arange(frames) / 60, np.zeros(frames)])


def by_name(found: list[MeasureQuality]) -> dict[str, MeasureQuality]:
    return {quality.measure: quality for quality in found}


def measured(clip: Clip, contacts: FootContacts = DOWN, path: np.ndarray | None = None) -> dict[str, MeasureQuality]:
    return by_name(summarise_traces(measure_traces(clip, contacts, Plane(), path)))


def test_the_place_farthest_from_the_path_is_found_once_the_character_has_set_off(gliding: Callable[..., Clip]) -> None:
    roots = straight()
    roots[10, 1], roots[200, 1] = 0.5, 0.1
    off = measured(gliding(roots), path=course_points("straight"))["path_deviation"]
    assert (off.frame, off.joint, off.verdict) == (200, "hips", "DOUBTFUL")
    assert off.worst == pytest.approx(10.0) and off.mean == pytest.approx(10.0 / 240)


def test_the_foot_that_slides_most_is_found() -> None:
    planted = measured(WALK, DOWN_THROUGHOUT)["foot_sliding"]
    down = ~np.isnan(measure_traces(WALK, DOWN_THROUGHOUT, Plane())[0].values)
    alone = down[:, 1] & ~down[:, 2:].any(axis=1)
    frame = next(frame for frame in range(len(alone)) if alone[frame : frame + 12].all())
    roots = WALK.root_positions.copy()
    roots[frame:, 1] += np.minimum(np.arange(len(roots) - frame) * 0.003, 0.03)
    slid = measured(replace(WALK, root_positions=roots), DOWN_THROUGHOUT)["foot_sliding"]
    assert slid.worst > planted.worst + 10 and frame <= slid.frame < frame + 11
    assert slid.joint in ("foot.L", "toe.L"), slid


def test_soles_in_the_ground_and_above_it(gliding: Callable[..., Clip]) -> None:
    clip = gliding(np.zeros((300, 2)))
    roots = clip.root_positions.copy()
    level = measured(clip)
    # Feet of this figure are lower than an adult's; that it stands on the ground is not what is asked here.
    roots[:, 2] += level["ground_penetration"].worst / 1000
    roots[120, 2] -= 0.02
    roots[220, 2] += 0.05
    found = measured(replace(clip, root_positions=roots))
    assert (found["ground_penetration"].frame, found["foot_floating"].frame) == (120, 220)
    assert found["ground_penetration"].worst == pytest.approx(20, abs=0.5)
    assert found["ground_penetration"].joint in ("foot.L", "foot.R", "toe.L", "toe.R")
    lifted = FootContacts(np.where(np.arange(300)[:, None] == 220, 0.0, DOWN.probabilities))
    up = measured(replace(clip, root_positions=roots), lifted)
    assert up["foot_floating"].frame != 220, "a foot that is up does not float"


def test_the_joint_that_jolts_is_named() -> None:
    rotations = WALK.rotations.copy()
    elbow = WALK.skeleton.joint("forearm.L")
    rotations[100, elbow] = from_axis_angle(np.array([0.0, 0.0, 1.0]), np.array(1.5))
    jolt = measured(replace(WALK, rotations=rotations), DOWN_THROUGHOUT)["jitter"]
    assert jolt.joint == "hand.L" and 100 <= jolt.frame <= 103 and jolt.verdict == "BAD"
    assert measured(WALK, DOWN_THROUGHOUT)["jitter"].worst < jolt.worst / 3


def test_a_knee_that_bends_back_is_bad_and_one_that_does_not_is_good() -> None:
    before = measured(WALK, DOWN_THROUGHOUT)["knee_hyperextension"]
    assert (before.worst, before.verdict) == (0.0, "GOOD")
    rotations, shin = WALK.rotations.copy(), WALK.skeleton.joint("shin.R")
    rotations[77, shin] = from_axis_angle(hinge_axes(WALK)["knee"][1], np.radians(-20.0))
    back = measured(replace(WALK, rotations=rotations), DOWN_THROUGHOUT)["knee_hyperextension"]
    assert (back.frame, back.joint, back.verdict) == (77, "shin.R", "BAD") and back.worst == pytest.approx(20, abs=1)


def test_a_giants_faults_are_as_large_as_the_giant(gliding: Callable[..., Clip]) -> None:
    clip = gliding(straight())
    giant = replace(clip, skeleton=clip.skeleton.scaled(3.0), root_positions=clip.root_positions * 3.0)
    small, large = (measure_traces(one, DOWN, Plane()) for one in (clip, giant))
    for one, other in zip(small[:-1], large[:-1], strict=True):
        assert other.limits.good == pytest.approx(3.0 * one.limits.good), one.measure


@dataclass(frozen=True)
class Belt:
    """A level floor that moves along X, meters a frame."""

    step: float
    is_static: bool = False

    def heights(self, points: np.ndarray, frame: float = 0.0) -> np.ndarray:
        return np.zeros(np.shape(points)[:-1])

    def move_with_ground(self, points: np.ndarray, from_frame: float, to_frame: float) -> np.ndarray:
        return points + np.array([self.step * (to_frame - from_frame), 0.0, 0.0])


def test_who_rides_does_not_slide(gliding: Callable[..., Clip]) -> None:
    clip = gliding(straight(speed=1.2))
    riding = by_name(summarise_traces(measure_traces(clip, DOWN, Belt(1.2 / 60))))
    assert riding["foot_sliding"].worst == pytest.approx(0.0, abs=1e-6)
    assert by_name(summarise_traces(measure_traces(clip, DOWN, Belt(0.0))))["foot_sliding"].mean == pytest.approx(120.0)


def test_real_walks_are_hardly_ever_bad(shared_data: Path) -> None:
    """The limits are those of 42 walks; these are six of them."""
    folder = shared_data / "mocap" / "cmu_asfamc" / "walk"
    first = read_bvh(folder / "35_02.bvh")
    walks = [
        fit_clip(read_bvh(folder / f"35_{number:02}.bvh").resampled(60.0), first.skeleton) for number in range(2, 8)
    ]
    rows = [measured(walk, FootContacts(np.zeros((len(walk), 4)))) for walk in walks]
    for measure in ("foot_sliding", "ground_penetration", "jitter", "knee_hyperextension"):
        worst = [row[measure].worst for row in rows]
        assert max(worst) <= MEASURE_LIMITS[measure].bad, (measure, worst)
        assert measure == "knee_hyperextension" or np.median(worst) > MEASURE_LIMITS[measure].typical / 4, (
            measure,
            worst,
        )


@pytest.mark.parametrize(
    ("fail_on", "said"),
    [(None, None), ("bad", "The quality of the bake is not good enough: foot sliding is BAD"),
     ("doubtful", "The quality of the bake is not good enough: path deviation is DOUBTFUL, foot sliding is BAD")]
)  # fmt: skip
def test_verdicts_fail_from_the_one_that_is_named(fail_on: str | None, said: str | None) -> None:
    verdicts = {"path_deviation": "DOUBTFUL", "foot_sliding": "BAD", "jitter": "GOOD"}
    if said is None:
        require_verdicts(verdicts, fail_on)
    else:
        with pytest.raises(FootfallError, match=f"^{said}$"):
            require_verdicts(verdicts, fail_on)
    require_verdicts({"jitter": "GOOD"}, fail_on)
