"""Dribbling along a path: which hand is to dribble where, and what the network is told of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...ball.ball_track import BASKETBALL_RADIUS_M
from ...errors import FootfallError
from ...features.phase_system import SAMPLE_OFFSETS_FRAMES, system_parts
from ...models.model_file import ControllerModel
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import Array
from ..path.path_events import CueSpan
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import STAND_BEFORE_S, Timing

PIVOT_M: Final = np.array([0.40, 0.38, 0.97])
"""Mean place of a ball that the right hand dribbles: to the right, ahead and up of an adult's root, as captured."""
CHANGE_SMOOTHING_S: Final = 0.35
"""Standard deviation of the smoothing of a change of hands, that of the pivots that a network learns from."""
LEVEL_TOLERANCE_M: Final = 0.03
"""Rise of the ground along a path up to which it is level, for an adult."""
SIDES: Final = {"left": -1.0, "right": 1.0}
"""Sides by the name of the hand."""


@dataclass(frozen=True, slots=True)
class Dribble:
    """A ball that is dribbled along a path.

    Attributes:
        hand: ``"left"`` or ``"right"``, where no path event names another.
        radius: of the ball, meters.
    """

    hand: str = "right"
    radius: float = BASKETBALL_RADIUS_M


@dataclass(frozen=True, slots=True, eq=False)
class DribblePlan:
    """A dribble by time.

    Attributes:
        sides: (T) hand at each frame of the timing, from -1 for the left to 1 for the right.
        radius: of the ball, meters of the controller.
    """

    sides: Array
    radius: float

    def retimed(self, before: Timing, after: Timing) -> "DribblePlan":
        """Return the dribble with its changes of hands at the same places along the path, by another timing."""
        return replace(self, sides=np.interp(after.distances, before.distances, self.sides))

    def is_like(self, other: "DribblePlan | None") -> bool:
        """Return whether another plan has the same hands and ball."""
        return other is not None and self.radius == other.radius and np.array_equal(self.sides, other.sides)


def plays_ball(model: ControllerModel) -> bool:
    """Return whether a controller knows what to do with a ball."""
    return "ball" in system_parts(model.input_layout)


def plan_dribble(
    dribble: Dribble, spans: Iterable[CueSpan], timing: Timing, profile: TerrainProfile, scale: float, rate: float
) -> DribblePlan:
    """Plan a dribble.

    Args:
        dribble: what to do.
        spans: path events along the planned path.
        timing: where to be when.
        profile: terrain along the planned path.
        scale: meters of the world per meter of the controller.
        rate: frames per second.

    Raises:
        FootfallError: the ground is not level.
    """
    rise = float(np.ptp(profile.heights))
    if rise > LEVEL_TOLERANCE_M * profile.scale:
        raise FootfallError(
            "The path rises or falls by {cm} cm, and a ball is dribbled on level ground: draw it there, or walk "
            "without the ball.",
            cm=f"{100 * rise * scale:.0f}",
        )
    sides = np.full(len(timing.distances), SIDES[dribble.hand])
    times = np.arange(len(sides)) / rate + STAND_BEFORE_S
    for span in spans:
        if span.hand is not None:
            place = timing.distances if span.unit == "meters" else times
            sides[(place >= span.start) & (place < span.end)] = SIDES[span.hand]
    smooth = scipy.ndimage.gaussian_filter1d(sides, CHANGE_SMOOTHING_S * rate, mode="nearest")
    return DribblePlan(smooth, dribble.radius / scale)


class BallPivots:
    """The pivots that characters of one controller are told: where around them their ball is to be.

    Args:
        model: the controller.
        plans: of each character; ``None`` without a ball.
    """

    def __init__(self, model: ControllerModel, plans: Sequence[DribblePlan | None]) -> None:
        self._scale, self._rate = model.skeleton.leg_length / ADULT_LEG_LENGTH_M, model.rate
        self._sides = [np.zeros(1) if plan is None else plan.sides for plan in plans]
        self._has_ball = np.array([plan is not None for plan in plans], dtype=float)

    def places(self, character: int, frames: NDArray[np.intp]) -> Array:
        """Return the pivots (..., 3), meters, in the root's frame, of a character at frames (...) of its timing."""
        sides = self._sides[character]
        side = sides[np.clip(frames, 0, len(sides) - 1)]
        signs = np.stack([side, np.ones_like(side), np.ones_like(side)], axis=-1)
        return self._has_ball[character] * self._scale * signs * PIVOT_M

    def conditions(self, characters: NDArray[np.intp], frames: NDArray[np.intp]) -> Mapping[str, Array]:
        """Return the groups of pivots by name.

        Args:
            characters: (B) indices of the characters that still walk.
            frames: (B) current frames of their timings.
        """
        around = frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
        place, before, after = (
            np.stack([self.places(int(one), row) for one, row in zip(characters, around + shift, strict=True)])
            for shift in (0, -1, 1)
        )
        return {"interaction.position": place, "interaction.velocity": 0.5 * (after - before) * self._rate}


def hand_spans(hand: str, changes: Sequence[float]) -> tuple[CueSpan, ...]:
    """Return the path events of changes of hands.

    Args:
        hand: with which a dribble begins.
        changes: arc lengths, meters, at which the other hand takes over.
    """
    others = {"left": "right", "right": "left"}
    starts, spans = sorted(changes), []
    for start, end in zip(starts, [*starts[1:], np.inf], strict=False):
        hand = others[hand]
        spans.append(CueSpan(start, end, hand=hand))
    return tuple(spans)
