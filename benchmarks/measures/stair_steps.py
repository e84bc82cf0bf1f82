"""Steps on stairs: tread of each foot contact, and its distance from the middle of the tread."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...core.labelling.contacts.sensor_tracks import sensor_tracks
from ...core.labelling.presets import BIPED_PRESET
from ...core.motion import Clip
from ...core.motion.contacts import FootContacts
from ...core.motion.proportions import ADULT_LEG_LENGTH_M
from ...core.motion.rotations import Array

TOE_LENGTH_M: Final = 0.06
"""Length of the sole before the ball, of an adult."""
CENTERED_M: Final = 0.06
"""Largest distance from the middle of a tread for a centered foot."""
NOSING_MARGIN_M: Final = 0.01
"""Distance of the ball from an edge below which a foot is on the nosing."""
MIN_STANCE_S: Final = 0.2
"""Shortest contact that supports the body; shorter ones are scuffs."""


@dataclass(frozen=True, slots=True, eq=False)
class StairSteps:
    """The steps of a character on one flight, in order.

    Attributes:
        treads: (N) tread of each step: 1 is behind the first riser, the number of risers the landing.
        offsets: (N) position of the middle of the sole from the middle of its tread, meters, positive onward.
        ball_margins: (N) distance of the ball from the nearest edge of its tread, meters.
        seconds: (N) times of the strikes.
        riser_count: number of risers of the flight.
    """

    treads: Array
    offsets: Array
    ball_margins: Array
    seconds: Array
    riser_count: int

    @property
    def on_treads(self) -> NDArray[np.bool_]:
        """Steps (N) on treads, without those on the floor behind the flight, which has no middle."""
        return self.treads < self.riser_count

    @property
    def centered_share(self) -> float:
        """Share of the steps on treads within :data:`CENTERED_M` of the middle."""
        return float(np.mean(np.abs(self.offsets[self.on_treads]) < CENTERED_M)) if self.on_treads.any() else 0.0

    @property
    def nosing_share(self) -> float:
        """Share of the steps on treads that touch an edge."""
        margins = self.ball_margins[self.on_treads]
        return float(np.mean(margins < NOSING_MARGIN_M)) if len(margins) else 0.0

    @property
    def uneven_count(self) -> int:
        """Number of steps that skip a tread or stay on the tread of the step before."""
        return int(np.count_nonzero(np.diff(self.treads) != 1))

    @property
    def cadence(self) -> float:
        """Steps per minute; NaN with fewer than three steps."""
        if len(self.seconds) < 3:
            return float("nan")
        return 60 * (len(self.seconds) - 1) / float(self.seconds[-1] - self.seconds[0])


def stair_steps(
    clip: Clip, contacts: FootContacts, risers: Array, direction: Array, standing: Clip | None = None
) -> StairSteps:
    """Return the steps of a clip on a straight flight.

    Args:
        clip: the motion.
        contacts: held contacts of heels and balls.
        risers: (R) positions of the flight's risers along a direction, meters, in the order of the walk.
        direction: (2) unit vector of the walk.
        standing: the same body on level ground, the reference for heels.
    """
    going = float(np.diff(risers).mean())
    edges = np.concatenate([risers, [risers[-1] + going]])
    points = sensor_tracks(clip, BIPED_PRESET, standing)[..., :2] @ direction
    toes = TOE_LENGTH_M * clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    found: list[tuple[float, int, float, float]] = []
    for index, side in enumerate("LR"):
        heel, ball = points[:, 2 * index], points[:, 2 * index + 1]
        for start, stop in contacts.runs(side):
            if stop - start < MIN_STANCE_S * clip.rate:
                continue
            middle = (start + stop) // 2
            place = float(ball[middle])
            sole = (float(heel[middle]) + place + toes) / 2
            tread = int(np.searchsorted(edges, sole, side="right"))
            if not 1 <= tread < len(edges):
                continue
            offset = sole - (edges[tread - 1] + edges[tread]) / 2
            margin = min(place - edges[tread - 1], edges[tread] - place)
            found.append((start / clip.rate, tread, offset, margin))
    found.sort()
    seconds, treads, offsets, margins = (
        (np.array(column) for column in zip(*found, strict=True)) if found else (np.zeros(0),) * 4
    )
    return StairSteps(treads, offsets, margins, seconds, len(risers))
