"""Inputs x and outputs y of networks that attack, as a named layout (Freda 2018, section 4.2).

As in the thesis, x holds the joints' positions, rotations and velocities with the velocity of the root, the trajectory,
and the target from the root; y holds the joints, the trajectory and the phase of the next frame, which are the outputs
of locomotion. In addition, x names the striking end effector, whether both hands hold one weapon, and whether an attack
is commanded, so that a character keeps its guard until the command. Fingers, and the bone of a weapon, are joints, too,
if clips have them; a weapon strikes with its tip.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ..labelling import Labels
from ..labelling.phase.acyclic_phase import acyclic_phase, blow_transitions, find_labeled_blows
from ..labelling.semantics.blows import LIMBS, MAX_HANDS_APART_M, Blow, LimbMotion
from ..motion import Clip, Skeleton
from ..motion.fingers import finger_roles
from ..motion.proportions import body_scale
from ..motion.root_frame import into_frame
from ..motion.rotations import Array, log
from ..motion.weapons import striking_places, weapon_roles
from .layout import Group, Layout
from .locomotion import (
    FEATURE_RATE_HZ,
    FUTURE_OFFSETS_FRAMES,
    SAMPLE_OFFSETS_FRAMES,
    ClipTracks,
    Float32,
    empty_samples,
    fill_outputs,
    output_layout,
)
from .phase_vectors import phase_vector

STRIKE_ACTIONS: Final = ("idle", "strike")
"""Actions of a controller that attacks: guard, and attack."""
EFFECTORS: Final = tuple(LIMBS)
"""Roles of the end effectors, in layout order."""
TARGET_GROUP: Final = "target.position"
"""Group of the target in x, by which the inputs of attacks are recognized."""
MAX_LEAD_S: Final = 0.25
"""Longest time from the command to the beginning of an attack."""
APEX_PHASE: Final = 0.5
"""Phase at the apex of an attack."""
VECTOR_SMOOTHING_FRAMES: Final = 3.0
"""Standard deviation of the Gaussian that fades phase vectors of end effectors in and out."""


def input_layout(joints: tuple[str, ...], channels: int = 0) -> Layout:
    """Return the layout of the inputs x of a network that attacks.

    Args:
        joints: names of the pose joints (P).
        channels: number of phase channels, 0 for none.
    """
    samples, count = len(SAMPLE_OFFSETS_FRAMES), len(joints)
    vectors = (Group("phase.vector", (samples, channels, 2), "1", "none"),) if channels else ()
    return Layout(
        (
            Group("trajectory.position", (samples, 2), "m", "root"),
            Group("trajectory.direction", (samples, 2), "1", "root"),
            Group("root.velocity", (2,), "m/s", "previous root"),
            Group("root.angular_velocity", (1,), "rad/s", "up"),
            Group("pose.position", (count, 3), "m", "previous root"),
            Group("pose.velocity", (count, 3), "m/s", "previous root"),
            Group("pose.rotation", (count, 3), "rad", "previous root, from the reference rotation"),
            Group(TARGET_GROUP, (3,), "m", "root"),
            Group("strike.effector", (len(EFFECTORS),), "1", "none"),
            Group("strike.weapon", (1,), "1", "none"),
            Group("strike.command", (1,), "1", "none"),
            *vectors,
        )
    )


def has_targets(layout: Layout) -> bool:
    """Return whether an input layout belongs to a network that attacks: it has a target."""
    return TARGET_GROUP in layout.slices


def clip_blows(clip: Clip, labels: Labels) -> list[Blow]:
    """Return a clip's attacks: those labeled *strike*, or detected ones if the labels do not have that action."""
    limbs = LimbMotion.of(clip, 0.0)
    return find_labeled_blows(labels.action_names, labels.actions, limbs) or limbs.blows


