"""Takes of sitting down on the ground, of real clips: upright, on the ground, and held where captured rests end."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.training.data.network_skeleton import NetworkSkeleton
from footfall.training.data.sources import ClipSource
from footfall.training.interactions import walk_library
from footfall.training.interactions.ground_motion import (
    GroundPiece,
    find_ways,
    leads_down_and_up,
    load_ground_pieces,
)
from footfall.training.interactions.ground_rests import LYING, SITTING
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.takes.ground import SITTING_REST, make_ground_take
from footfall.training.interactions.walk_library import WalkLibrary

ROOT = Path(walk_library.__file__).parents[2]
SHIPPED = ROOT / "presets" / "controllers" / "locomotion.safetensors"
LIST = ROOT / "presets" / "interactions" / "ground_sitting_clips.txt"
SOURCE = ClipSource("made", "CC0", "none", folder="tests")
SIT = ACTIONS.index("sit_ground")


@pytest.fixture(scope="module")
def pieces(shared_data: Path) -> list[GroundPiece]:
    body = NetworkSkeleton.of(load_model(SHIPPED))
    names = [line for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    paths = [shared_data / name.removeprefix("../shared/data/") for name in names]
    return [piece for found in load_ground_pieces(paths, body, SITTING).values() for piece in found]


@pytest.fixture(scope="module")
def take(pieces: list[GroundPiece]) -> InteractionTake:
    made = make_ground_take(SITTING_REST, pieces, WalkLibrary(load_model(SHIPPED), count=4), SOURCE, 0)
    assert made is not None
    return made


def largest_moves(clip: Clip) -> Array:
    """The farthest (F - 1) that a joint moves from frame to frame, meters."""
    return np.linalg.norm(np.diff(clip.positions, axis=0), axis=-1).max(axis=1)


def test_captured_pieces_lead_from_standing_to_sitting_and_back(pieces: list[GroundPiece]) -> None:
    assert leads_down_and_up(pieces, SITTING) and not leads_down_and_up(pieces, LYING)
    assert len(find_ways(pieces, "stand", "sit")) == 4 and len(find_ways(pieces, "sit", "stand")) == 2
    for one in pieces:
        if {one.start, one.end} == {"stand", "sit"}:
            frames = slice(None, one.rest_frames) if one.start == "sit" else slice(-one.rest_frames, None)
            clip = one.motion.clip
            hips, head = (clip.positions[frames, clip.skeleton.joint(role), 2] for role in ("hips", "head"))
            assert np.median(hips) == pytest.approx(0.113, abs=0.01), "on the ground"
            assert np.median(head) > 0.5, "and upright"


def test_a_body_sits_on_the_ground_upright(take: InteractionTake) -> None:
    still = np.flatnonzero((take.phase == 0.0) & (take.contacts[:, 0] > 0.5))
    assert len(still) >= SITTING_REST.stay_frames[0] - 20
    body = BodyCapsules.from_skeleton(take.clip.skeleton)
    spheres = body.sphere_indices(("hips", "thigh", "shin"))
    bottoms = (body.sphere_centres(take.clip)[still][:, spheres, 2] - body.radii[spheres]).min(axis=1)
    assert bottoms.min() > -0.05 and np.median(bottoms) < 0.04
    hips, neck = (take.clip.positions[still, take.clip.skeleton.joint(role)] for role in ("hips", "neck"))
    assert np.median((neck - hips)[:, 2] / np.linalg.norm(neck - hips, axis=1)) > 0.7


def test_sitting_is_labeled_as_lying_is(take: InteractionTake, pieces: list[GroundPiece]) -> None:
    acts, wanted = take.actions[:, SIT], take.goal_actions[:, GOAL_ACTIONS.index("sit_ground")] > 0
    assert acts.max() == 1.0 and acts[0] == acts[-1] == 0.0
    first, last = np.flatnonzero(wanted)[[0, -1]]
    assert acts[first] == 0.0 and acts[last] == 1.0, "commanded before it begins, until it is over"
    settled = int(np.flatnonzero((take.phase == 0.0) & (acts == 1.0))[0])
    track = root_track(take.clip)
    assert np.linalg.norm(track.positions[settled] - take.goal_positions[first, :2]) < 0.02
    assert take.goal_directions[first] @ facing_direction(track.yaws[settled]) > 0.99
    fastest = max(largest_moves(one.motion.clip).max() for one in pieces)
    assert largest_moves(take.clip)[acts[:-1] > 0].max() < 1.5 * fastest, "without a jump beyond the captured motion"
