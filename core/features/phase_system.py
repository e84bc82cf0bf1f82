"""The system of local motion phases: x and y of a network gated only by the phases of all contacts.

Starke et al. 2020, section 4. There are thirteen samples from a second ago to a second ahead. The groups of a ball and
of an opponent are left out for controllers without them, such as those for locomotion. Footfall adds groups to the
paper's: the ground, the hands of an opponent, and the phase of the stride, which is not an input of any network.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion import Clip
from ..motion.roles import FOOT_CONTACTS
from ..motion.root_frame import into_frame
from ..motion.rotations import AXIS_PAIR_SIZE, Array, to_axis_pair
from . import locomotion
from .layout import Group, Layout
from .locomotion import SAMPLE_STEP_FRAMES, TRACK_PADDING_FRAMES, ClipTracks, Float32, network_gaits
from .phase_vectors import sample_phase_vectors
from .sensor_phases import SensorSignals

SAMPLE_OFFSETS_FRAMES: Final = tuple(range(-60, 61, SAMPLE_STEP_FRAMES))
"""The thirteen trajectory samples, in frames from the current one."""
PAST_OFFSETS_FRAMES: Final = tuple(offset for offset in SAMPLE_OFFSETS_FRAMES if offset <= 0)
"""The seven samples up to the current frame, in frames from it."""
FUTURE_OFFSETS_FRAMES: Final = tuple(offset for offset in SAMPLE_OFFSETS_FRAMES if offset > 0)
"""The six samples after the current frame, in frames from it."""
SAMPLE_STEP_S: Final = SAMPLE_STEP_FRAMES / locomotion.FEATURE_RATE_HZ
"""Time from one sample to the next."""
AHEAD_OFFSETS_FRAMES: Final = (0, *FUTURE_OFFSETS_FRAMES)
"""The seven predicted samples, in frames from the next frame."""
DELTA_GROUP: Final = "phase.delta"
"""Group of the phase updates in y, by which the outputs of a phase system are recognized."""
PARTS: Final = ("interaction", "ball", "opponent")
"""Optional parts of a controller, by the prefixes of their groups' names."""


