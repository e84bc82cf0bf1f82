"""Inputs x and outputs y of locomotion networks as named layouts, and their values for labeled clips.

PFNN section 4.3. Frame ``i`` sees twelve trajectory samples from one second ago to 0.9 s ahead in its own root's frame,
and the pose of frame ``i - 1`` in that frame's root; its output is the pose of frame ``i``, the root's motion to ``i +
1`` and the trajectory expected from there.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion import Clip, Skeleton
from ..motion.root_frame import (
    RootTrack,
    extrapolate_track,
    facing_direction,
    into_frame,
    root_track,
    rotations_in_root_frame,
)
from ..motion.rotations import Array, exp, inverse, log, multiply, wrap_cycles
from .crouch import crouch_depth
from .layout import Group, Layout
from .rest import rest_phase, turning_share

FEATURE_RATE_HZ: Final = 60.0
"""Frame rate of clips that become features."""
SAMPLE_STEP_FRAMES: Final = 10
"""Frames from one trajectory sample to the next."""
SAMPLE_OFFSETS_FRAMES: Final = tuple(range(-60, 60, SAMPLE_STEP_FRAMES))
"""Frames of the trajectory samples relative to the current one."""
FUTURE_OFFSETS_FRAMES: Final = tuple(offset for offset in SAMPLE_OFFSETS_FRAMES if offset > 0)
"""Frames of the samples that the network predicts, relative to the next frame."""
LATERAL_SAMPLE_OFFSET_M: Final = 0.25
"""Distance of the terrain samples left and right of the trajectory from it."""
POSE_FEEDBACK_GROUPS: Final = ("pose.position", "pose.velocity")
"""Groups of y that are groups of the next frame's x, too."""
PERFORMER_GROUP: Final = "performer"
"""Group of x that tells the performers apart: their shares, summing to 1 (the actor code)."""

ROOT_SMOOTHING_S: Final = 0.4
"""Standard deviation of the Gaussian that takes sway and surge of the hips out of the root: the root follows a path,
and the hips move about it as people's do."""

MERGED_GAITS: Final = {"jog": "run"}
"""Gaits that are learned as another one (the paper merges jogging and running)."""
STANDING_MAX_SPEED_M_S: Final = 0.1
"""Speed below which a character that rises from a crouch stands."""
WALKING_MIN_SPEED_M_S: Final = 0.4
"""Speed from which a character that rises from a crouch walks."""
TRACK_PADDING_FRAMES: Final = -SAMPLE_OFFSETS_FRAMES[0] + 1
"""Frames by which a clip's root track is extrapolated at both ends, so that every frame has all samples."""
EXTRAPOLATION_WINDOW_FRAMES: Final = int(0.75 * FEATURE_RATE_HZ)
"""Frames at both ends of a root track over which speed and turn are averaged for its extrapolation."""

Float32 = NDArray[np.float32]


