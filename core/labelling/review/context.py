"""The input of label checks (labels, tracks, preset), and the issues that they find."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...message import Message
from ...motion import Clip
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.proportions import body_scale
from ...motion.rotations import Array
from ...motion.signals import FrameIndices, Mask, runs_of
from ..contacts.sensor_tracks import sensor_tracks
from ..labeller import prepare_clip
from ..labels import Labels
from ..presets import LabellingPreset
from ..sensors import AGAINST_GROUND

ISSUE_KINDS: Final = ("SHORT", "UNSURE", "ORDER", "PACE", "LENGTH", "FLIGHT", "SLIDE", "REST", "HEIGHT", "FLICKER")
"""Kinds of label issues."""


FEET_SUBJECT: Final = "feet"
"""Subject of all issues of the feet, since a lost contact affects the strikes of both."""
MIN_DOUBT: Final = 0.05
"""Doubt below which an issue is dropped."""

FOOT_NAMES: Final = {
    "L": Message("Left foot"),
    "R": Message("Right foot"),
    "FL": Message("Left front foot"),
    "FR": Message("Right front foot"),
}
"""Names of the feet for the user."""
SENSOR_NAMES: Final = {
    "heel.L": Message("Left heel"),
    "heel.R": Message("Right heel"),
    "foot.L": Message("Left foot"),
    "foot.R": Message("Right foot"),
    "toe.L": Message("Left toe"),
    "toe.R": Message("Right toe"),
    "front_foot.L": Message("Left front foot"),
    "front_foot.R": Message("Right front foot"),
    "hand.L": Message("Left hand"),
    "hand.R": Message("Right hand"),
    "hips": Message("Hips"),
}
"""Names of contact points for the user; others are shown by their names in the preset."""


@dataclass(frozen=True, slots=True)
class LabelIssue:
    """One doubtful range of labels, found by a check.

    Attributes:
        start: first frame.
        stop: frame after the last.
        frame: frame to show to the user.
        kind: one of :data:`ISSUE_KINDS`.
        name: the sensor, the foot or the gait in question.
        subject: what the issue is about, the feet or one sensor; issues of one subject are merged.
        columns: columns of the doubtful contacts in the labels.
        doubt: probability that a label is wrong, in [0, 1].
        text: one sentence for the user.
    """

    start: int
    stop: int
    frame: int
    kind: str
    name: str
    subject: str
    columns: tuple[int, ...]
    doubt: float
    text: Message


@dataclass(frozen=True, eq=False)
class ReviewContext:
    """Labels of a clip and tracks of its sensors, as read by the checks.

    Attributes:
        labels: the labels, F frames and C contacts.
        preset: the preset of these labels.
        sensor_tracks: (F, C, 3) positions smoothed over 0.1 s, in meters at an adult's scale; NaN if unknown.
    """

    labels: Labels
    preset: LabellingPreset
    sensor_tracks: Array

    @staticmethod
    def of(clip: Clip, labels: Labels, preset: LabellingPreset) -> "ReviewContext":
        """Create the context for checking a clip's labels.

        Raises:
            FootfallError: the labels and the clip differ in their number of frames.
        """
        if len(clip) != len(labels):
            raise FootfallError(
                "The clip {name} has {frames} frames, but its labels have {labels}: label the clip again",
                name=clip.name,
                frames=len(clip),
                labels=len(labels),
            )
        known = sensor_tracks(prepare_clip(clip, preset).clip, preset)
        tracks = np.full((len(clip), len(labels.contact_joints), 3), np.nan)
        for column, name in enumerate(labels.contact_joints):
            if name in preset.sensor_names:
                tracks[:, column] = known[:, preset.sensor_names.index(name)]
        window = max(round(0.1 * labels.frame_rate) | 1, 1)
        return ReviewContext(
            labels, preset, scipy.ndimage.uniform_filter1d(tracks, window, axis=0, mode="nearest") / body_scale(clip)
        )

    @property
    def rate(self) -> float:
        """Frame rate of the labels, frames per second."""
        return self.labels.frame_rate

    @cached_property
    def state(self) -> Mask:
        """Mask (F, C), true while the sensor is in contact."""
        return self.labels.contacts > CONTACT_THRESHOLD

    @cached_property
    def confirmed(self) -> Mask:
        """Mask (F, C), true where the user has set the contact label, on or off."""
        return self.labels.confidence >= 1.0

    @cached_property
    def feet(self) -> dict[str, tuple[int, ...]]:
        """Columns of each foot's sensors in the labels' contacts, by foot."""
        names = self.labels.contact_joints
        known = {
            side: tuple(names.index(name) for name in sensors if name in names)
            for side, sensors in self.preset.feet.items()
        }
        return {side: columns for side, columns in known.items() if columns}

    @cached_property
    def down(self) -> dict[str, Mask]:
        """Mask (F) for each foot, true while any of its sensors is in contact."""
        return {side: np.asarray(self.state[:, list(columns)].any(axis=1)) for side, columns in self.feet.items()}

    @cached_property
    def cumulative_standing(self) -> Array:
        """Cumulative sum (F + 1) of the weight of the gait *stand*, from 0, for fast means over ranges."""
        names = self.labels.gait_names
        share = self.labels.gaits[:, names.index("stand")] if "stand" in names else np.zeros(len(self.labels))
        return np.concatenate([[0.0], np.cumsum(share)])

    def standing_share(self, start: FrameIndices, stop: FrameIndices) -> Array:
        """Return the mean weight (N) of the gait *stand* in frame ranges [``start``, ``stop``) (N)."""
        return (self.cumulative_standing[stop] - self.cumulative_standing[start]) / np.maximum(stop - start, 1)

    def subject(self, column: int) -> str:
        """Return the subject of a contact column's issues: ``"feet"`` for a foot's sensor, else the sensor's name."""
        return (
            FEET_SUBJECT
            if any(column in columns for columns in self.feet.values())
            else self.labels.contact_joints[column]
        )

    def sensor_name(self, column: int) -> str:
        """Return the name in the labels of the sensor in a contact column."""
        return self.labels.contact_joints[column]

    def display_name(self, column: int) -> str:
        """Return the name shown to the user of a contact column's sensor; a foot is called a heel if there are toes."""
        names = self.labels.contact_joints
        return sensor_display_name(names[column], heels=any(name.startswith("toe.") for name in names))

    def min_contact_duration(self, column: int) -> float:
        """Return the preset's shortest duration of contacts, seconds, of the sensor in a contact column."""
        name = self.labels.contact_joints[column]
        return next((sensor.shortest for sensor in self.preset.sensors if sensor.name == name), 0.06)

    def touches_ground(self, column: int) -> bool:
        """Return whether the sensor in a contact column is in the preset, and there one that touches the ground."""
        name = self.labels.contact_joints[column]
        return any(sensor.name == name and sensor.against == AGAINST_GROUND for sensor in self.preset.sensors)


def saturate(excess: Array, scale: float) -> Array:
    """Return a doubt, 0 to 1, for the excess of a measure over its limit: 0 at or below it, about 0.63 at ``scale``."""
    return 1 - np.exp(-np.maximum(excess, 0.0) / scale)


def sensor_display_name(name: str, heels: bool = True) -> str:
    """Return a sensor's name for the user; if ``heels`` is true, the sensor at a foot's joint is called its heel.

    >>> sensor_display_name("foot.L"), sensor_display_name("hand.R"), sensor_display_name("foot.R", heels=False)
    ('Left heel', 'Right hand', 'Right foot')
    """
    part = name.replace("foot.", "heel.") if heels and name.startswith("foot.") else name
    return SENSOR_NAMES.get(part, name)


def format_seconds(value: float) -> str:
    """Return a duration, seconds, as text for messages."""
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"


def inner_runs(state: Mask) -> FrameIndices:
    """Return the runs (R, 2), [start, stop), of true values in a mask (F), without those at its start or end."""
    runs = runs_of(state)
    return runs[(runs[:, 0] > 0) & (runs[:, 1] < len(state))]
