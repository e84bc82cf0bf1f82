"""The displayed ball of a character steered live: in the hands that touch it, with one bounce between contacts.

A bake knows when the next contact is. Live, a flight is assumed to take the expected time and to end where, relative to
the body, the ball was last caught. If a hand catches it at another time or place, the ball moves to the hand within
``TUNING.catch`` seconds.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...ball.dribbled_ball import MAX_FLIGHT_S
from ...ball.free_motion import Arc, BallPhysics, bounce_arcs, sample_arcs
from ...ball.hands import GRAVITY_M_S2
from ...ball.palms import palm_centers
from ...motion import Clip
from ...motion.root_frame import into_frame, out_of_frame
from ...motion.rotations import Array
from ...motion.signals import Mask
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class LiveBallTuning(Tuning):
    usual_flight: float = tuned(0.55, "s", 0.2, 2.0)
    """Expected duration of the first flight."""
    min_flight: float = tuned(0.3, "s", 0.0, 1.0)
    """Duration below which a flight counts as a brief loss of contact, which does not change the expected duration."""
    flight_share: float = tuned(0.3, "1", 0.0, 1.0)
    """Weight of the last flight in the expected duration of the next flight."""
    catch: float = tuned(0.12, "s", 0.0, 1.0)
    """Time in which a ball caught at an unexpected place moves to the hand."""


TUNING: Final = LiveBallTuning()


@dataclass(frozen=True, slots=True, eq=False)
class BallMoment:
    """Pose and ball contacts of a character at a frame, in meters at the controller's scale, world.

    Attributes:
        pose: the displayed pose, one frame.
        touching: (2) whether left and right hand touch the ball.
        root: (3) root on the ground.
        yaw: yaw of the root, radians.
        side: intended dribbling hand, from -1 for the left to 1 for the right.
    """

    pose: Clip
    touching: Mask
    root: Array
    yaw: float
    side: float


class LiveBall:
    """The displayed ball of one character.

    Args:
        radius: radius of the ball, meters at the controller's scale.
        rate: frames per second.
    """

    def __init__(self, radius: float, rate: float) -> None:
        self._physics, self._rate = BallPhysics(GRAVITY_M_S2, radius), rate
        self._place: Array | None = None
        self._root = np.zeros(3)
        self._flight: list[Arc] = []
        self._passed, self._usual = 0.0, TUNING.usual_flight
        self._caught = np.zeros(3)
        self._led, self._since_catch = np.zeros(3), np.inf

    def step(self, now: BallMoment) -> Array:
        """Return the center (3) of the ball at the next frame, meters, world."""
        hands = now.touching if now.touching.any() else np.array([now.side < 0, now.side >= 0])
        palm = palm_centers(now.pose)[0, hands].mean(axis=0)
        if self._place is None:
            self._place, self._root = palm, now.root
        if not self._flight and not now.touching.any():
            self._release(now)
        self._passed += 1 / self._rate
        if self._flight and (now.touching.any() or self._passed > MAX_FLIGHT_S):
            self._catch(palm, now)
        if self._flight:
            place = sample_arcs(self._flight, np.array([self._passed]), self._physics)[0]
            place[2] = max(place[2], self._physics.radius) + now.root[2]
        else:
            self._since_catch += 1 / self._rate
            left = max(1.0 - self._since_catch / TUNING.catch, 0.0)
            place = palm + left * left * self._led
            self._caught = into_frame(palm - now.root, np.asarray(now.yaw))
        self._place, self._root = place, now.root
        return place

    def _release(self, now: BallMoment) -> None:
        """Begin a flight from the ball's position to where it was last caught, relative to the moving body."""
        assert self._place is not None
        caught = self._caught * [-1.0 if self._caught[0] * now.side < 0 else 1.0, 1.0, 1.0]
        body = now.root + (now.root - self._root) * self._usual * self._rate
        floor = np.array([0.0, 0.0, now.root[2]])
        end = body + out_of_frame(caught, np.asarray(now.yaw)) - floor
        self._flight, self._passed = bounce_arcs(0.0, self._usual, self._place - floor, end, self._physics), 0.0

    def _catch(self, palm: Array, now: BallMoment) -> None:
        """End a flight in a hand."""
        assert self._place is not None
        if self._passed >= TUNING.min_flight:
            self._usual += TUNING.flight_share * (self._passed - self._usual)
        self._flight, self._led, self._since_catch = [], self._place - palm, 0.0
