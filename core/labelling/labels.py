"""The labels of a clip, and their file."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import FootfallError
from ..jobs.atomic import write_atomically
from ..jobs.bounded_files import ContentError, read_arrays
from ..motion.contacts import FootContacts
from ..motion.roles import contact_names
from ..motion.rotations import Array
from ..motion.signals import FrameIndices
from .semantics import actions as action_list
from .semantics.goals import GoalLabels

UNSET: Final = np.zeros(0)
"""Placeholder of a missing label."""
MAX_DETECTED_CONFIDENCE: Final = 0.999
"""Largest confidence of a detector; 1 is reserved for the user's corrections, also after rounding in a file."""

ARRAY_NAMES: Final = (
    *("frame_rate", "contact_joints", "contacts", "phase", "gait_names", "gaits", "left_strikes", "right_strikes"),
    *("ground", "confidence", "action_names", "actions", "action_phase"),
    *("goal_actions", "goal_positions", "goal_directions", "local_phase_joints", "local_phases"),
)
"""Arrays of a label file."""
FRAME_ARRAYS: Final = ("contacts", "confidence", "phase", "gaits", "actions", "action_phase", "local_phases")
"""Labels with one row per frame, apart from the goals."""
MAX_NUMBERS: Final = 1 << 26
"""Largest number of elements in all arrays of a file, and of names in one array: four times an hour at 120 Hz."""
MAX_NAMES: Final = 1 << 10
ROUNDING_ERROR: Final = 1e-3
"""Rounding error by which stored probabilities, phases and weights may leave the range 0 to 1."""


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels of a clip at each of its frames.

    Attributes:
        frame_rate: the clip's frames per second.
        contact_joints: (C) names of the sensors with contacts.
        contacts: (F, C) contact probabilities; above ``CONTACT_THRESHOLD`` the sensor is in contact.
        phase: (F) phase, cycles in [0, 1): 0 at right strikes, 0.5 at left strikes (of the hind feet of a quadruped).
        gait_names: (G) names of the gaits.
        gaits: (F, G) weights, rows summing to 1.
        left_strikes: first frames of the contacts of the left foot.
        right_strikes: first frames of the contacts of the right foot.
        ground: height of the ball joints of standing feet, meters: a few centimeters above the ground itself.
        confidence: (F, C) probability that the contact label is right; 1 where the user set it.
        action_names: (A) names of the actions.
        actions: (F, A) weights, rows summing to 1.
        action_phase: (F) acyclic phase of transitions, 0 at the start, 1 at the end, 0.5 at a blow's apex; else 0.
        goals: the goal at each frame: next action, position and direction.
        local_phase_joints: (K) names of the sensors with local phases.
        local_phases: (F, K, 2) phase vectors (Starke et al. 2020, equation 8).

    Fields from ``confidence`` on have defaults: the confidence implied by the probabilities, and the action *idle*.
    """

    frame_rate: float
    contact_joints: tuple[str, ...]
    contacts: Array
    phase: Array
    gait_names: tuple[str, ...]
    gaits: Array
    left_strikes: FrameIndices
    right_strikes: FrameIndices
    ground: float
    confidence: Array = field(default_factory=lambda: UNSET)
    action_names: tuple[str, ...] = action_list.ACTION_NAMES
    actions: Array = field(default_factory=lambda: UNSET)
    action_phase: Array = field(default_factory=lambda: UNSET)
    goals: GoalLabels | None = None
    local_phase_joints: tuple[str, ...] = ()
    local_phases: Array = field(default_factory=lambda: UNSET)

    def __post_init__(self) -> None:
        """Fill in the defaults of the fields from ``confidence`` on."""
        frames, actions = len(self.phase), len(self.action_names)
        idle = np.zeros((frames, actions))
        idle[:, 0] = 1.0
        defaults = {
            "confidence": np.minimum(np.maximum(self.contacts, 1 - self.contacts), MAX_DETECTED_CONFIDENCE),
            "actions": idle,
            "action_phase": np.zeros(frames),
            "local_phases": np.zeros((frames, len(self.local_phase_joints), 2)),
        }
        for name, value in defaults.items():
            if getattr(self, name) is UNSET:
                object.__setattr__(self, name, value)
        if self.goals is None:
            nowhere = GoalLabels(self.actions, np.zeros((frames, 3)), np.tile([0.0, 1.0], (frames, 1)))
            object.__setattr__(self, "goals", nowhere)

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.phase)

    @property
    def standing(self) -> NDArray[np.bool_]:
        """Mask (F) of frames whose gait is mostly *stand*; all false if *stand* is not among the gaits."""
        if "stand" not in self.gait_names:
            return np.zeros(len(self), dtype=bool)
        return self.gaits[:, self.gait_names.index("stand")] > 0.5

    @property
    def has_corrections(self) -> bool:
        """True if any contact label was set by the user (confidence 1)."""
        return bool(np.any(self.confidence >= 1.0))

    def contacts_of(self, sensor_names: Sequence[str]) -> Array:
        """Return the contact probabilities (F, N) of the N named sensors.

        Raises:
            FootfallError: a sensor has no contacts.
        """
        missing = [name for name in sensor_names if name not in self.contact_joints]
        if missing:
            raise FootfallError(
                "These labels have no contacts of {names}, only of {known}: label the clip with another preset",
                names=", ".join(missing),
                known=", ".join(self.contact_joints),
            )
        return self.contacts[:, [self.contact_joints.index(name) for name in sensor_names]]

    @property
    def foot_contacts(self) -> FootContacts:
        """Contacts of heels and balls, or of four paws; raises :class:`FootfallError` if one has no label."""
        return FootContacts(self.contacts_of(contact_names(self.contact_joints)))

    def save(self, path: Path, follow_links: bool = True) -> None:
        """Write a ``.labels.npz`` file with :func:`write_atomically`; raise ``OSError`` if it cannot be written."""
        file = io.BytesIO()
        np.savez_compressed(file, **self._to_arrays())
        write_atomically(path, file.getvalue(), follow_links)

    def _to_arrays(self) -> dict[str, Any]:
        """Return the arrays to write to a file, by name."""
        assert self.goals is not None
        numbers = {
            "contacts": self.contacts,
            "confidence": self.confidence,
            "phase": self.phase,
            "gaits": self.gaits,
            "actions": self.actions,
            "action_phase": self.action_phase,
            "goal_actions": self.goals.actions,
            "goal_positions": self.goals.positions,
            "goal_directions": self.goals.directions,
            "local_phases": self.local_phases,
        }
        names = ("contact_joints", "gait_names", "action_names", "local_phase_joints")
        return {
            "frame_rate": self.frame_rate,
            "ground": self.ground,
            "left_strikes": self.left_strikes,
            "right_strikes": self.right_strikes,
            **{name: np.array(getattr(self, name), dtype=np.str_) for name in names},
            **{name: values.astype(np.float32) for name, values in numbers.items()},
        }

    @staticmethod
    def load(path: Path) -> "Labels":
        """Read a ``.labels.npz`` file; one of the first version lacks the fields after ``ground``.

        Raises:
            FootfallError: the file is damaged, or not a label file.
        """
        try:
            labels = _labels_from_arrays(read_arrays(path, ARRAY_NAMES))
        except Exception as error:  # A damaged archive can fail in zipfile, zlib, struct or numpy.
            raise FootfallError(
                "'{path}' is not a label file of Footfall ({error}): label the clip again", path=path, error=error
            ) from error
        labels._validate(path)
        return labels

    def _validate(self, path: Path) -> None:
        """Raise an error if lengths differ, numbers are not finite or out of range, or strikes are outside the clip."""
        frames, contacts = len(self), (len(self), len(self.contact_joints))
        actions, local = len(self.action_names), len(self.local_phase_joints)
        assert self.goals is not None
        shapes = [
            (self.phase, (frames,)),
            (self.contacts, contacts),
            (self.confidence, contacts),
            (self.gaits, (frames, len(self.gait_names))),
            (self.actions, (frames, actions)),
            (self.action_phase, (frames,)),
            (self.goals.actions, (frames, actions)),
            (self.goals.positions, (frames, 3)),
            (self.goals.directions, (frames, 2)),
            (self.local_phases, (frames, local, 2)),
            (np.array([self.frame_rate, self.ground]), (2,)),
        ]
        if any(values.shape != shape or not np.isfinite(values).all() for values, shape in shapes):
            raise FootfallError(
                "The label file '{path}' contains labels that are not numbers, or have unequal lengths: label "
                "the clip again",
                path=path,
            )
        shares = (self.contacts, self.confidence, self.phase, self.gaits, self.actions, self.action_phase)
        bounded = all(
            np.all((values >= -ROUNDING_ERROR) & (values <= 1 + ROUNDING_ERROR))
            for values in (*shares, self.goals.actions)
        )
        if not bounded:
            raise FootfallError(
                "The label file '{path}' contains probabilities, phases or weights out of their range: label "
                "the clip again",
                path=path,
            )
        strikes = np.concatenate([self.left_strikes, self.right_strikes])
        if self.frame_rate <= 0 or np.any((strikes < 0) | (strikes >= frames)):
            raise FootfallError(
                "The label file '{path}' has foot strikes outside its {frames} frames, or no frame rate: label "
                "the clip again",
                path=path,
                frames=frames,
            )

    def resampled(self, rate: float, frames: int) -> "Labels":
        """Resample the labels to another rate; the phase is interpolated on the circle.

        Args:
            rate: frames per second.
            frames: number of frames of the resampled clip.
        """
        if rate == self.frame_rate and frames == len(self):
            return self
        times = np.minimum(np.arange(frames) / rate * self.frame_rate, len(self) - 1)
        return replace(self.at(times), frame_rate=rate)

    def at(self, times: Array) -> "Labels":
        """Return the labels interpolated at ascending ``times`` (F'), in frames from the first frame."""
        own = np.arange(len(self))
        assert self.goals is not None

        def columns(values: Array) -> Array:
            flat = values.reshape(len(values), -1)
            moved = [np.interp(times, own, column) for column in flat.T]
            return (np.stack(moved, axis=1) if moved else flat[:0]).reshape(len(times), *values.shape[1:])

        def nearest(strikes: FrameIndices) -> FrameIndices:
            moved = np.interp(strikes, times, np.arange(len(times)), left=np.nan, right=np.nan)
            return np.rint(moved[np.isfinite(moved)]).astype(np.intp)

        steps = np.rint(times).astype(np.intp)  # An acyclic phase restarts with each transition, and goals jump.
        goals = self.goals
        return replace(
            self,
            contacts=columns(self.contacts),
            confidence=columns(self.confidence),
            phase=np.interp(times, own, np.unwrap(self.phase, period=1.0)) % 1.0,
            gaits=columns(self.gaits),
            actions=columns(self.actions),
            action_phase=self.action_phase[steps],
            goals=GoalLabels(goals.actions[steps], goals.positions[steps], goals.directions[steps]),
            local_phases=columns(self.local_phases),
            left_strikes=nearest(self.left_strikes),
            right_strikes=nearest(self.right_strikes),
        )

    def cut(self, start: int, stop: int) -> "Labels":
        """Return the labels of the frames from ``start`` up to but not including ``stop``."""
        goals = self.goals
        assert goals is not None
        strikes = {
            name: getattr(self, name)[(getattr(self, name) >= start) & (getattr(self, name) < stop)] - start
            for name in ("left_strikes", "right_strikes")
        }
        return replace(
            self,
            **{name: getattr(self, name)[start:stop] for name in FRAME_ARRAYS},
            **strikes,
            goals=GoalLabels(goals.actions[start:stop], goals.positions[start:stop], goals.directions[start:stop]),
        )

    def concat(self, other: "Labels") -> "Labels":
        """Return these labels followed by those of another clip with the same sensors, gaits and actions."""
        own, after, frames = self.goals, other.goals, len(self)
        assert own is not None and after is not None
        return replace(
            self,
            **{name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in FRAME_ARRAYS},
            left_strikes=np.concatenate([self.left_strikes, other.left_strikes + frames]),
            right_strikes=np.concatenate([self.right_strikes, other.right_strikes + frames]),
            goals=GoalLabels(
                np.concatenate([own.actions, after.actions]),
                np.concatenate([own.positions, after.positions]),
                np.concatenate([own.directions, after.directions]),
            ),
        )

    def mirrored(self, axis: int = 0) -> "Labels":
        """Return the labels for the mirrored clip: left and right are swapped, and the phase is half a cycle later.

        A sensor without a counterpart is renamed to the other side.

        Args:
            axis: world axis across which the clip was mirrored, 0 or 1 (``lateral_axis`` of its skeleton).
        """
        assert self.goals is not None
        order = _mirror_indices(self.contact_joints)
        local = _mirror_indices(self.local_phase_joints)
        flip = np.ones(3)
        flip[axis] = -1.0
        goals = self.goals
        return replace(
            self,
            contact_joints=_mirror_names(self.contact_joints),
            contacts=self.contacts[:, order],
            confidence=self.confidence[:, order],
            phase=(self.phase + 0.5) % 1.0,
            goals=GoalLabels(goals.actions, goals.positions * flip, goals.directions * flip[:2]),
            local_phase_joints=_mirror_names(self.local_phase_joints),
            local_phases=self.local_phases[:, local],
            left_strikes=self.right_strikes,
            right_strikes=self.left_strikes,
        )


def opposite_sensor(name: str) -> str:
    """Return the name of the sensor on the other side; its own name if it has no side, as the hips.

    >>> opposite_sensor("hand.R"), opposite_sensor("hips")
    ('hand.L', 'hips')
    """
    stem, side = name[:-1], name[-1:]
    return stem + {"L": "R", "R": "L"}.get(side, side) if stem.endswith(".") else name


def _mirror_indices(names: Sequence[str]) -> list[int]:
    """Return the index of each sensor's counterpart on the other side; its own if it has no side or no counterpart."""
    swapped = [opposite_sensor(name) for name in names]
    return [names.index(other) if other in names else own for own, other in enumerate(swapped)]


def _mirror_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns' names after mirroring by :func:`_mirror_indices`.

    A column without a counterpart gets the opposite name.
    """
    return tuple(name if opposite_sensor(name) in names else opposite_sensor(name) for name in names)


def _labels_from_arrays(data: dict[str, Any]) -> Labels:
    """Build labels from the arrays of a file, by name."""
    if sum(array.size for array in data.values()) > MAX_NUMBERS:
        raise ContentError("the file contains more numbers than hours of motion would")

    def names(key: str) -> tuple[str, ...]:
        if data[key].size > MAX_NAMES:
            raise ContentError("the file has more than {most} {key}", most=MAX_NAMES, key=key)
        return tuple(map(str, data[key]))

    def numbers(key: str) -> Array:
        return data[key].astype(float)

    first = Labels(
        float(data["frame_rate"]),
        names("contact_joints"),
        numbers("contacts"),
        numbers("phase"),
        names("gait_names"),
        numbers("gaits"),
        data["left_strikes"].astype(np.intp).ravel(),
        data["right_strikes"].astype(np.intp).ravel(),
        float(data["ground"]),
    )
    if "confidence" not in data:
        return first
    return replace(
        first,
        confidence=numbers("confidence"),
        action_names=names("action_names"),
        actions=numbers("actions"),
        action_phase=numbers("action_phase"),
        goals=GoalLabels(numbers("goal_actions"), numbers("goal_positions"), numbers("goal_directions")),
        local_phase_joints=names("local_phase_joints"),
        local_phases=numbers("local_phases"),
    )
