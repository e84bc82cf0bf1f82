"""Dribbling along a path: the dribbling hand at each frame, and the network inputs that command the ball."""

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
from ...tuning import Tuning, tuned
from ..path.path_events import CueSpan
from ..path.terrain_profile import TerrainProfile
from ..path.velocity_profile import STAND_BEFORE_S, Timing
from ..runtime.locomotion_runtime import LocomotionRuntime
from .ball_channels import BallChannels

PIVOT_M: Final = np.array([0.40, 0.38, 0.97])
"""Mean captured center of a ball that an adult dribbles with the right hand, root's frame: right, ahead, up; meters."""


@dataclass(frozen=True, slots=True)
class DribbleTuning(Tuning):
    change_smoothing: float = tuned(0.35, "s", 0.0, 3.0)
    """Standard deviation of the Gaussian that smooths a change of hands, the same as in the training data."""
    level_tolerance: float = tuned(0.03, "m", 0.0, 0.5)
    """Largest rise of the ground along an adult's path that still counts as level."""


TUNING: Final = DribbleTuning()

SIDES: Final = {"left": -1.0, "right": 1.0}
"""Sign of each hand's side: -1 for the left, 1 for the right."""


@dataclass(frozen=True, slots=True)
class Dribble:
    """A dribble along a path.

    Attributes:
        hand: hand that dribbles where no path event chooses one, ``"left"`` or ``"right"``.
        radius: radius of the ball, meters.
    """

    hand: str = "right"
    radius: float = BASKETBALL_RADIUS_M


@dataclass(frozen=True, slots=True, eq=False)
class DribblePlan:
    """A dribble by frames of a walk's timing.

    Attributes:
        sides: (T) dribbling hand at each frame, from -1 for the left to 1 for the right.
        radius: radius of the ball, meters at the controller's scale.
        shares: (T) 1 at frames in which the character has the ball, 0 elsewhere.
    """

    sides: Array
    radius: float
    shares: Array

    def retimed(self, before: Timing, after: Timing) -> "DribblePlan":
        """Return the dribble for another timing, with its changes of hands at the same places along the path."""
        sides, shares = (np.interp(after.distances, before.distances, values) for values in (self.sides, self.shares))
        return replace(self, sides=sides, shares=np.rint(shares))

    def is_like(self, other: "DribblePlan | None") -> bool:
        """Return whether another plan has the same ball, dribbled by the same hand and owned in the same frames."""
        return (
            other is not None
            and self.radius == other.radius
            and np.array_equal(self.sides, other.sides)
            and np.array_equal(self.shares, other.shares)
        )


def plays_ball(model: ControllerModel) -> bool:
    """Return whether a controller has the inputs and outputs for a dribbled ball."""
    return "ball" in system_parts(model.input_layout)


def require_level(profile: TerrainProfile, scale: float) -> None:
    """Raise :class:`FootfallError` unless the ground along a path is level enough for a dribbled ball.

    Args:
        profile: terrain along the planned path.
        scale: world meters per meter at the controller's scale.
    """
    rise = float(np.ptp(profile.heights))
    if rise > TUNING.level_tolerance * profile.scale:
        raise FootfallError(
            "The path rises or falls by {distance} cm, but dribbling needs level ground: draw the path level, "
            "or walk without the ball",
            distance=f"{100 * rise * scale:.0f}",
        )


def plan_dribble(dribble: Dribble, spans: Iterable[CueSpan], timing: Timing, scale: float, rate: float) -> DribblePlan:
    """Return the plan of a dribble: at each frame of a walk, the dribbling hand and whether the character has the ball.

    Args:
        dribble: the requested dribble, its radius in world meters.
        spans: path events along the planned path.
        timing: the timing of the walk.
        scale: world meters per meter at the controller's scale.
        rate: frames per second.
    """
    sides = np.full(len(timing.distances), SIDES[dribble.hand])
    times = np.arange(len(sides)) / rate + STAND_BEFORE_S
    for span in spans:
        if span.hand is not None:
            place = timing.distances if span.unit == "meters" else times
            sides[(place >= span.start) & (place < span.end)] = SIDES[span.hand]
    smooth = scipy.ndimage.gaussian_filter1d(sides, TUNING.change_smoothing * rate, mode="nearest")
    return DribblePlan(smooth, dribble.radius / scale, np.ones(len(smooth)))