@dataclass(frozen=True, slots=True, eq=False)
class StrikeTracks:
    """Commands of the attacks of a clip of F frames, frame by frame.

    Attributes:
        targets: (F, 3) targets of the current attack, and from its apex on of the next one, world, meters.
        effectors: (F, E) end effector of the same attack, one-hot in the order of :data:`EFFECTORS`.
        weapon: (F) 1 if both hands hold one weapon in that attack, else 0.
        command: (F) 1 from a moment before an attack to its apex, else 0.
        phase: (F) acyclic phase, 0.5 at the apexes.
    """

    targets: Array
    effectors: Array
    weapon: Array
    command: Array
    phase: Array

    @staticmethod
    def of(clip: Clip, blows: Sequence[Blow], leads_s: Array) -> "StrikeTracks":
        """Return the commands of a clip's attacks, frame by frame.

        Args:
            clip: the motion.
            blows: attacks of the clip in order of time, at least one.
            leads_s: (B) time between the command for each attack and its beginning, seconds.
        """
        frames = len(clip)
        apexes = np.array([blow.apex for blow in blows])
        told = np.minimum(np.searchsorted(apexes, np.arange(frames), side="left"), len(blows) - 1)
        command = np.zeros(frames)
        for blow, lead in zip(blows, leads_s, strict=True):
            command[max(blow.start - round(lead * clip.rate), 0) : blow.apex + 1] = 1.0
        kinds = np.eye(len(EFFECTORS))[[EFFECTORS.index(blow.effector) for blow in blows]]
        armed = np.array([float(holds_weapon(clip, blow)) for blow in blows])
        phase = acyclic_phase(blow_transitions(blows), frames)
        return StrikeTracks(strike_targets(clip, blows)[told], kinds[told], armed[told], command, phase)


def strike_joints(joints: tuple[str, ...], skeleton: Skeleton) -> tuple[str, ...]:
    """Return the names of the pose joints of a network that attacks: ``joints``, the fingers and the weapons."""
    roles = (*finger_roles(skeleton), *weapon_roles(skeleton))
    return (*joints, *(skeleton.names[skeleton.joint(role)] for role in roles))


def strike_targets(clip: Clip, blows: Sequence[Blow]) -> Array:
    """Return the targets (B, 3), meters, world, of B attacks: the weapon's tip, or the hand or foot, at the apex."""
    return np.array([striking_places(clip, blow.effector)[blow.apex] for blow in blows]).reshape(-1, 3)


def holds_weapon(clip: Clip, blow: Blow) -> bool:
    """Return whether both hands stay together during an attack, as on one weapon."""
    roles = clip.skeleton.roles
    if not blow.effector.startswith("hand") or not {"hand.L", "hand.R"} <= set(roles):
        return False
    left, right = (clip.positions[blow.start : blow.stop, roles[role]] for role in ("hand.L", "hand.R"))
    return bool(np.linalg.norm(left - right, axis=-1).max() < MAX_HANDS_APART_M * body_scale(clip))


def strike_features(
    clip: Clip, labels: Labels, blows: Sequence[Blow], joints: tuple[str, ...], reference: Array, leads_s: Array
) -> tuple[Float32, Float32, Float32]:
    """Return the training samples of a network that attacks for a clip at 60 Hz on the plane z = 0.

    Args:
        clip: the motion.
        labels: its labels.
        blows: attacks of the clip in order of time, at least one.
        joints: names of the pose joints (P).
        reference: (P, 4) each joint's reference rotation in the root's frame.
        leads_s: (B) time between the command for each attack and its beginning, seconds.

    Returns:
        x (N, n), y (N, m) and phase (N) in cycles, of the consecutive frames 2 .. F - 2; none for fewer than four
        frames.

    Raises:
        ValueError: the clip is not at 60 Hz.
    """
    x_layout, y_layout = input_layout(joints), output_layout(joints)
    if len(clip) < 4:
        return empty_samples(x_layout, y_layout)
    tracks, told = ClipTracks.of(clip, labels, joints, reference), StrikeTracks.of(clip, blows, leads_s)
    frames, root, turns = tracks.frames, tracks.root, rotation_vectors(tracks.rotation, joints, clip.skeleton)
    x = np.zeros((len(frames), x_layout.size), dtype=np.float32)
    y = np.zeros((len(frames), y_layout.size), dtype=np.float32)
    steps = into_frame(root.positions[frames] - root.positions[frames - 1], root.yaws[frames - 1])
    for name, values in {
        "trajectory.position": tracks.positions_at(frames, SAMPLE_OFFSETS_FRAMES),
        "trajectory.direction": tracks.directions_at(frames, SAMPLE_OFFSETS_FRAMES),
        "root.velocity": steps * FEATURE_RATE_HZ,
        "root.angular_velocity": (root.yaws[frames] - root.yaws[frames - 1])[:, None] * FEATURE_RATE_HZ,
        "pose.position": tracks.pose[frames - 1],
        "pose.velocity": tracks.velocity[frames - 1],
        "pose.rotation": turns[frames - 1],
        TARGET_GROUP: target_from_root(told.targets[frames], root.positions[frames], root.yaws[frames]),
        "strike.effector": told.effectors[frames],
        "strike.weapon": told.weapon[frames, None],
        "strike.command": told.command[frames, None],
    }.items():
        x_layout.view(x, name)[:] = values
    fill_outputs(y_layout, y, tracks, FUTURE_OFFSETS_FRAMES, labels)
    y_layout.view(y, "pose.rotation")[:] = turns[frames]
    y_layout.view(y, "phase.rate")[:, 0] = phase_rates(told.phase)[frames]
    return x, y, told.phase[frames].astype(np.float32)