@dataclass(frozen=True, slots=True)
class PhaseSystem:
    """The body, actions, sensors and parts of a system, which determine its layouts.

    Attributes:
        joints: names of the pose joints (P).
        gaits: names of the actions (G).
        sensors: names of the sensors with a local phase (K), starting with ``FOOT_CONTACTS``.
        performers: number of distinguished performers, 0 for none.
        parts: the optional parts that it has, of :data:`PARTS`.
    """

    joints: tuple[str, ...]
    gaits: tuple[str, ...]
    sensors: tuple[str, ...]
    performers: int = 0
    parts: frozenset[str] = field(default_factory=frozenset)

    @staticmethod
    def of(layout: Layout, joints: tuple[str, ...], gaits: tuple[str, ...], sensors: tuple[str, ...]) -> "PhaseSystem":
        """Return the phase system whose input layout is given, with its optional parts and number of performers."""
        performers = next((group.size for group in layout if group.name == locomotion.PERFORMER_GROUP), 0)
        return PhaseSystem(joints, gaits, sensors, performers, frozenset(system_parts(layout)))

    def input_layout(self) -> Layout:
        """Return the layout of the network's inputs x (Starke et al. 2020, section 4)."""
        samples, past, count = len(SAMPLE_OFFSETS_FRAMES), len(PAST_OFFSETS_FRAMES), len(self.joints)
        optional = {
            "interaction": (
                Group("interaction.position", (samples, 3), "m", "root of each sample"),
                Group("interaction.velocity", (samples, 3), "m/s", "root of each sample"),
            ),
            "ball": (
                Group("ball.position", (past, 3), "m", "root"),
                Group("ball.velocity", (past, 3), "m/s", "root"),
                Group("ball.weight", (past,), "1", "none"),
            ),
            "opponent": (
                Group("opponent.weight", (samples,), "1", "none"),
                Group("opponent.position", (samples, 2), "m", "root"),
                Group("opponent.direction", (samples, 2), "1", "root"),
                Group("opponent.velocity", (samples, 2), "m/s", "root"),
                Group("opponent.distance", (count,), "m", "none"),
                Group("opponent.hands", (2, 3), "m", "root"),
            ),
        }
        people = (Group(locomotion.PERFORMER_GROUP, (self.performers,), "1", "none"),) if self.performers else ()
        return Layout(
            (
                Group("trajectory.position", (samples, 2), "m", "root"),
                Group("trajectory.direction", (samples, 2), "1", "root"),
                Group("trajectory.velocity", (samples, 2), "m/s", "root"),
                Group("trajectory.gait", (samples, len(self.gaits)), "1", "none"),
                Group("terrain.height", (len(locomotion.SAMPLE_OFFSETS_FRAMES), 3), "m", "ground under root"),
                Group("pose.position", (count, 3), "m", "previous root"),
                Group("pose.velocity", (count, 3), "m/s", "previous root"),
                Group("pose.rotation", (count, AXIS_PAIR_SIZE), "1", "previous root, from the reference rotation"),
                Group("contact.past", (past, len(self.sensors)), "1", "none"),
                *(group for part in PARTS if part in self.parts for group in optional[part]),
                *people,
                Group("phase.vector", (samples, len(self.sensors), 2), "m/s", "none"),
            )
        )

    def output_layout(self) -> Layout:
        """Return the layout of the network's outputs y (Starke et al. 2020, section 4).

        Positions and directions are not sampled at the next frame: the root's motion gives these.
        """
        samples, ahead, count = len(FUTURE_OFFSETS_FRAMES), len(AHEAD_OFFSETS_FRAMES), len(self.joints)
        others = len(self.sensors) - len(FOOT_CONTACTS)
        optional = {
            "interaction": (
                Group("interaction.position", (ahead, 3), "m", "root of each sample"),
                Group("interaction.velocity", (ahead, 3), "m/s", "root of each sample"),
            ),
            "ball": (
                Group("ball.position", (3,), "m", "root"),
                Group("ball.velocity", (3,), "m/s", "root"),
                Group("ball.rotation", (3,), "rad", "root, from the frame before"),
                Group("ball.weight", (1,), "1", "none"),
            ),
        }
        return Layout(
            (
                Group("root.velocity", (2,), "m/s", "root"),
                Group("root.angular_velocity", (1,), "rad/s", "up"),
                Group("phase.rate", (1,), "1/s", "none"),
                Group("contact", (len(FOOT_CONTACTS),), "1", "none"),
                *((Group("contact.other", (others,), "1", "none"),) if others else ()),
                Group("trajectory.position", (samples, 2), "m", "next root"),
                Group("trajectory.direction", (samples, 2), "1", "next root"),
                Group("trajectory.velocity", (ahead, 2), "m/s", "next root"),
                Group("trajectory.gait", (ahead, len(self.gaits)), "1", "none"),
                Group("pose.position", (count, 3), "m", "root"),
                Group("pose.velocity", (count, 3), "m/s", "root"),
                Group("pose.rotation", (count, AXIS_PAIR_SIZE), "1", "root, from the reference rotation"),
                *(group for part in PARTS if part in self.parts for group in optional.get(part, ())),
                Group("phase.vector", (ahead, len(self.sensors), 2), "m/s", "none"),
                Group(DELTA_GROUP, (ahead, len(self.sensors), 2), "m/s", "none"),
            )
        )


def is_phase_system(layout: Layout) -> bool:
    """Return whether an input layout belongs to a phase system."""
    return "contact.past" in layout.slices


def system_parts(layout: Layout) -> tuple[str, ...]:
    """Return the optional :data:`PARTS` in an input layout; empty if it does not belong to a phase system."""
    words = {group.name.partition(".")[0] for group in layout} if is_phase_system(layout) else set()
    return tuple(part for part in PARTS if part in words)


