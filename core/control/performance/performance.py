"""The finished motion of one character with labels, objects and ball: the result of every activity."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...ball.dribbled_ball import DribbledBall
from ...ball.palms import palm_centers
from ...labelling import Labels
from ...labelling.phase.phase import find_strikes
from ...motion import Clip
from ...motion.blending import smooth_falloff, smooth_step
from ...motion.contacts import CONTACT_THRESHOLD, FootContacts
from ...motion.roles import PAW_CONTACTS, contact_names
from ...motion.root_frame import yaw_of
from ...motion.rotations import IDENTITY, Array, rotation_about_up, wrap_angle
from ...motion.signals import FrameIndices, Mask, runs_of
from ...tuning import Tuning, tuned
from ..path.timed_waypoints import WaypointResult
from .object_track import ObjectTrack


@dataclass(frozen=True, slots=True)
class PerformanceTuning(Tuning):
    handover: float = tuned(0.25, "s", 0.0, 3.0)
    """Time in which an object's motion blends to that of edited hands, and back."""
    moment: float = tuned(0.25, "s", 0.1, 1.0)
    """Time around an exact moment in which the motion is shown earlier or later, by half a new frame at most."""
    near: float = tuned(3.0, "frames", 0.5, 60.0)
    """Largest distance from the nearest original frame at which a frame counts as kept by an edit, which may skip
    frames.
    """


TUNING: Final = PerformanceTuning()

HANDS: Final = ("hand.L", "hand.R")


@dataclass(frozen=True, slots=True, eq=False)
class Performance:
    """The finished motion of one character.

    Attributes:
        clip: motion (F frames) of the body, world.
        labels: labels of the clip's frames.
        standing_clip: the body standing on level ground with flat feet; ``None`` if its controller cannot stand.
        objects: objects that the character moves.
        ball: the ball that the character plays with; ``None`` without one.
        waypoint_results: results at the waypoints, in order of time.
        origins: (F) frame of the unedited motion for each frame, NaN in inserted clips; ``None`` for unedited motion.
    """

    clip: Clip
    labels: Labels
    standing_clip: Clip | None = None
    objects: tuple[ObjectTrack, ...] = ()
    ball: DribbledBall | None = None
    waypoint_results: tuple[WaypointResult, ...] = ()
    origins: Array | None = None

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.clip)

    @property
    def contacts(self) -> FootContacts:
        """Contacts of heels and balls, or of four paws."""
        return self.labels.foot_contacts

    @property
    def own_frames(self) -> Array:
        """Frame (F) of the unedited motion for each frame of this one; NaN in inserted clips."""
        return np.arange(len(self), dtype=float) if self.origins is None else self.origins

    def frame_from(self, origin: int) -> int | None:
        """Return the frame that shows a frame of the unedited motion; ``None`` if that frame was cut out."""
        away = np.abs(self.own_frames - origin)
        nearest = int(np.nanargmin(away))
        return nearest if away[nearest] <= TUNING.near else None

    def raised(self, height: float) -> "Performance":
        """Return the motion with the body raised by a height, meters; objects stay where they are."""
        up = np.array([0.0, 0.0, height])
        standing = self.standing_clip and self.standing_clip.transformed(IDENTITY, up)
        return replace(self, clip=self.clip.transformed(IDENTITY, up), standing_clip=standing)

    def touches(self, joint: str) -> Mask:
        """Return a mask (F) of the frames in which a joint is in contact with ground or an object."""
        names = self.labels.contact_joints
        if joint not in names:
            return np.zeros(len(self), dtype=bool)
        return np.asarray(self.labels.contacts[:, names.index(joint)] > CONTACT_THRESHOLD)

    def at(self, times: Array) -> "Performance":
        """Return the motion resampled at F' increasing times, given in frames from 0; it must not have a ball."""
        assert self.ball is None
        return replace(
            self,
            clip=self.clip.at(times),
            labels=self.labels.at(times),
            objects=tuple(one.at(times) for one in self.objects),
            origins=np.interp(times, np.arange(len(self)), self.own_frames),
        )

    def resampled(self, rate: float, moments: Iterable[int] = ()) -> "Performance":
        """Return the motion resampled to a rate, Hz, without its ball.

        Args:
            rate: the new rate, Hz.
            moments: frames that the nearest new frame shows exactly, such as those of blows; frames around them are
                shown a little earlier or later.
        """
        clip = self.clip.resampled(rate)
        even = times = np.minimum(np.arange(len(clip)) / rate * self.clip.rate, len(self) - 1)
        for moment in moments:
            nearest = min(round(moment * rate / self.clip.rate), len(clip) - 1)
            away = np.abs(even - even[nearest]) / (TUNING.moment * self.clip.rate)
            times = times + (moment - even[nearest]) * smooth_falloff(np.minimum(away, 1.0))
        if times is not even:
            times = np.clip(times, 0.0, len(self) - 1.0)
            clip = replace(self.clip.at(times), rate=rate)
        return replace(
            self,
            clip=clip,
            labels=self.labels.resampled(rate, len(clip)),
            objects=tuple(one.at(times) for one in self.objects),
            ball=None,
            origins=None,
        )

    def cut(self, start: int, stop: int) -> "Performance":
        """Return the frames from `start` up to, but not including, `stop`, without the ball."""
        return replace(
            self,
            clip=self.clip.cut(start, stop),
            labels=self.labels.cut(start, stop),
            objects=tuple(one.cut(start, stop) for one in self.objects),
            ball=None,
            origins=self.own_frames[start:stop],
        )

    def concat(self, other: "Performance") -> "Performance":
        """Return this motion followed by another motion of the same body with the same objects."""
        roots = np.concatenate([self.clip.root_positions, other.clip.root_positions])
        rotations = np.concatenate([self.clip.rotations, other.clip.rotations])
        return replace(
            self,
            clip=replace(self.clip, root_positions=roots, rotations=rotations),
            labels=self.labels.concat(other.labels),
            objects=tuple(one.concat(after) for one, after in zip(self.objects, other.objects, strict=True)),
            origins=np.concatenate([self.own_frames, other.own_frames]),
        )

    def held_still(self, frame: int, clip: Clip, contacts: FootContacts) -> "Performance":
        """Return the motion of another clip with the labels and objects of one frame of this motion throughout.

        Args:
            frame: frame of this motion.
            clip: the poses.
            contacts: foot contacts of the clip.
        """
        frames = np.full(len(clip), frame)
        labels = self.labels.at(frames.astype(float))
        none = np.zeros(0, dtype=np.intp)
        still = replace(
            self,
            clip=clip,
            labels=replace(labels, left_strikes=none, right_strikes=none),
            objects=tuple(one.taken(frames) for one in self.objects),
            ball=None,
            origins=np.full(len(clip), np.nan),
        )
        return still.with_contacts(contacts)

    def with_contacts(self, contacts: FootContacts) -> "Performance":
        """Return the motion with its foot contacts replaced."""
        names = contact_names(self.labels.contact_joints)
        columns = [self.labels.contact_joints.index(name) for name in names]
        whole = self.labels.contacts.copy()
        whole[:, columns] = contacts.probabilities
        left, right = foot_strikes(contacts, self.clip)
        return replace(self, labels=replace(self.labels, contacts=whole, left_strikes=left, right_strikes=right))

    def with_clip(self, clip: Clip) -> "Performance":
        """Return the motion with the body's poses replaced; objects in its hands move along."""
        held = [one.held.any() for one in self.objects]
        changed = _changed_frames(self.clip, clip) if any(held) else slice(0, 0)
        if changed.start == changed.stop:
            return replace(self, clip=clip)
        before, after = (one.cut(changed.start, changed.stop) for one in (self.clip, clip))
        carried = tuple(
            _carried(one, before, after, changed) if is_held else one
            for one, is_held in zip(self.objects, held, strict=True)
        )
        return replace(self, clip=clip, objects=carried)


