"""A finished walk: its motion, contacts and commands, in one piece or in parts."""

from dataclasses import dataclass, replace

import numpy as np

from ...ball.dribbled_ball import DribbledBall
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.rotations import Array
from ..path.timed_waypoints import WaypointResult


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A finished walk.

    Attributes:
        clip: motion of the target skeleton at the controller's rate.
        contacts: 1 where a heel or ball is locked and stands on the ground, else 0.
        phase: (F) cycles.
        gaits: (F, G) commanded gaits.
        standing_clip: the target skeleton standing on level ground with flat feet, where the controller can stand.
        waypoint_results: how well the walk meets its waypoints, in the order of their times.
        ball: the ball that is dribbled, if any; a part of a walk has none.
    """

    clip: Clip
    contacts: FootContacts
    phase: Array
    gaits: Array
    standing_clip: Clip | None = None
    waypoint_results: tuple[WaypointResult, ...] = ()
    ball: DribbledBall | None = None

    def before_frame(self, frame: int) -> "Walk":
        """Return the first `frame` frames."""
        return self._slice(0, frame)

    def from_frame(self, frame: int) -> "Walk":
        """Return the frames from `frame` on."""
        return self._slice(frame, len(self.clip))

    def _slice(self, start: int, stop: int) -> "Walk":
        """Return the frames from `start` to `stop`."""
        contacts = FootContacts(self.contacts.probabilities[start:stop])
        phase, gaits = self.phase[start:stop], self.gaits[start:stop]
        return Walk(self.clip.cut(start, stop), contacts, phase, gaits, self.standing_clip, self.waypoint_results)

    def concat(self, other: "Walk") -> "Walk":
        """Return this walk followed by `other`."""
        clip = replace(
            self.clip,
            root_positions=np.concatenate([self.clip.root_positions, other.clip.root_positions]),
            rotations=np.concatenate([self.clip.rotations, other.clip.rotations]),
        )
        contacts = FootContacts(np.concatenate([self.contacts.probabilities, other.contacts.probabilities]))
        phase, gaits = (np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("phase", "gaits"))
        return Walk(clip, contacts, phase, gaits, other.standing_clip, other.waypoint_results)