def network_gaits(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the labels' gaits that a network has as inputs."""
    return tuple(name for name in names if MERGED_GAITS.get(name) not in names)


def network_gait_labels(labels: Labels) -> Array:
    """Return the learned gaits (F, G) of labels, rows summing to 1."""
    learned = network_gaits(labels.gait_names)
    result = np.zeros((len(labels), len(learned)))
    for name, column in zip(labels.gait_names, labels.gaits.T, strict=True):
        result[:, learned.index(name if name in learned else MERGED_GAITS[name])] += column
    return result


def gait_inputs(clip: Clip, labels: Labels, speeds: Array) -> Array:
    """Return a clip's gaits (F, G) as a network sees them: those of the labels, with crouching scaled by its depth.

    The rest of a shallow crouch counts as walking or, at low speed, as standing.

    Args:
        clip: the motion.
        labels: its labels.
        speeds: (F), speed of the root, m/s.
    """
    gaits = network_gait_labels(labels)
    names = network_gaits(labels.gait_names)
    if not {"crouch", "walk", "stand"} <= set(names) or "head" not in clip.skeleton.roles:
        return gaits
    crouch = gaits[:, names.index("crouch")]
    upright = crouch * (1 - crouch_depth(clip))
    walking = np.clip((speeds - STANDING_MAX_SPEED_M_S) / (WALKING_MIN_SPEED_M_S - STANDING_MAX_SPEED_M_S), 0.0, 1.0)
    gaits[:, names.index("crouch")] -= upright
    gaits[:, names.index("walk")] += upright * walking
    gaits[:, names.index("stand")] += upright * (1 - walking)
    return gaits


def pose_joints(skeleton: Skeleton) -> tuple[str, ...]:
    """Return the names of the joints whose pose a network learns: all but those beyond the wrists and mere markers.

    A joint without a role at no distance from its parent (CMU's ``lhipjoint``) moves rigidly with it.
    """
    role_joints = set(skeleton.roles.values())
    hands = {skeleton.roles[role] for role in ("hand.L", "hand.R") if role in skeleton.roles}
    beyond_hands: set[int] = set()
    names: list[str] = []
    for joint, parent in enumerate(skeleton.parents):
        if parent in hands or parent in beyond_hands:
            beyond_hands.add(joint)
        elif joint in role_joints or np.linalg.norm(skeleton.offsets[joint]) > 1e-4 or joint == 0:
            names.append(skeleton.names[joint])
    return tuple(names)


def input_layout(joints: tuple[str, ...], gaits: tuple[str, ...], channels: int = 0, performers: int = 0) -> Layout:
    """Return the groups of x.

    Args:
        joints: names of the pose joints.
        gaits: names of the gaits.
        channels: number of phase channels, 0 for none.
        performers: number of performers that are told apart, 0 for none.
    """
    samples, count = len(SAMPLE_OFFSETS_FRAMES), len(joints)
    people = (Group(PERFORMER_GROUP, (performers,), "1", "none"),) if performers else ()
    vectors = (Group("phase.vector", (samples, channels, 2), "1", "none"),) if channels else ()
    return Layout(
        (
            Group("trajectory.position", (samples, 2), "m", "root"),
            Group("trajectory.direction", (samples, 2), "1", "root"),
            Group("trajectory.gait", (samples, len(gaits)), "1", "none"),
            Group("terrain.height", (samples, 3), "m", "ground under root"),
            Group("pose.position", (count, 3), "m", "previous root"),
            Group("pose.velocity", (count, 3), "m/s", "previous root"),
            *people,
            *vectors,
        )
    )


def output_layout(joints: tuple[str, ...], channels: int = 0) -> Layout:
    """Return the groups of y; ``contact`` is in the order of ``motion.roles.FOOT_CONTACTS``.

    With phase channels: their frequencies, and the phase vectors of the next frame and at the samples ahead of it.

    Args:
        joints: names of the pose joints.
        channels: number of phase channels, 0 for none.
    """
    samples, count = len(FUTURE_OFFSETS_FRAMES), len(joints)
    vectors = (
        Group("phase.frequency", (channels,), "1/s", "none"),
        Group("phase.vector", (1 + samples, channels, 2), "1", "none"),
    )
    return Layout(
        (
            Group("root.velocity", (2,), "m/s", "root"),
            Group("root.angular_velocity", (1,), "rad/s", "up"),
            Group("phase.rate", (1,), "1/s", "none"),
            Group("contact", (4,), "1", "none"),
            Group("trajectory.position", (samples, 2), "m", "next root"),
            Group("trajectory.direction", (samples, 2), "1", "next root"),
            Group("pose.position", (count, 3), "m", "root"),
            Group("pose.velocity", (count, 3), "m/s", "root"),
            Group("pose.rotation", (count, 3), "rad", "root, from the reference rotation"),
            *(vectors if channels else ()),
        )
    )


def phase_channel_count(layout: Layout) -> int:
    """Return the number of channels of a layout's phase vectors, 0 without any."""
    return next((group.shape[1] for group in layout if group.name == "phase.vector" and len(group.shape) == 3), 0)


def clip_features(
    clip: Clip, labels: Labels, joints: tuple[str, ...], reference: Array, performer: Array | None = None
) -> tuple[Float32, Float32, Float32]:
    """Return the samples of a clip at 60 Hz that stands on the plane z = 0.

    Args:
        clip: the motion.
        labels: its labels.
        joints: names of the pose joints (P).
        reference: (P, 4), each joint's reference rotation in the root's frame; ``pose.rotation`` is the exponential map
            of the rotation from there, so that it stays far from the map's seam at pi.
        performer: (K), shares of the performers in the clip; not given where they are not told apart.

    Returns:
        x (N, n), y (N, m) and phase (N) in cycles, of the consecutive frames 2 .. F - 2; none for fewer than four
        frames.

    Raises:
        ValueError: the clip is not at 60 Hz.
    """
    if clip.rate != FEATURE_RATE_HZ:
        raise ValueError(f"features are of clips at {FEATURE_RATE_HZ:g} Hz, not {clip.rate:g}: resample the clip first")
    people = 0 if performer is None else len(performer)
    x_layout = input_layout(joints, network_gaits(labels.gait_names), performers=people)
    y_layout = output_layout(joints)
    frames = np.arange(2, len(clip) - 1)
    x = np.zeros((len(frames), x_layout.size), dtype=np.float32)
    y = np.zeros((len(frames), y_layout.size), dtype=np.float32)
    if len(frames) == 0:
        return x, y, np.zeros(0, dtype=np.float32)
    track = root_track(clip, ROOT_SMOOTHING_S)
    pad = TRACK_PADDING_FRAMES
    wide = extrapolate_track(track, pad, pad, EXTRAPOLATION_WINDOW_FRAMES)
    pose, velocity = pose_features(clip, joints, track)
    rotation_vectors = log(multiply(inverse(reference), rotations_in_root_frame(clip, joints, track)))

    at = frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
    x_layout.view(x, "trajectory.position")[:] = into_frame(
        wide.positions[at + pad] - track.positions[frames, None], track.yaws[frames, None]
    )
    x_layout.view(x, "trajectory.direction")[:] = facing_direction(wide.yaws[at + pad] - track.yaws[frames, None])
    speeds = np.linalg.norm(np.gradient(track.positions, axis=0), axis=-1) * clip.rate
    gaits = gait_inputs(clip, labels, speeds)
    _count_turning_as_walking(gaits, network_gaits(labels.gait_names), turning_share(track.yaws, clip.rate))
    x_layout.view(x, "trajectory.gait")[:] = gaits[np.clip(at, 0, len(clip) - 1)]
    x_layout.view(x, "pose.position")[:] = pose[frames - 1]
    x_layout.view(x, "pose.velocity")[:] = velocity[frames - 1]
    if performer is not None:
        x_layout.view(x, PERFORMER_GROUP)[:] = performer

    ahead = frames[:, None] + 1 + np.array(FUTURE_OFFSETS_FRAMES)
    y_layout.view(y, "root.velocity")[:] = (
        into_frame(track.positions[frames + 1] - track.positions[frames], track.yaws[frames]) * clip.rate
    )
    y_layout.view(y, "root.angular_velocity")[:, 0] = (track.yaws[frames + 1] - track.yaws[frames]) * clip.rate
    phase = rest_phase(labels)
    y_layout.view(y, "phase.rate")[:, 0] = wrap_cycles(phase[frames + 1] - phase[frames]) * clip.rate
    y_layout.view(y, "contact")[:] = labels.foot_contacts.held[frames]
    y_layout.view(y, "trajectory.position")[:] = into_frame(
        wide.positions[ahead + pad] - track.positions[frames + 1, None], track.yaws[frames + 1, None]
    )
    y_layout.view(y, "trajectory.direction")[:] = facing_direction(
        wide.yaws[ahead + pad] - track.yaws[frames + 1, None]
    )
    y_layout.view(y, "pose.position")[:] = pose[frames]
    y_layout.view(y, "pose.velocity")[:] = velocity[frames]
    y_layout.view(y, "pose.rotation")[:] = rotation_vectors[frames]
    return x, y, phase[frames].astype(np.float32)


def _count_turning_as_walking(gaits: Array, names: tuple[str, ...], turning: Array) -> None:
    """Move the weight of standing in gaits (F, G), in place, to walking by the share of turning (F)."""
    if {"stand", "walk"} <= set(names):
        stepping = gaits[:, names.index("stand")] * turning
        gaits[:, names.index("stand")] -= stepping
        gaits[:, names.index("walk")] += stepping


def pose_features(clip: Clip, joints: tuple[str, ...], track: RootTrack) -> tuple[Array, Array]:
    """Return positions, meters, and velocities, m/s, (F, P, 3) of the pose joints in the root's frame.

    Args:
        clip: the motion.
        joints: names of the pose joints (P).
        track: the clip's root.
    """
    index = [clip.skeleton.names.index(name) for name in joints]
    ground = np.concatenate([track.positions, np.zeros((len(clip), 1))], axis=1)
    steps = np.diff(clip.positions[:, index], axis=0, prepend=clip.positions[:1, index]) * clip.rate
    positions = into_frame(clip.positions[:, index] - ground[:, None], track.yaws[:, None])
    return positions, into_frame(steps, track.yaws[:, None])


def pose_rotations(y: Array, layout: Layout, reference: Array) -> Array:
    """Return the pose joints' rotations in the root's frame (..., P, 4) of outputs.

    Args:
        y: (..., m), not normalized.
        layout: the groups of y.
        reference: (P, 4), the joints' reference rotations.
    """
    return multiply(reference, exp(layout.view(y, "pose.rotation").astype(float)))
