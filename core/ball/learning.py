"""Learning of the cue model from clips with captured balls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..errors import FootfallError
from ..motion import Clip
from ..motion.rotations import Array
from ..motion.signals import Mask, runs_of
from .ball_track import BallTrack
from .cue_model import CueModel
from .cues import MIRROR, contact_cues, double_hold_cues, single_hold_cues, velocity_cues
from .hands import CUE_RATE_HZ, HandMotion, read_hands
from .kernel_regression import KernelRegression, fit_kernel_regression

CONTACT_CENTERS: Final = 600
"""Number of centers of the regression of contacts."""
EMPTY_HAND_STEP: Final = 4
"""Step between training frames of a clip without a ball."""
HOLD_CENTERS: Final = 300
"""Number of centers of the regressions of the ball's position in hands."""
MIN_FLIGHT_FRAMES: Final = 5
"""Least number of frames between contacts for a training velocity."""
FITTED_FLIGHT_FRAMES: Final = 12
"""Number of frames at the beginning or the end of a flight to which its velocity is fitted."""
MIN_FLIGHT_SPEED_M_S: Final = 0.3
"""Speed between contacts below which a ball lies on the floor."""
BOUNCE_HEIGHT_RATIO: Final = 1.5
"""Height of the center above the floor, in radii, below which a ball is about to bounce."""


@dataclass(frozen=True, slots=True, eq=False)
class CapturedBall:
    """A training clip: motion of its hands at ``CUE_RATE_HZ``, and its ball; ``None`` if it is known to have none."""

    hands: HandMotion
    centers: Array | None
    contacts: Mask
    radius: float


def captured_ball(clip: Clip, track: BallTrack | None, floor: float = 0.0) -> CapturedBall:
    """Return a clip and its ball, resampled for the training of a cue model.

    Args:
        clip: the motion.
        track: motion of the ball; ``None`` for a clip in which no hand touches a ball.
        floor: height of the floor, meters.
    """
    hands = read_hands(clip, floor)
    frames = len(hands)
    if track is None:
        return CapturedBall(hands, None, np.zeros((frames, 2), dtype=bool), 0.0)
    index = np.minimum(np.rint(np.arange(frames) * track.rate / CUE_RATE_HZ).astype(int), len(track) - 1)
    return CapturedBall(
        hands, hands.from_clip(track.positions[index]), track.contacts[index], track.radius / hands.scale
    )


def learn_cue_model(examples: Sequence[CapturedBall], sources: str) -> CueModel:
    """Fit a cue model to captured balls.

    Args:
        examples: training clips with and without a ball.
        sources: names of the clips and their license, kept in the model's file.

    Raises:
        FootfallError: no clip has a ball, or there are no examples of a ball in one hand, in both hands, of a catch or
            of a release.
    """
    with_ball = [example for example in examples if example.centers is not None]
    cues, touched = _contact_samples(examples)
    single, double = _hold_samples(with_ball)
    catches, releases = _velocity_samples(with_ball, True), _velocity_samples(with_ball, False)
    if not all(len(samples[0]) for samples in (single, double, catches, releases)):
        raise FootfallError(
            "These clips do not show enough to learn from: add clips where a ball is held in one hand, held in "
            "both, caught and released"
        )
    return CueModel(
        fit_kernel_regression(cues, np.where(touched, 1.0, -1.0)[:, None], CONTACT_CENTERS, 1.4, 1e-4),
        fit_kernel_regression(*single, HOLD_CENTERS, 1.0, 1e-3),
        fit_kernel_regression(*double, HOLD_CENTERS, 1.4, 1e-5),
        _fit_velocity(catches),
        _fit_velocity(releases),
        float(np.mean([example.radius for example in with_ball])),
        sources,
    )


