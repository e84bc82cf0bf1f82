"""Takes of lying down, of real clips, and of pushing crates: continuous, on the ground, and never through the crate."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.models.model_file import load_model
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import Array, rotate
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.collider_pose import AnimatedCollider
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.data.sources import ClipSource
from footfall.training.interactions import walk_library
from footfall.training.interactions.ground_motion import GroundPiece, find_ways, load_ground_pieces
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.take_kinds import TAKE_KINDS, kind_of, share_of
from footfall.training.interactions.takes import push
from footfall.training.interactions.takes.ground import LYING_REST, make_ground_take
from footfall.training.interactions.takes.push import make_push_take
from footfall.training.interactions.walk_library import WalkLibrary

SHIPPED = Path(walk_library.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
SOURCE = ClipSource("made", "CC0", "none", folder="tests")
LIE, PUSH = ACTIONS.index("lie"), ACTIONS.index("push")


@pytest.fixture(scope="module")
def walks() -> WalkLibrary:
    return WalkLibrary(load_model(SHIPPED), count=4)


@pytest.fixture(scope="module")
def pieces(shared_data: Path) -> list[GroundPiece]:
    folder = shared_data / "mocap" / "accad_male1" / "crouch"
    paths = [folder / f"Male1_{name}.bvh" for name in ("A7_Crouch", "A8_CrouchToLie", "A10_LieToCrouch")]
    body = NetworkSkeleton.of(load_model(SHIPPED))
    return [piece for found in load_ground_pieces(paths, body).values() for piece in found]


@pytest.fixture(scope="module")
def lies(pieces: list[GroundPiece], walks: WalkLibrary) -> InteractionTake:
    take = make_ground_take(LYING_REST, pieces, walks, SOURCE, 0)
    assert take is not None
    return take


@pytest.fixture(scope="module")
def pushes(walks: WalkLibrary) -> InteractionTake:
    return next(take for seed in range(20) if (take := make_push_take(walks, SOURCE, seed)) is not None)


def largest_move(take: InteractionTake, action: int) -> float:
    """Largest move of a joint within a frame during an action, m."""
    moves = np.linalg.norm(np.diff(take.clip.positions, axis=0), axis=-1).max(axis=1)
    return float(moves[take.actions[:-1, action] > 0].max())


def bottoms(take: InteractionTake, frames: Array, roles: tuple[str, ...]) -> Array:
    """Heights (N) of the lowest points of parts of the body, m."""
    body = BodyCapsules.from_skeleton(take.clip.skeleton)
    spheres = body.sphere_indices(roles)
    return (body.sphere_centres(take.clip)[frames][:, spheres, 2] - body.radii[spheres]).min(axis=1)


def test_captured_pieces_lead_from_standing_to_lying_and_back_by_way_of_a_crouch(pieces: list[GroundPiece]) -> None:
    levels = {(one.start, one.end) for one in pieces}
    assert levels == {("stand", "crouch"), ("crouch", "stand"), ("crouch", "lie"), ("lie", "crouch")}
    assert len(find_ways(pieces, "stand", "lie")) == len(find_ways(pieces, "lie", "stand")) == 1
    assert not find_ways(pieces[:2], "stand", "lie")
    down = next(one for one in pieces if one.end == "lie")
    short = down.with_rest(30)
    assert short.rest_frames == 30 and len(short) == len(down) - down.rest_frames + 30
    mirrored = down.mirrored()
    np.testing.assert_array_equal(mirrored.touches[:, 1], down.touches[:, 2])


def test_a_body_lies_on_the_ground_and_neither_floats_nor_sinks(lies: InteractionTake) -> None:
    still = np.flatnonzero((lies.phase == 0.0) & (lies.contacts[:, 0] > 0.5))
    assert len(still) >= LYING_REST.stay_frames[0] - 20
    for part in (("hips", "chest"), ("thigh", "shin"), ("foot",), ("hand.L",), ("hand.R",)):
        heights = bottoms(lies, still, part)
        assert heights.min() > -0.03 and np.median(heights) < 0.04, part


def test_lying_down_goes_on_without_a_jump(lies: InteractionTake) -> None:
    assert largest_move(lies, LIE) < 0.08
    moves = np.linalg.norm(np.diff(lies.clip.positions, n=2, axis=0), axis=-1).max(axis=1)
    assert moves[lies.actions[2:, LIE] > 0.5].max() < 0.06


def test_lying_is_labeled_as_sitting_is(lies: InteractionTake) -> None:
    acts, wanted = lies.actions[:, LIE], lies.goal_actions[:, GOAL_ACTIONS.index("lie")] > 0
    assert acts.max() == 1.0 and acts[0] == acts[-1] == 0.0
    first, last = np.flatnonzero(wanted)[[0, -1]]
    assert acts[first] == 0.0 and acts[last] == 1.0, "commanded before it begins, until it is over"
    assert (lies.goal_object == -1).all()
    place = lies.goal_positions[first]
    np.testing.assert_array_equal(lies.goal_positions[first : last + 1], np.tile(place, (last + 1 - first, 1)))
    settled = int(np.flatnonzero((lies.phase == 0.0) & (acts == 1.0))[0])
    track = root_track(lies.clip)
    assert np.linalg.norm(track.positions[settled] - place[:2]) < 0.02
    assert lies.goal_directions[first] @ facing_direction(track.yaws[settled]) > 0.99
    down = int(np.argmax(acts == 1.0))
    assert 1.0 < np.linalg.norm(track.positions[down] - place[:2]) < 1.3, "a body's length before the place"


def test_a_crate_moves_with_both_palms_on_its_face(pushes: InteractionTake) -> None:
    crate, clip = pushes.objects[0], pushes.clip
    held = np.flatnonzero(pushes.contacts[:, 1] > 0.5)
    moves = np.linalg.norm(np.diff(crate.positions, axis=0), axis=1)
    assert moves[: held[0]].max() < 1e-9 and moves[held[-1] :].max() < 1e-9, "still without hands on it"
    assert np.abs(np.diff(moves)).max() < 0.001, "it begins and stops softly"
    assert np.linalg.norm(crate.positions[-1] - crate.positions[0]) > 0.4
    hands = clip.positions[:, [clip.skeleton.joint(f"hand.{side}") for side in "LR"]]
    offsets = (hands - crate.positions[:, None])[held]
    assert np.ptp(offsets, axis=0).max() < 0.01, "hands do not slide on it"
    front = rotate(crate.rotations[0], np.array([0.0, 1.0, 0.0]))
    assert front @ (crate.positions[-1] - crate.positions[0]) < 0, "its front faces the character"


def test_the_body_leans_and_stays_out_of_its_crate(pushes: InteractionTake) -> None:
    crate, clip = pushes.objects[0], pushes.clip
    body = BodyCapsules.from_skeleton(clip.skeleton)
    spheres = np.setdiff1d(np.arange(len(body.radii)), body.sphere_indices(("hand", "forearm")))
    moving = AnimatedCollider(crate.collider, crate.positions, crate.rotations)
    assert body.sphere_penetrations(clip, moving, spheres).max() <= push.TUNING.max_penetration
    trunk = clip.positions[:, clip.skeleton.joint("neck")] - clip.positions[:, clip.skeleton.joint("hips")]
    ahead = (crate.positions[-1] - crate.positions[0])[:2]
    lean = np.degrees(np.arctan2(trunk[:, :2] @ ahead / np.linalg.norm(ahead), trunk[:, 2]))
    assert np.median(lean[pushes.contacts[:, 1] > 0.5]) - lean[0] > 12.0


def test_a_push_is_a_slow_walk_whose_feet_stand(pushes: InteractionTake) -> None:
    assert largest_move(pushes, PUSH) < 0.06
    busy = pushes.contacts[:, 1] > 0.5
    assert pushes.actions[busy, PUSH].min() == 1.0 and pushes.actions[busy, ACTIONS.index("walk")].max() > 0.5
    clip = pushes.clip
    for side in "LR":
        toe = clip.positions[:, clip.skeleton.joint(f"toe.{side}")]
        still = np.linalg.norm(np.diff(toe[:, :2], axis=0), axis=1)[busy[1:]]
        assert np.quantile(still, 0.25) < 0.001, "a foot that stands does not slide"


def test_without_clips_of_lying_its_share_is_sitting_again() -> None:
    library: Any = SimpleNamespace(
        shows_carrying=True, shows_sitting=True, shows_lying=True, shows_ground_sitting=True, climbs=(1,)
    )
    kinds = [kind_of(library, number, leaning=True) for number in range(1000)]
    for kind in TAKE_KINDS:
        assert abs(kinds.count(kind) / 1000 - share_of(kind)) < 0.01
    library.shows_lying = False
    others = [kind_of(library, number) for number in range(1000)]
    assert not {"lie", "lean"} & set(others)
    before = ("carry", "open", "stroll", "detour")
    assert all(one == other for one, other in zip(kinds, others, strict=True) if one in before), "old takes stay"