def rotation_vectors(rotations: Array, joints: tuple[str, ...], skeleton: Skeleton) -> Array:
    """Return the exponential maps (F, P, 3) of rotations (F, P, 4) of the pose joints of a skeleton.

    The last bones of a fist turn by more than half a turn, beyond the seam of exponential maps: of the two maps of a
    finger's rotation, the result is the one nearer to the parent joint's map.
    """
    vectors = log(rotations)
    for joint in (skeleton.joint(role) for role in finger_roles(skeleton)):
        names = skeleton.names[joint], skeleton.names[skeleton.parents[joint]]
        if set(names) <= set(joints):
            own, above = (vectors[:, joints.index(name)] for name in names)
            angles = np.linalg.norm(own, axis=-1, keepdims=True)
            other = own * (1.0 - 2 * np.pi / np.maximum(angles, 1e-9))
            nearer = np.linalg.norm(other - above, axis=-1) < np.linalg.norm(own - above, axis=-1)
            own[nearer] = other[nearer]
    return vectors


def target_from_root(targets: Array, positions: Array, yaws: Array) -> Array:
    """Convert world targets (..., 3), m, to the frames of roots at ``positions`` (..., 2), m, with yaws (...), rad."""
    away = np.array(targets, dtype=float)
    away[..., :2] -= positions
    return into_frame(away, yaws)


def phase_rates(phase: NDArray[np.floating]) -> Array:
    """Return the rates (F), cycles per second, from each frame to the next, of an acyclic phase (F); 0 at the end.

    The step from the end of an attack, 1, to the beginning of the next or to the guard, 0, does not count as backward.
    """
    steps = np.append(np.diff(phase), 0.0)
    return np.where(steps < 0, np.maximum(steps + 1, 0.0), steps) * FEATURE_RATE_HZ


def effector_phase_vectors(phase: NDArray[np.floating], effectors: NDArray[np.floating]) -> Array:
    """Return phase vectors (F, E, 2) of E end effectors: of the attack's phase for the striking one, zero for others.

    The vectors fade in and out over a few frames around an attack.

    Args:
        phase: (F) acyclic phase of the attacks.
        effectors: (F, E) end effector of the commanded attack, which changes to the next attack's at an apex.
    """
    told = effectors.astype(float)
    swings = np.flatnonzero((phase > 0) & (phase <= APEX_PHASE))
    after = np.flatnonzero(phase > APEX_PHASE)
    if len(swings) and len(after):
        told[after] = told[swings[np.maximum(np.searchsorted(swings, after) - 1, 0)]]
    vectors = phase_vector(phase, told.T * (phase > 0)).transpose(1, 0, 2)
    return scipy.ndimage.gaussian_filter1d(vectors, VECTOR_SMOOTHING_FRAMES, axis=0, mode="nearest")