def flight_velocity(centers: Array, frame: float, gravity: float) -> Array:
    """Return the velocity (3), per second, of a ball in free flight at a frame, fitted to its centers.

    Args:
        centers: (N, 3) centers in successive frames at ``CUE_RATE_HZ``, in any unit of length.
        frame: the frame, 0 at the first center; may lie before or after all centers.
        gravity: acceleration of a falling ball, in the same unit, per second squared.
    """
    times = (np.arange(len(centers)) - frame) / CUE_RATE_HZ
    straight = centers + 0.5 * gravity * times[:, None] ** 2 * [0.0, 0.0, 1.0]
    return np.polyfit(times, straight, 1)[0]


def _fit_velocity(samples: tuple[Array, Array]) -> KernelRegression:
    """Fit a regression of velocities that has every sample as a center."""
    return fit_kernel_regression(*samples, len(samples[0]), 1.0, 1e-3)


def _contact_samples(examples: Sequence[CapturedBall]) -> tuple[Array, Mask]:
    """Return the hands' cues (S, N), and whether the hands touch the ball (S), from all examples."""
    cues, touched = [], []
    for example in examples:
        step = EMPTY_HAND_STEP if example.centers is None else 1
        own = contact_cues(example.hands)[::step]
        cues.append(own.reshape(-1, own.shape[-1]))
        touched.append(example.contacts[::step].ravel())
    return np.concatenate(cues), np.concatenate(touched)


def _hold_samples(examples: Sequence[CapturedBall]) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return samples for balls in one hand, and in both: cues (S, N), and centers (S, 3) in the hand's frame."""
    single: list[tuple[Array, Array]] = []
    double: list[tuple[Array, Array]] = []
    for example in examples:
        hands, both = example.hands, np.all(example.contacts, axis=1)
        assert example.centers is not None
        offsets = hands.into_hands(example.centers[:, None] - hands.wrists)
        alone = example.contacts & ~np.column_stack([both, both])
        single.append((single_hold_cues(hands)[alone], offsets[alone]))
        together = double_hold_cues(hands)[both]
        double.append((together.reshape(-1, together.shape[-1]), offsets[both].reshape(-1, 3)))
    return _joined(single), _joined(double)


def _velocity_samples(examples: Sequence[CapturedBall], caught: bool) -> tuple[Array, Array]:
    """Return cues (S, N) and velocities (S, 3) of catches or releases, in the trunk's frame, also mirrored."""
    found: list[tuple[Array, Array]] = []
    for example in examples:
        assert example.centers is not None
        for start, stop in runs_of(~np.any(example.contacts, axis=1)):
            frame = int(stop if caught else start - 1)
            if not 0 <= frame < len(example.hands):
                continue
            velocity = _velocity_beside(example, int(start), int(stop), frame)
            if velocity is None:
                continue
            cues = velocity_cues(example.hands, tuple(example.contacts[frame]))[frame]
            own = example.hands.trunk[frame] @ velocity
            found += [(cues.reshape(1, -1), own[None]), ((cues * MIRROR).reshape(1, -1), (own * MIRROR)[None])]
    return _joined(found)


def _velocity_beside(example: CapturedBall, start: int, stop: int, frame: int) -> Array | None:
    """Return the velocity at the contact next to a flight; ``None`` if the flight is too short."""
    assert example.centers is not None
    flight = example.centers[start:stop]
    if len(flight) < MIN_FLIGHT_FRAMES:
        return None
    if np.linalg.norm(np.diff(flight, axis=0), axis=1).max() * CUE_RATE_HZ < MIN_FLIGHT_SPEED_M_S:
        return None
    low = np.flatnonzero(flight[:, 2] < BOUNCE_HEIGHT_RATIO * example.radius)
    if frame < start:
        count = min(FITTED_FLIGHT_FRAMES, int(low[0]) if len(low) else len(flight))
        part, at = flight[:count], -1.0
    else:
        count = min(FITTED_FLIGHT_FRAMES, len(flight) - 1 - int(low[-1]) if len(low) else len(flight))
        part, at = flight[len(flight) - count :], float(count)
    return flight_velocity(part, at, example.hands.gravity) if count >= MIN_FLIGHT_FRAMES - 1 else None


def _joined(pairs: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Concatenate the rows of several pairs of arrays."""
    if not pairs:
        return np.empty((0, 1)), np.empty((0, 3))
    return np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])
