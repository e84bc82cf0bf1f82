"""Inputs x and outputs y of locomotion networks as named layouts, and their values for labeled clips.

PFNN section 4.3. Frame ``i`` sees twelve trajectory samples from one second ago to 0.9 s ahead in its own root's frame,
and the pose of frame ``i - 1`` in that frame's root; its output is the pose of frame ``i``, the root's motion to ``i +
1`` and the trajectory expected from there.
"""

from dataclasses import dataclass
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
from ..motion.rotations import AXIS_PAIR_SIZE, Array, exp, from_axis_pair, inverse, log, multiply, wrap_cycles
from .crouch import crouch_depth
from .layout import Group, Layout
from .rest import rest_phase, turning_share

FEATURE_RATE_HZ: Final = 60.0
"""Frame rate to which clips are resampled before features are computed."""
SAMPLE_STEP_FRAMES: Final = 10
"""Number of frames from one trajectory sample to the next."""
SAMPLE_OFFSETS_FRAMES: Final = tuple(range(-60, 60, SAMPLE_STEP_FRAMES))
"""The twelve trajectory samples, in frames from the current one."""
FUTURE_OFFSETS_FRAMES: Final = tuple(offset for offset in SAMPLE_OFFSETS_FRAMES if offset > 0)
"""The predicted trajectory samples, in frames from the next frame."""
LATERAL_SAMPLE_OFFSET_M: Final = 0.25
"""Distance of the left and right terrain samples from the trajectory."""
POSE_FEEDBACK_GROUPS: Final = ("pose.position", "pose.velocity")
"""Groups of y that are also groups of the next frame's x."""
PERFORMER_GROUP: Final = "performer"
"""Group of x that identifies performers, by shares that sum to 1 (the actor code)."""

ROOT_SMOOTHING_S: Final = 0.4
"""Standard deviation of the Gaussian that removes sway and surge of the hips from the root: the root follows a path,
and the hips move around it."""

MERGED_GAITS: Final = {"jog": "run"}
"""Gaits that networks learn as another gait: jogging counts as running, as in the paper."""
STANDING_MAX_SPEED_M_S: Final = 0.1
"""Speed below which a character that rises from a crouch counts as standing."""
WALKING_MIN_SPEED_M_S: Final = 0.4
"""Speed above which a character that rises from a crouch counts as walking."""
TRACK_PADDING_FRAMES: Final = -SAMPLE_OFFSETS_FRAMES[0] + 1
"""Number of frames by which a clip's root track is extrapolated at both ends, so that every frame has all samples."""
EXTRAPOLATION_WINDOW_FRAMES: Final = int(0.75 * FEATURE_RATE_HZ)
"""Number of frames at each end of a root track from whose mean speed and turn the track is extrapolated."""

Float32 = NDArray[np.float32]