class BallPivots:
    """The balls of one controller's characters, and their pivots: the commanded ball centers in the roots' frames.

    They supply the network's ball inputs in a roll-out.

    Args:
        model: the controller.
        plans: plan of each character; ``None`` for a character without a ball.
    """

    def __init__(self, model: ControllerModel, plans: Sequence[DribblePlan | None]) -> None:
        self._model = model
        self._scale, self._rate = model.skeleton.leg_length / ADULT_LEG_LENGTH_M, model.rate
        self._sides = [np.zeros(1) if plan is None else plan.sides for plan in plans]
        self._shares = [np.zeros(1) if plan is None else plan.shares for plan in plans]
        self._radii = [0.0 if plan is None else plan.radius for plan in plans]

    def begin(self, count: int) -> BallChannels:
        return BallChannels.begin(self._model, count)

    def command(
        self, runtime: LocomotionRuntime, characters: NDArray[np.intp], frames: NDArray[np.intp]
    ) -> Mapping[str, Array]:
        """Return the network inputs that command the balls in one step, by name of the input group.

        Args:
            runtime: the runtime, with the ball channels from :meth:`begin`.
            characters: (B) indices of the characters that still walk.
            frames: (B) current frame of each character's timing.
        """
        assert isinstance(runtime.beside, BallChannels)
        self._hand_over(runtime.beside, characters, frames, runtime.position, runtime.yaw)
        return self.conditions(characters, frames)

    def places(self, character: int, frames: NDArray[np.intp]) -> Array:
        """Return a character's pivots (..., 3), meters, root's frame, at frames of its timing; 0 without a ball."""
        return self._share(character, frames)[..., None] * self._beside(character, frames)

    def _beside(self, character: int, frames: NDArray[np.intp]) -> Array:
        """Return usual positions (..., 3) of a ball that a character dribbles at frames (...), meters, root's frame."""
        sides = self._sides[character]
        side = sides[np.clip(frames, 0, len(sides) - 1)]
        signs = np.stack([side, np.ones_like(side), np.ones_like(side)], axis=-1)
        return self._scale * signs * PIVOT_M

    def _share(self, character: int, frames: NDArray[np.intp]) -> Array:
        """Return, for each frame (...) of a character's timing, 1 if it has its ball and 0 otherwise."""
        shares = self._shares[character]
        return shares[np.clip(frames, 0, len(shares) - 1)]

    def _hand_over(
        self, balls: BallChannels, characters: NDArray[np.intp], frames: NDArray[np.intp], roots: Array, yaws: Array
    ) -> None:
        """Give balls to the characters that get one now, and take them from those that lose theirs.

        Args:
            balls: balls of the characters (B), modified in place.
            characters: (B) indices of the characters.
            frames: (B) current frame of each character's timing.
            roots: (B, 2) roots, meters, world.
            yaws: (B) yaws of the roots, radians.
        """
        for row, (character, frame) in enumerate(zip(characters, frames, strict=True)):
            has_ball = bool(self._share(int(character), frame))
            if has_ball and not balls.has_ball[row]:
                place = self.places(int(character), frame)
                balls.give(row, roots[row], float(yaws[row]), place, self._radii[int(character)])
            elif not has_ball:
                balls.has_ball[row] = 0.0

    def conditions(self, characters: NDArray[np.intp], frames: NDArray[np.intp]) -> Mapping[str, Array]:
        """Return the network inputs of the commanded ball positions, by name of the input group.

        Args:
            characters: (B) indices of the characters that still walk.
            frames: (B) current frame of each character's timing.
        """
        around = frames[:, None] + np.array(SAMPLE_OFFSETS_FRAMES)
        rows = [(int(character), row) for character, row in zip(characters, around, strict=True)]
        place = np.stack([self.places(*row) for row in rows])
        # The velocity of a pivot ignores the frames in which the ball appears or disappears.
        before, after = (np.stack([self._beside(one, row + shift) for one, row in rows]) for shift in (-1, 1))
        shares = np.stack([self._share(*row) for row in rows])[..., None]
        return {"interaction.position": place, "interaction.velocity": shares * 0.5 * (after - before) * self._rate}


def hand_spans(hand: str, changes: Sequence[float]) -> tuple[CueSpan, ...]:
    """Return path events that set the dribbling hand, each from one change of hands to the next.

    Args:
        hand: hand that dribbles first.
        changes: arc lengths at which the other hand takes over, meters.
    """
    others = {"left": "right", "right": "left"}
    starts, spans = sorted(changes), []
    for start, end in zip(starts, [*starts[1:], np.inf], strict=False):
        hand = others[hand]
        spans.append(CueSpan(start, end, hand=hand))
    return tuple(spans)