def foot_strikes(contacts: FootContacts, clip: Clip) -> tuple[FrameIndices, FrameIndices]:
    """Return the first frame of each contact of the left and of the right foot, or hind paw."""
    hind = contact_names(clip.skeleton.roles) == PAW_CONTACTS
    left, right = (
        find_strikes(contacts.held[:, column] if hind else contacts.planted(side), clip.rate)
        for side, column in (("L", 0), ("R", 2))
    )
    return left, right


def _changed_frames(before: Clip, after: Clip) -> slice:
    """Return the frames from the first to the last in which two clips of the same length differ."""
    if before.skeleton is not after.skeleton:
        return slice(0, len(after))
    moved = (before.root_positions != after.root_positions).any(axis=1)
    turned = (before.rotations != after.rotations).reshape(len(moved), -1).any(axis=1)
    frames = np.flatnonzero(moved | turned)
    return slice(int(frames[0]), int(frames[-1]) + 1) if len(frames) else slice(0, 0)


def _carried(thing: ObjectTrack, before: Clip, after: Clip, frames: slice) -> ObjectTrack:
    """Return an object's motion changed to follow edited hands while they hold the object.

    Args:
        thing: the object's motion.
        before: the edited frames before the edit.
        after: the same frames after it.
        frames: the edited frames.
    """
    if thing.in_palms:
        was, comes = (palm_centers(clip) for clip in (before, after))
    else:
        was, comes = (
            np.stack([clip.positions[:, clip.skeleton.joint(role)] for role in HANDS], axis=1)
            for clip in (before, after)
        )
    weights = _hold_weights(thing.held, before.rate)[frames]
    middle = was.mean(axis=1)
    shifts = weights[:, None] * (comes.mean(axis=1) - middle)
    yaws = wrap_angle(_line_yaws(comes) - _line_yaws(was)) * (not thing.in_palms)
    moved = thing.taken(np.arange(frames.start, frames.stop)).moved(shifts, rotation_about_up(weights * yaws), middle)
    positions, rotations = thing.positions.copy(), thing.rotations.copy()
    positions[frames], rotations[frames] = moved.positions, moved.rotations
    return replace(thing, positions=positions, rotations=rotations)


def _line_yaws(hands: Array) -> Array:
    """Return the yaw (F), radians, of the line from the left to the right hand, given their positions (F, 2, 3)."""
    return yaw_of((hands[:, 1] - hands[:, 0])[:, :2])


def _hold_weights(held: Mask, rate: float) -> Array:
    """Return the weights (F), 0 to 1, with which hands hold an object; they start and end gradually."""
    weights = np.zeros(len(held))
    for start, stop in runs_of(held):
        frames = np.arange(start, stop)
        begins = frames - start + 1 if start > 0 else np.full(len(frames), np.inf)
        ends = stop - frames if stop < len(held) else np.full(len(frames), np.inf)
        weights[start:stop] = smooth_step(np.minimum(np.minimum(begins, ends) / (TUNING.handover * rate), 1.0))
    return weights
