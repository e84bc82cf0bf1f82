"""Flights between two holds, fitted by least squares; end points, times and restitution may shift slightly."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import scipy

from ..motion.rotations import Array
from .contact_sequence import MAX_FREE_FRAMES, MAX_ROLL_SPEED_M_S
from .free_motion import Arc, BallPhysics, bounce_arcs, bounce_velocities, caught_arcs, direct_velocities, released_arcs
from .hands import CUE_RATE_HZ

END_SIGMA_M: Final = 0.03
"""Standard deviation of the ball's position at the end or the start of a hold."""
TIME_SIGMA_S: Final = 1.0 / CUE_RATE_HZ
"""Standard deviation of the times of release and catch."""
VELOCITY_SIGMA_M_S: Final = 1.0
"""Standard deviation of the velocities predicted from the hands."""
RESTITUTION_SIGMA: Final = 0.05
"""Standard deviation of the restitution of a ball and a floor."""
VARIABLES: Final = 8
"""Number of fitted variables of a flight: two shifts of its ends and two of its times."""
RESIDUALS: Final = 14
"""Number of residuals of a flight: two velocities, two shifts and two delays."""


@dataclass(frozen=True, slots=True, eq=False)
class FreeSegment:
    """Free motion of a ball between two holds, with the evidence at both ends and the fitted corrections.

    Attributes:
        hold_times: (2) times of the last held frame before the segment and of the first one after it, seconds.
        ends: (2, 3) positions of the held ball at these times, meters.
        moving: (2, 3) velocities of the held ball at these times, m/s.
        told: (2, 3) velocities at release and catch, as predicted from the hands, m/s.
        may_lie: whether both ends are low enough for the ball to lie on the floor in between.
        shifts: (2, 3) fitted displacements of the two end points, meters.
        delays: (2) fitted offsets added to ``hold_times``, seconds.
        kind: ``flight``, ``bounce``, ``roll``, or ``gap`` if one ball leaves and another arrives.
    """

    hold_times: Array
    ends: Array
    moving: Array
    told: Array
    may_lie: bool
    shifts: Array = field(default_factory=lambda: np.zeros((2, 3)))
    delays: Array = field(default_factory=lambda: np.zeros(2))
    kind: str = "gap"

    @property
    def times(self) -> Array:
        """Times (2) of release and catch, seconds."""
        return self.hold_times + self.delays

    @property
    def points(self) -> Array:
        """Ball centers (2, 3) at release and catch, meters."""
        return self.ends + self.shifts + self.delays[:, None] * self.moving

    def arcs(self, physics: BallPhysics) -> list[Arc]:
        """Return the successive ballistic or rolling arcs of the ball from release to catch."""
        (start, end), (first, last) = self.times, self.points
        if self.kind == "roll":
            level = np.stack([first, last]) * [1.0, 1.0, 0.0] + [0.0, 0.0, physics.radius]
            return [Arc(float(start), level[0], (level[1] - level[0]) / (end - start), rolls=True)]
        if self.kind == "gap":
            middle = 0.5 * float(start + end)
            away = released_arcs(float(start), first, self.told[0], middle, physics)
            first_back, *others = caught_arcs(float(end), last, self.told[1], middle, physics)
            return [*away, first_back.moved(middle, physics), *others]
        duration = np.asarray(end - start)
        if self.kind == "flight":
            return [Arc(float(start), first, direct_velocities(first, last, duration, physics)[0])]
        return bounce_arcs(float(start), float(duration), first, last, physics)


def fit_flights(segments: Sequence[FreeSegment], physics: BallPhysics) -> tuple[list[FreeSegment], float]:
    """Return the segments with their kind, shifts and delays fitted, and the fitted restitution of the ball."""
    known = [replace(segment, kind=_kind_of(segment, physics)) for segment in segments]
    fitted = [number for number, segment in enumerate(known) if segment.kind in ("flight", "bounce")]
    if not fitted:
        return known, physics.restitution
    batch = _Batch([known[number] for number in fitted], physics)
    solved = scipy.optimize.least_squares(
        batch.residuals,
        np.append(np.zeros(VARIABLES * len(fitted)), physics.restitution),
        jac_sparsity=batch.sparsity(),
        x_scale=batch.scale(),
        max_nfev=30,
    )
    shifts, delays, restitution = batch.split(solved.x)
    for row, number in enumerate(fitted):
        known[number] = replace(known[number], shifts=shifts[row], delays=delays[row])
    return known, float(restitution)


