"""A procedural walker who dribbles a ball beside the right hand: held for a while, then bounced, all in closed form."""

from dataclasses import dataclass, field

import numpy as np

from footfall.core.ball.ball_track import BallTrack
from footfall.core.ball.free_motion import BallPhysics, bounce_arcs, sample_arcs
from footfall.core.motion.clip import Clip
from footfall.core.motion.rotations import IDENTITY
from footfall.tests.support.walker import Walker

RADIUS_M = 0.12
PHYSICS = BallPhysics(9.81, RADIUS_M)
BELOW_HAND_M = np.array([0.0, 0.0, -0.2])
"""Center of the held ball, from the wrist of the hanging hand."""


@dataclass(frozen=True)
class Dribbler:
    """A walker with a ball at the right hand.

    Attributes:
        walker: the body.
        held_frames: frames of each contact.
        free_frames: frames from the last one of a contact to the first one of the next.
    """

    walker: Walker = field(default_factory=lambda: Walker(seconds=6.0))
    held_frames: int = 18
    free_frames: int = 36

    def clip(self) -> Clip:
        """The motion."""
        return self.walker.clip()

    def ball(self) -> BallTrack:
        """The ball, which is in the hand at first."""
        clip = self.clip()
        carried = clip.positions[:, clip.skeleton.joint("hand.R")] + BELOW_HAND_M
        positions, contacts = carried.copy(), np.zeros((len(clip), 2), dtype=bool)
        cycle = self.held_frames - 1 + self.free_frames
        for start in range(0, len(clip), cycle):
            contacts[start : start + self.held_frames, 1] = True
            release, catch = start + self.held_frames - 1, start + cycle
            if catch >= len(clip):
                contacts[release:, 1] = True
                break
            times, duration = np.arange(self.free_frames) / clip.rate, self.free_frames / clip.rate
            arcs = bounce_arcs(0.0, duration, carried[release], carried[catch], PHYSICS)
            positions[release:catch] = sample_arcs(arcs, times, PHYSICS)
        return BallTrack(clip.rate, RADIUS_M, positions, np.tile(IDENTITY, (len(clip), 1)), contacts)