def network_gaits(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the gaits, among the labels' gait names, that a network learns; others are merged into one of these."""
    return tuple(name for name in names if MERGED_GAITS.get(name) not in names)


def network_gait_labels(labels: Labels) -> Array:
    """Return the weights (F, G) of the gaits that a network learns, from :func:`network_gaits`; rows sum to 1."""
    learned = network_gaits(labels.gait_names)
    result = np.zeros((len(labels), len(learned)))
    for name, column in zip(labels.gait_names, labels.gaits.T, strict=True):
        result[:, learned.index(name if name in learned else MERGED_GAITS[name])] += column
    return result


def gait_inputs(clip: Clip, labels: Labels, speeds: Array) -> Array:
    """Return a clip's gaits (F, G) as network inputs: the labels' gaits, with crouching scaled by its depth.

    The remaining weight of a shallow crouch counts as walking or, at low speed, as standing.

    Args:
        clip: the motion.
        labels: its labels.
        speeds: (F) speed of the root, m/s.
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
    """Return the names of the joints of a network's pose: all except markers and joints beyond the wrists.

    A joint without a role that coincides with its parent (CMU's ``lhipjoint``) counts as a marker.
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
    """Return the layout of a locomotion network's inputs x.

    Args:
        joints: names of the pose joints.
        gaits: names of the gaits.
        channels: number of phase channels, 0 for none.
        performers: number of distinguished performers, 0 for none.
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
    """Return the layout of a locomotion network's outputs y; contacts are in the order of ``roles.FOOT_CONTACTS``.

    With phase channels it includes their frequencies, and phase vectors of the next frame and the samples after it.

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
    """Return the number of phase channels in a layout, 0 if it has no phase vectors."""
    return next((group.shape[1] for group in layout if group.name == "phase.vector" and len(group.shape) == 3), 0)


def future_offsets(layout: Layout) -> tuple[int, ...]:
    """Return the offsets, frames from the current one, of the future trajectory samples of an input layout."""
    samples = next(group.shape[0] for group in layout if group.name == "trajectory.position")
    return tuple(SAMPLE_STEP_FRAMES * ahead for ahead in range(1, samples - SAMPLE_OFFSETS_FRAMES.index(0)))


@dataclass(frozen=True, slots=True, eq=False)
class ClipTracks:
    """The tracks from which the features of a clip of F frames are cut.

    Attributes:
        frames: (N) frames that become samples, 2 .. F - 2; none for fewer than four frames.
        root: the root over time.
        wide: the root, extrapolated by :data:`TRACK_PADDING_FRAMES` at both ends.
        pose: (F, P, 3) joint positions in the root's frame, meters.
        velocity: (F, P, 3) joint velocities in the root's frame, m/s.
        rotation: (F, P, 4) joint rotations in the root's frame, relative to the reference rotations.
        gaits: (F, G) gaits as network inputs.
        phase: (F) phase, cycles.
    """

    frames: NDArray[np.intp]
    root: RootTrack
    wide: RootTrack
    pose: Array
    velocity: Array
    rotation: Array
    gaits: Array
    phase: Array

    @staticmethod
    def of(clip: Clip, labels: Labels, joints: tuple[str, ...], reference: Array) -> "ClipTracks":
        """Return the tracks of a clip at 60 Hz; the arguments are those of :func:`clip_features`."""
        if clip.rate != FEATURE_RATE_HZ:
            raise ValueError(
                f"features are of clips at {FEATURE_RATE_HZ:g} Hz, not {clip.rate:g}: resample the clip first"
            )
        root = root_track(clip, ROOT_SMOOTHING_S)
        wide = extrapolate_track(root, TRACK_PADDING_FRAMES, TRACK_PADDING_FRAMES, EXTRAPOLATION_WINDOW_FRAMES)
        speeds = np.linalg.norm(np.gradient(root.positions, axis=0), axis=-1) * clip.rate
        gaits = gait_inputs(clip, labels, speeds)
        _count_turning_as_walking(gaits, network_gaits(labels.gait_names), turning_share(root.yaws, clip.rate))
        rotation = multiply(inverse(reference), rotations_in_root_frame(clip, joints, root))
        frames = np.arange(2, len(clip) - 1)
        return ClipTracks(frames, root, wide, *pose_features(clip, joints, root), rotation, gaits, rest_phase(labels))

    def positions_at(self, frames: NDArray[np.intp], offsets: tuple[int, ...]) -> Array:
        """Return root positions (N, S, 2), meters, at S offsets from N frames, in the root's frame at each of the N."""
        at = frames[:, None] + np.array(offsets) + TRACK_PADDING_FRAMES
        return into_frame(self.wide.positions[at] - self.root.positions[frames, None], self.root.yaws[frames, None])

    def directions_at(self, frames: NDArray[np.intp], offsets: tuple[int, ...]) -> Array:
        """Return facing directions (N, S, 2) at S offsets from N frames, in the root's frame at each of the N."""
        at = frames[:, None] + np.array(offsets) + TRACK_PADDING_FRAMES
        return facing_direction(self.wide.yaws[at] - self.root.yaws[frames, None])

    def gaits_at(self, frames: NDArray[np.intp], offsets: tuple[int, ...]) -> Array:
        """Return gait weights (N, S, G) at S offsets from N frames; beyond an end of the clip, those at that end."""
        return self.gaits[np.clip(frames[:, None] + np.array(offsets), 0, len(self.gaits) - 1)]


def clip_features(
    clip: Clip, labels: Labels, joints: tuple[str, ...], reference: Array, performer: Array | None = None
) -> tuple[Float32, Float32, Float32]:
    """Return the training samples of a clip at 60 Hz on the plane z = 0.

    Args:
        clip: the motion.
        labels: its labels.
        joints: names of the pose joints (P).
        reference: (P, 4) each joint's reference rotation in the root's frame; ``pose.rotation`` is the exponential map
            relative to it, far from the map's seam at pi.
        performer: (K) shares of the performers in the clip; ``None`` if performers are not distinguished.

    Returns:
        x (N, n), y (N, m) and phase (N) in cycles, of the consecutive frames 2 .. F - 2; none for fewer than four
        frames.

    Raises:
        ValueError: the clip is not at 60 Hz.
    """
    people = 0 if performer is None else len(performer)
    x_layout = input_layout(joints, network_gaits(labels.gait_names), performers=people)
    y_layout = output_layout(joints)
    if len(clip) < 4:
        return empty_samples(x_layout, y_layout)
    tracks = ClipTracks.of(clip, labels, joints, reference)
    x = np.zeros((len(tracks.frames), x_layout.size), dtype=np.float32)
    y = np.zeros((len(tracks.frames), y_layout.size), dtype=np.float32)
    fill_inputs(x_layout, x, tracks, SAMPLE_OFFSETS_FRAMES, performer)
    fill_outputs(y_layout, y, tracks, FUTURE_OFFSETS_FRAMES, labels)
    y_layout.view(y, "pose.rotation")[:] = log(tracks.rotation[tracks.frames])
    return x, y, tracks.phase[tracks.frames].astype(np.float32)


def empty_samples(x_layout: Layout, y_layout: Layout) -> tuple[Float32, Float32, Float32]:
    """Return the samples of a clip that is too short: empty x (0, n), y (0, m) and phase (0)."""
    sizes = (0, x_layout.size), (0, y_layout.size), (0,)
    return np.zeros(sizes[0], np.float32), np.zeros(sizes[1], np.float32), np.zeros(sizes[2], np.float32)


def fill_inputs(
    layout: Layout, x: Float32, tracks: ClipTracks, offsets: tuple[int, ...], performer: Array | None
) -> None:
    """Write a clip's trajectory, gaits, pose and performer into inputs x (N, n).

    Args:
        layout: the groups of x.
        x: (N, n) inputs, changed in place.
        tracks: tracks of the clip.
        offsets: (S) frames of the trajectory's samples.
        performer: (K) shares of the performers in the clip; ``None`` if performers are not distinguished.
    """
    frames = tracks.frames
    layout.view(x, "trajectory.position")[:] = tracks.positions_at(frames, offsets)
    layout.view(x, "trajectory.direction")[:] = tracks.directions_at(frames, offsets)
    layout.view(x, "trajectory.gait")[:] = tracks.gaits_at(frames, offsets)
    layout.view(x, "pose.position")[:] = tracks.pose[frames - 1]
    layout.view(x, "pose.velocity")[:] = tracks.velocity[frames - 1]
    if performer is not None:
        layout.view(x, PERFORMER_GROUP)[:] = performer


def fill_outputs(layout: Layout, y: Float32, tracks: ClipTracks, offsets: tuple[int, ...], labels: Labels) -> None:
    """Write a clip's root, phase, contacts, trajectory, and pose without rotations into outputs y (N, m).

    Args:
        layout: the groups of y.
        y: (N, m) outputs, changed in place.
        tracks: tracks of the clip.
        offsets: (S) frames of the trajectory's samples, from the next frame.
        labels: labels of the clip.
    """
    frames, root, rate = tracks.frames, tracks.root, FEATURE_RATE_HZ
    steps = into_frame(root.positions[frames + 1] - root.positions[frames], root.yaws[frames])
    layout.view(y, "root.velocity")[:] = steps * rate
    layout.view(y, "root.angular_velocity")[:, 0] = (root.yaws[frames + 1] - root.yaws[frames]) * rate
    layout.view(y, "phase.rate")[:, 0] = wrap_cycles(tracks.phase[frames + 1] - tracks.phase[frames]) * rate
    layout.view(y, "contact")[:] = labels.foot_contacts.held[frames]
    layout.view(y, "trajectory.position")[:] = tracks.positions_at(frames + 1, offsets)
    layout.view(y, "trajectory.direction")[:] = tracks.directions_at(frames + 1, offsets)
    layout.view(y, "pose.position")[:] = tracks.pose[frames]
    layout.view(y, "pose.velocity")[:] = tracks.velocity[frames]


def _count_turning_as_walking(gaits: Array, names: tuple[str, ...], turning: Array) -> None:
    """Move weight from standing to walking in gaits (F, G), in place, in proportion to the turning (F)."""
    if {"stand", "walk"} <= set(names):
        stepping = gaits[:, names.index("stand")] * turning
        gaits[:, names.index("stand")] -= stepping
        gaits[:, names.index("walk")] += stepping


def pose_features(clip: Clip, joints: tuple[str, ...], track: RootTrack) -> tuple[Array, Array]:
    """Return the pose joints' positions (F, P, 3), meters, and velocities (F, P, 3), m/s, in the root's frame.

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
    """Return the pose joints' rotations (..., P, 4), in the root's frame, from a network's outputs.

    Args:
        y: (..., m) outputs, not normalized.
        layout: the groups of y; ``pose.rotation`` is (P, 3) as exponential maps, or (P, 6) as pairs of axes.
        reference: (P, 4) the joints' reference rotations.
    """
    values = layout.view(y, "pose.rotation").astype(float)
    return multiply(reference, from_axis_pair(values) if values.shape[-1] == AXIS_PAIR_SIZE else exp(values))
