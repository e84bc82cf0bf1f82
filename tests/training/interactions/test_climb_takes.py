"""Takes of climbing, of real clips: continuous, feet and hands where they hold, and clear of the ladder elsewhere."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.models.model_file import load_model
from footfall.core.scene.climb_fitting import LIMBS, soles
from footfall.core.scene.collider_pose import PosedCollider
from footfall.core.scene.object_fitting import PALM_FLESH_M, palm_positions
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.data.sources import ClipSource
from footfall.training.interactions import climb_motion, walk_library
from footfall.training.interactions.captured_clip import load_captured_clip
from footfall.training.interactions.climb_motion import ClimbMotion, adapt_climb, find_climb_motions
from footfall.training.interactions.samples import take_samples
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.take_kinds import kind_of
from footfall.training.interactions.takes.climb import make_climb_take
from footfall.training.interactions.walk_library import WalkLibrary

SHIPPED = Path(walk_library.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
SOURCE = ClipSource("made", "CC0", "none", folder="tests")
MOUNT = ACTIONS.index("mount")
BODY = NetworkSkeleton.of(load_model(SHIPPED))


@pytest.fixture(scope="module")
def climbs(shared_data: Path) -> list[ClimbMotion]:
    folder = shared_data / "mocap" / "cmu_asfamc"
    files = folder / "climb" / "14_33.bvh", folder / "stairs" / "14_22.bvh"
    return [climb for file in files for climb in find_climb_motions(load_captured_clip(file, BODY))]


@pytest.fixture(scope="module")
def walks() -> WalkLibrary:
    return WalkLibrary(load_model(SHIPPED), count=4)


@pytest.fixture(scope="module")
def takes(climbs: list[ClimbMotion], walks: WalkLibrary) -> list[InteractionTake]:
    made = [
        next(take for seed in range(40) if (take := make_climb_take([climb], walks, SOURCE, seed)) is not None)
        for climb in climbs
    ]
    assert [take.name for take in made] == ["climb ladder", "climb steps"]
    return made


@pytest.mark.parametrize("ratio", [*climb_motion.TUNING.spacing_range_ratio, 1.0])
def test_feet_and_hands_come_to_where_other_rungs_are(climbs: list[ClimbMotion], ratio: float) -> None:
    for climb in climbs:
        spacing = ratio * climb.fit.structure.spacing
        made = adapt_climb(climb, spacing)
        found, clip = made.fit.structure, made.motion.clip
        assert found.spacing == pytest.approx(spacing)
        tracks = dict(zip(LIMBS, (*palm_positions(clip), *np.moveaxis(soles(clip), 1, 0)), strict=True))
        for one, level in zip(made.fit.supports, made.fit.level_numbers, strict=True):
            held = made.fit.local(tracks[one.limb][one.start : one.stop])
            if level >= 0:
                assert np.abs(held[:, 2] - found.levels[level]).mean() < 0.02
            else:
                assert found.collider().distances(held).mean() < PALM_FLESH_M + 0.01


def test_a_rest_at_the_top_is_longer_and_begins_and_ends_as_captured(climbs: list[ClimbMotion]) -> None:
    ladder = climbs[0]
    longer = ladder.lingering(90)
    assert ladder.lingering(0) is ladder and 60 < len(longer) - len(ladder) < 180
    added = len(longer) - len(ladder)
    assert longer.fit.frames == (ladder.fit.frames[0], ladder.fit.frames[1] + added)
    hips = longer.motion.clip.positions[:, 0]
    assert np.abs(np.diff(hips[longer.rest[0] : longer.rest[1]], axis=0)).max() < 0.01
    np.testing.assert_allclose(longer.motion.clip.positions[-50:], ladder.motion.clip.positions[-50:], atol=1e-9)


def test_takes_are_continuous_and_leave_the_floor_only_to_climb(takes: list[InteractionTake]) -> None:
    for take in takes:
        moves = np.linalg.norm(np.diff(take.clip.positions, axis=0), axis=-1).max(axis=1)
        assert moves.max() < 0.12
        hips = take.clip.positions[:, take.clip.skeleton.joint("hips"), 2]
        on, off = take.actions[:, MOUNT] == 1, take.actions[:, MOUNT] == 0
        assert hips[on].max() > hips[off].max() + 0.4


def test_feet_are_on_the_structure_of_the_take_and_the_root_is_clear_of_it_before(takes: list[InteractionTake]) -> None:
    for take in takes:
        structure = take.objects[0]
        placed = PosedCollider(structure.collider, structure.positions[0], structure.rotations[0])
        rests = np.flatnonzero((take.phase == 0.0) & (take.actions[:, MOUNT] == 1))
        feet = placed.to_local(soles(take.clip)[rests].reshape(-1, 3))
        assert np.percentile(structure.collider.distances(feet), 90) < 0.12
        top = max(structure.collider.upper[:, 2]) if structure.name == "steps" else 0.9
        assert np.abs(feet[:, 2] - top).mean() < 0.1


def test_the_goal_is_the_structure_until_the_climb_down(takes: list[InteractionTake]) -> None:
    for take in takes:
        wanted = take.goal_actions[:, GOAL_ACTIONS.index("mount")] > 0
        assert (take.goal_object[wanted] == 0).all() and take.phase[wanted][-1] == 0.0
        assert not wanted[take.actions[:, MOUNT] == 0][-60:].any()
        x, y, phase = take_samples(take, BODY.joints, BODY.reference_rotations)
        assert len(x) == len(y) == len(phase) and np.isfinite(x).all() and np.isfinite(y).all()


def test_climbs_come_last_among_the_kinds_and_are_all_there_is_where_nothing_else_is_given() -> None:
    library: Any = SimpleNamespace(
        shows_carrying=True, shows_sitting=True, shows_lying=True, shows_ground_sitting=False, climbs=(1,)
    )
    kinds = [kind_of(library, number) for number in range(500)]
    library.climbs = ()
    before = [kind_of(library, number) for number in range(500)]
    assert {old for old, new in zip(before, kinds, strict=True) if old != new} == {"sit"}
    library = SimpleNamespace(
        shows_carrying=False, shows_sitting=False, shows_lying=False, shows_ground_sitting=False, climbs=(1,)
    )
    alone = [kind_of(library, number) for number in range(500)]
    assert set(alone) == {"climb", "stroll", "detour"} and alone.count("climb") > 350
    library.climbs, library.shows_lying = (), True
    assert {kind_of(library, number) for number in range(500)} == {"lie", "stroll", "detour"}
    library.climbs, library.shows_ground_sitting = (1,), True
    counts = [
        [kind_of(library, number) for number in range(500)].count(kind) for kind in ("lie", "climb", "sit_ground")
    ]
    assert min(counts) > 100, "all that is shown has its turn"