def _kind_of(segment: FreeSegment, physics: BallPhysics) -> str:
    """Return the kind of motion that best agrees with the velocities predicted for a segment."""
    duration = np.asarray(segment.hold_times[1] - segment.hold_times[0])
    first, last = segment.ends
    speed = float(np.linalg.norm(last - first) / duration)
    if segment.may_lie and speed < MAX_ROLL_SPEED_M_S:
        return "roll"
    if duration * CUE_RATE_HZ > MAX_FREE_FRAMES + 1:
        return "gap"
    direct = np.stack(direct_velocities(first, last, duration, physics))
    bounce = np.stack(bounce_velocities(first, last, duration, physics)[:2])
    deviations = [float(((velocities - segment.told) ** 2).sum()) for velocities in (direct, bounce)]
    return "flight" if deviations[0] <= deviations[1] else "bounce"


class _Batch:
    """Flights and bounces with their variables as one vector: eight for each, and the restitution at its end."""

    def __init__(self, segments: Sequence[FreeSegment], physics: BallPhysics) -> None:
        self.physics = physics
        self.times = np.stack([segment.hold_times for segment in segments])
        self.ends = np.stack([segment.ends for segment in segments])
        self.moving = np.stack([segment.moving for segment in segments])
        self.told = np.stack([segment.told for segment in segments])
        self.bounces = np.array([segment.kind == "bounce" for segment in segments])

    def split(self, variables: Array) -> tuple[Array, Array, float]:
        """Split a vector of fitted variables into shifts (S, 2, 3), delays (S, 2) and the restitution."""
        own = variables[:-1].reshape(len(self.times), VARIABLES)
        return own[:, :6].reshape(-1, 2, 3), own[:, 6:], float(variables[-1])

    def residuals(self, variables: Array) -> Array:
        """Return the residuals (N) of all flights and of the restitution, in standard deviations, to be minimized."""
        shifts, delays, restitution = self.split(variables)
        physics = replace(self.physics, restitution=restitution)
        points = self.ends + shifts + delays[..., None] * self.moving
        moments = self.times + delays
        duration = np.maximum(moments[:, 1] - moments[:, 0], 0.5 / CUE_RATE_HZ)
        direct = np.stack(direct_velocities(points[:, 0], points[:, 1], duration, physics), axis=1)
        bounced = np.stack(bounce_velocities(points[:, 0], points[:, 1], duration, physics)[:2], axis=1)
        velocities = np.where(self.bounces[:, None, None], bounced, direct)
        own = np.concatenate(
            [
                ((velocities - self.told) / VELOCITY_SIGMA_M_S).reshape(len(shifts), -1),
                (shifts / END_SIGMA_M).reshape(len(shifts), -1),
                delays / TIME_SIGMA_S,
            ],
            axis=1,
        )
        return np.append(own.ravel(), (restitution - self.physics.restitution) / RESTITUTION_SIGMA)

    def sparsity(self) -> "scipy.sparse.csr_matrix":
        """Return the sparsity of the Jacobian: residuals depend on their flight's variables and on the restitution."""
        count = len(self.times)
        own = scipy.sparse.block_diag([np.ones((RESIDUALS, VARIABLES))] * count)
        last = scipy.sparse.csr_matrix((1, count * VARIABLES))
        return scipy.sparse.hstack(
            [scipy.sparse.vstack([own, last]), np.ones((count * RESIDUALS + 1, 1))], format="csr"
        )

    def scale(self) -> Array:
        """Return the usual magnitude (N) of each fitted variable, by which the solver scales its steps."""
        own = [*[END_SIGMA_M] * 6, *[TIME_SIGMA_S] * 2]
        return np.array([*own * len(self.times), RESTITUTION_SIGMA])
