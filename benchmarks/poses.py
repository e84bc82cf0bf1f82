"""Key poses: accuracy of bakes at them, and quality of the motion around them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.control.edit.body_response import BodyResponse
from ..core.control.edit.foot import feet_of
from ..core.control.edit.ground_root import GroundRoot
from ..core.control.edit.key_pose import KeyPose, kept_joints, usual_window
from ..core.control.edit.pose_warping import impossible_poses, warp_through_poses
from ..core.control.path.path import Path
from ..core.control.walk.finished_walk import Walk
from ..core.control.walk.path_walk import make_walk
from ..core.control.walk.plan import WalkRequest
from ..core.models.model_file import ControllerModel
from ..core.motion import Clip
from ..core.motion.contacts import FootContacts
from ..core.motion.limb_ik import rotate_joint
from ..core.motion.paws import paw_tracks
from ..core.motion.roles import is_quadruped
from ..core.motion.rotations import Array, exp, inverse, length, log, multiply
from ..core.terrain.ground import Plane
from .captured import captured_clip
from .measures.extremes import joint_accelerations
from .setup import Setup
from .tables import Part, table

TITLE = "Key poses"
WALKS: Final = 50
WALK_M: Final = 8.0
SPEEDS_M_S: Final = (0.8, 1.8)
CAPTURED_RATE_HZ: Final = 60.0
EDGE_S: Final = 1.5
"""Time at both ends of a walk without poses."""
LARGEST_RAD: Final = 1.0
LARGEST_STEP_RAD: Final = 0.25
LARGEST_SHIFT_M: Final = 0.12
POSED: Final = {
    "arm": ("upper_arm.L", "upper_arm.R", "forearm.L", "forearm.R"),
    "head": ("head", "neck"),
    "leg": ("thigh.L", "thigh.R"),
    "whole body": ("spine", "chest"),
}
"""Kinds of poses, by the turned joints; the hips of a whole body are shifted, too."""

NOTES: Final = """\
Four key poses on each of 50 walks of 8 m at 0.8 to 1.8 m/s along curved paths."""


@dataclass(frozen=True, slots=True)
class Posed:
    """The figures of one pose: mm, degrees, s, rad/s^2 (N), cm/s."""

    off: float
    turned: float
    window: float
    changes: Array
    changes_before: Array
    slide: float
    is_said: bool


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    found: dict[str, list[Posed]] = {kind: [] for kind in POSED}
    elsewhere = 0.0
    for seed in range(WALKS):
        random = np.random.default_rng(seed)
        moved, poses = pose_walk(curved_walk(setup.model(), WALK_M, SPEEDS_M_S, random, seed), POSED, random)
        elsewhere = max(elsewhere, moved)
        for kind, posed in poses:
            found[kind].append(posed)
    rows = [row(kind, posed) for kind, posed in found.items()]
    rows.append(row("all", [one for posed in found.values() for one in posed]))
    names = [str(path.relative_to(setup.data).with_suffix("")) for path in setup.clips("walk", split="test")]
    clips = [captured_clip(setup.data, name, setup.model().skeleton, CAPTURED_RATE_HZ) for name in names]
    captured = np.concatenate([joint_accelerations(clip).ravel() for clip in clips])
    rows.append(["captured", "-", "-", "-", "-", float(np.percentile(captured, 99)), "-", "-", "-"])
    head = ["posed", "poses", "off mm", "off deg", "window s", "acceleration rad/s2", "before", "slide cm/s", "said"]
    return [table(head, rows), NOTES, f"Elsewhere the walks move by {1000 * elsewhere:.2g} mm."]


def row(kind: str, posed: list[Posed]) -> list[object]:
    """Return a row of the table."""
    return [
        kind,
        len(posed),
        max(one.off for one in posed),
        max(one.turned for one in posed),
        float(np.mean([one.window for one in posed])),
        float(np.percentile(np.concatenate([one.changes for one in posed]), 99)),
        float(np.percentile(np.concatenate([one.changes_before for one in posed]), 99)),
        float(np.mean([one.slide for one in posed])),
        sum(one.is_said for one in posed),
    ]


def curved_walk(
    model: ControllerModel, far: float, speeds: tuple[float, float], random: np.random.Generator, seed: int
) -> Walk:
    """Return a walk along a curved path of a length, meters, at a speed within a range, m/s."""
    along = np.linspace(0.0, far, 60)
    bend = random.uniform(-1.0, 1.0) * np.sin(along * random.uniform(0.5, 1.2))
    return make_walk(
        model, WalkRequest(Path(np.column_stack([along, bend])), float(random.uniform(*speeds)), seed=seed)
    )


def pose_walk(
    walk: Walk, posed: Mapping[str, Sequence[str]], random: np.random.Generator
) -> tuple[float, list[tuple[str, Posed]]]:
    """Return the largest joint movement outside all windows, meters, and the figures of a pose of each kind.

    Args:
        walk: the walk.
        posed: kinds of poses, by the turned joints.
        random: source of the frames and the poses.
    """
    root = GroundRoot.of_motion(walk.clip, Plane(), walk.clip.rate)
    edge = round(EDGE_S * walk.clip.rate)
    bounds = np.linspace(edge, len(walk.clip) - edge, len(posed) + 1).astype(int)
    kinds, keys, wanted = [str(kind) for kind in random.permutation(list(posed))], list[KeyPose](), list[Clip]()
    for number, kind in enumerate(kinds):
        frame = int(random.integers(bounds[number], bounds[number + 1]))
        pose, joints = _random_pose(walk.clip, frame, (kind, posed[kind]), random)
        window = usual_window(walk.clip, pose, joints, frame)
        keys.append(KeyPose(frame, root.pose_from_world(pose, frame), joints, window, window))
        wanted.append(pose)
    made = warp_through_poses(walk.clip, walk.contacts, keys, root, BodyResponse.load())
    figures = [_figures(walk, made, key, pose, root) for key, pose in zip(keys, wanted, strict=True)]
    return _moved_elsewhere(walk, made, keys), list(zip(kinds, figures, strict=True))


def _window_of(key: KeyPose, clip: Clip) -> slice:
    """Return the frames of the window of a pose."""
    before, after = round(key.blend_in * clip.rate), round(key.blend_out * clip.rate)
    return slice(max(key.frame - before, 0), key.frame + after + 1)


def _figures(walk: Walk, made: Clip, key: KeyPose, pose: Clip, root: GroundRoot) -> Posed:
    """Return the figures of one pose."""
    window = _window_of(key, made)
    turns = multiply(made.world[1][key.frame], inverse(pose.world[1][0]))[key.joints]
    return Posed(
        1000 * float(length(made.positions[key.frame] - pose.positions[0])[key.joints].max()),
        float(np.degrees(length(log(np.where(turns[:, :1] < 0, -turns, turns))).max())),
        key.blend_in,
        joint_accelerations(made)[window].ravel(),
        joint_accelerations(walk.clip)[window].ravel(),
        mean_slide(made, walk.contacts, window),
        any(impossible_poses(walk.clip, made, [key], root)),
    )


def mean_slide(clip: Clip, contacts: FootContacts, span: slice) -> float:
    """Return the mean speed of the standing balls or paws within a span of frames, cm/s."""
    skeleton, held, slides = clip.skeleton, contacts.held[span], [0.0]
    tracks = (
        dict(enumerate(np.moveaxis(paw_tracks(clip), 1, 0)))
        if is_quadruped(skeleton.roles)
        else {column: clip.positions[:, skeleton.joint(f"toe.{side}")] for side, column in (("L", 1), ("R", 3))}
    )
    for column, track in tracks.items():
        steps = length(np.diff(track[span], axis=0))
        slides += list(100 * clip.rate * steps[held[1:, column] & held[:-1, column]])
    return float(np.mean(slides))


def _moved_elsewhere(walk: Walk, made: Clip, keys: list[KeyPose]) -> float:
    """Return the largest displacement of a joint outside all windows and the steps in them, meters."""
    outside = np.ones(len(made), dtype=bool)
    for key in keys:
        outside[_window_of(key, made)] = False
    for foot in feet_of(made.skeleton):
        runs = foot.runs(walk.contacts)
        for number, (start, stop) in enumerate(runs):
            if not outside[start:stop].all():
                before = runs[number - 1, 1] if number else 0
                after = runs[number + 1, 0] if number + 1 < len(runs) else len(made)
                outside[before:after] = False
    return float(length(made.positions - walk.clip.positions)[outside].max(initial=0.0))


def _random_pose(
    clip: Clip, frame: int, kind: tuple[str, Sequence[str]], random: np.random.Generator
) -> tuple[Clip, NDArray[np.bool_]]:
    """Return a pose (one frame) that differs from a clip's at a frame, and its kept joints (J).

    Args:
        clip: the motion.
        frame: its frame.
        kind: name of the kind of pose, and the joints from which one is turned.
        random: source of the pose.
    """
    pose, skeleton, (name, roles) = clip.cut(frame, frame + 1), clip.skeleton, kind
    role = str(random.choice(roles))
    axis = random.normal(size=3)
    size = random.uniform(0.3, 1.0) * (LARGEST_STEP_RAD if name == "leg" else LARGEST_RAD)
    pose = rotate_joint(pose, skeleton.joint(role), exp(size * axis[None] / np.linalg.norm(axis)))
    if name != "whole body":
        return pose, kept_joints(skeleton, [skeleton.joint(role)])
    largest = LARGEST_SHIFT_M * (0.5 if is_quadruped(skeleton.roles) else 1.0)
    shift = random.uniform(-largest, largest, 3) * [1.0, 1.0, 0.0]
    shift[2] = -random.uniform(0.0, largest)
    spine = [skeleton.roles[one] for one in ("spine", "upper_arm.L", "upper_arm.R") if one in skeleton.roles]
    return replace(pose, root_positions=pose.root_positions + shift), kept_joints(skeleton, spine)
