"""A finished walk: motion, contacts and commands, in one piece or in parts."""

from dataclasses import dataclass, replace

import numpy as np

from ...ball.dribbled_ball import DribbledBall
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.rotations import Array
from ...motion.signals import runs_of
from ..path.timed_waypoints import WaypointResult


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A finished walk.

    Attributes:
        clip: motion of the target skeleton at the controller's rate.
        contacts: foot contacts, 1 for a heel or ball that is locked and stands on the ground, otherwise 0.
        phase: (F) phases of the motion, cycles.
        gaits: (F, G) commanded gaits.
        standing_clip: the target skeleton standing on level ground with flat feet; ``None`` if the controller cannot
            stand.
        waypoint_results: errors of the walk at its waypoints, in order of time.
        ball: the motion of the ball; ``None`` without one, and in parts of a walk.
    """

    clip: Clip
    contacts: FootContacts
    phase: Array
    gaits: Array
    standing_clip: Clip | None = None
    waypoint_results: tuple[WaypointResult, ...] = ()
    ball: DribbledBall | None = None

    def before_frame(self, frame: int) -> "Walk":
        """Return the part of the walk made of the first `frame` frames."""
        return self._slice(0, frame)

    def from_frame(self, frame: int) -> "Walk":
        """Return the part of the walk from `frame` on."""
        return self._slice(frame, len(self.clip))

    def _slice(self, start: int, stop: int) -> "Walk":
        """Return the frames from `start` to `stop`."""
        contacts = FootContacts(self.contacts.probabilities[start:stop])
        phase, gaits = self.phase[start:stop], self.gaits[start:stop]
        return Walk(self.clip.cut(start, stop), contacts, phase, gaits, self.standing_clip, self.waypoint_results)

    def concat(self, other: "Walk") -> "Walk":
        """Return this walk followed by another part of the same walk."""
        frames = len(self.clip)
        pieces = WalkPieces(self, frames + len(other.clip))
        pieces.write(other, frames)
        return pieces.walk()


class WalkPieces:
    """A walk that is finished in pieces, each of which overwrites the end of the previous one.

    Args:
        first: the first piece, which also provides everything that is not stored per frame.
        frames: number of frames of the whole walk; frames that no piece has written are uninitialized.
    """

    def __init__(self, first: Walk, frames: int) -> None:
        # Copies: a view would keep the whole first piece in memory.
        self._own = first.standing_clip, first.waypoint_results
        self._clip = Clip(
            first.clip.skeleton, first.clip.rate, np.zeros((0, 3)), first.clip.rotations[:0].copy(), first.clip.name
        )
        self._frames = frames
        self._whole = [np.empty((frames, *part.shape[1:]), part.dtype) for part in _tracks(first)]
        self.write(first, 0)

    def write(self, piece: Walk, frame: int) -> None:
        """Write a piece into the walk, starting at a frame; frames beyond the end of the walk are dropped."""
        for whole, part in zip(self._whole, _tracks(piece), strict=True):
            whole[frame : frame + len(part)] = part[: self._frames - frame]

    def seam(self, piece: Walk, frame: int, limit: int) -> int | None:
        """Return the frame at which a piece can take over, after its poses have equaled the written ones for a second.

        The poses must be bit-identical, so that a walk finished in pieces is identical to one finished at once.

        Args:
            piece: a piece that has not been written yet.
            frame: frame of the walk at which the piece begins.
            limit: frame of the walk at which the comparison ends.

        Returns:
            The first frame of the last run of equal poses that lasts a second; ``None`` if there is no such run.
        """
        roots, rotations = (part[frame:limit] for part in self._whole[:2])
        same = (piece.clip.root_positions[: limit - frame] == roots).all(axis=1)
        same &= (piece.clip.rotations[: limit - frame] == rotations).all(axis=(1, 2))
        begins, ends = runs_of(same).T
        long = np.flatnonzero(ends - begins >= self._clip.rate)
        return frame + int(begins[long[-1]]) if len(long) else None

    def walk(self) -> Walk:
        root_positions, rotations, contacts, phase, gaits = self._whole
        clip = replace(self._clip, root_positions=root_positions, rotations=rotations)
        return Walk(clip, FootContacts(contacts), phase, gaits, *self._own)


def _tracks(walk: Walk) -> tuple[Array, ...]:
    """Return all arrays of a walk that have a row for each frame."""
    return walk.clip.root_positions, walk.clip.rotations, walk.contacts.probabilities, walk.phase, walk.gaits