def system_features(
    clip: Clip,
    labels: Labels,
    joints: tuple[str, ...],
    reference: Array,
    sensors: tuple[str, ...],
    performer: Array | None = None,
    conditions: Mapping[str, tuple[Array | None, Array | None]] | None = None,
) -> tuple[Float32, Float32, Float32]:
    """Return the training samples of a phase system for a clip at 60 Hz on the plane z = 0.

    Args:
        clip: the motion.
        labels: its labels.
        joints: names of the pose joints (P).
        reference: (P, 4) each joint's reference rotation in the root's frame.
        sensors: names of the sensors (K), starting with ``FOOT_CONTACTS``.
        performer: shares of the performers in the clip; ``None`` if performers are not distinguished.
        conditions: values (N, ...) of the groups of additional parts by name, for inputs and outputs; ``None`` if one
            of these lacks the group. The names determine the parts.

    Returns:
        x (N, n), y (N, m) and phase (N) in cycles, of the consecutive frames 2 .. F - 2; none for fewer than four
        frames.

    Raises:
        FootfallError: the labels lack contacts of heels or balls, or a sensor's joint cannot be found.
        ValueError: the clip is not at 60 Hz.
    """
    conditions = conditions or {}
    parts = frozenset(name.partition(".")[0] for name in conditions)
    people = 0 if performer is None else len(performer)
    system = PhaseSystem(joints, network_gaits(labels.gait_names), sensors, people, parts)
    x_layout, y_layout = system.input_layout(), system.output_layout()
    if len(clip) < 4:
        return locomotion.empty_samples(x_layout, y_layout)
    tracks = ClipTracks.of(clip, labels, joints, reference)
    signals, frames = SensorSignals.of(clip, labels, sensors), tracks.frames
    x = np.zeros((len(frames), x_layout.size), dtype=np.float32)
    y = np.zeros((len(frames), y_layout.size), dtype=np.float32)
    locomotion.fill_inputs(x_layout, x, tracks, SAMPLE_OFFSETS_FRAMES, performer)
    locomotion.fill_outputs(y_layout, y, tracks, FUTURE_OFFSETS_FRAMES, labels)
    axes, rate = to_axis_pair(tracks.rotation), clip.rate
    phases = sample_phase_vectors(signals.vectors, rate, np.arange(len(clip)), SAMPLE_OFFSETS_FRAMES)
    ahead = phases[:, len(PAST_OFFSETS_FRAMES) - 1 :]
    past = np.clip(frames[:, None] + np.array(PAST_OFFSETS_FRAMES) - 1, 0, None)
    for name, values in {
        "trajectory.velocity": _root_velocities(tracks, frames, SAMPLE_OFFSETS_FRAMES, rate),
        "pose.rotation": axes[frames - 1],
        "contact.past": signals.contacts[past],
        "phase.vector": phases[frames],
        **{name: values for name, (values, _) in conditions.items() if values is not None},
    }.items():
        x_layout.view(x, name)[:] = values
    held = {"contact.other": signals.contacts[frames, len(FOOT_CONTACTS) :]}
    for name, values in {
        **(held if "contact.other" in y_layout.slices else {}),
        "trajectory.velocity": _root_velocities(tracks, frames + 1, AHEAD_OFFSETS_FRAMES, rate),
        "trajectory.gait": tracks.gaits_at(frames + 1, AHEAD_OFFSETS_FRAMES),
        "pose.rotation": axes[frames],
        "phase.vector": ahead[frames + 1],
        DELTA_GROUP: ahead[frames + 1] - ahead[frames],
        **{name: values for name, (_, values) in conditions.items() if values is not None},
    }.items():
        y_layout.view(y, name)[:] = values
    return x, y, tracks.phase[frames].astype(np.float32)


def _root_velocities(tracks: ClipTracks, frames: NDArray[np.intp], offsets: tuple[int, ...], rate: float) -> Array:
    """Return root velocities (N, S, 2), m/s, at offsets (S) from frames (N), each in the frame's own root frame."""
    at = frames[:, None] + np.array(offsets) + TRACK_PADDING_FRAMES
    at = np.clip(at, 1, len(tracks.wide.positions) - 1)
    steps = tracks.wide.positions[at] - tracks.wide.positions[at - 1]
    return into_frame(steps * rate, tracks.root.yaws[frames, None])


def sensor_contacts(layout: Layout, y: Array) -> Array:
    """Return the contacts (..., K), 0 to 1, of all sensors in a phase system's outputs y (..., m), not normalized."""
    names = [name for name in ("contact", "contact.other") if name in layout.slices]
    return np.clip(np.concatenate([layout.view(y, name) for name in names], axis=-1).astype(float), 0.0, 1.0)
