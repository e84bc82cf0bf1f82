"""Choreography: captured figures joined at matching frames and laid along a path, to control two characters.

One figure follows another where the relative positions and velocities of both characters are similar (motion graphs,
Kovar, Gleicher and Pighin 2002), and the remaining difference is blended out (inertialization, Bollo 2018). The path
replaces the slow drift of the figures: the middle of the pair moves along it, and the motion about the middle is kept.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...motion.root_frame import into_frame, out_of_frame
from ...motion.rotations import Array, wrap_angle
from ...tuning import Tuning, tuned
from ..path.path import Path
from .dance_figures import FIGURE_RATE_HZ, DanceFigures, Figure


@dataclass(frozen=True, slots=True)
class ChoreographyTuning(Tuning):
    speed_range: tuple[float, float] = tuned((0.03, 0.4), "m/s", 0.01, 2.0)
    """Allowed speeds of a pair's midpoint along its path; captured pairs drift by less than 0.1 m/s."""
    min_figure: float = tuned(4.0, "s", 0.5, 60.0)
    """Shortest time for which a captured figure is danced."""
    transition_window: float = tuned(2.0, "s", 0.1, 20.0)
    """Time after ``min_figure`` within which the best transition is searched."""
    min_dance: float = tuned(1.5, "s", 0.1, 20.0)
    """Shortest duration of a dance along a path."""
    blend: float = tuned(0.8, "s", 0.1, 5.0)
    """Time after a transition over which the difference of both figures is blended out."""
    drift_smoothing: float = tuned(2.0, "s", 0.1, 20.0)
    """Standard deviation of the Gaussian that separates a pair's drift from its dance."""
    rest: float = tuned(0.5, "s", 0.0, 10.0)
    """Time for which both characters stand before the first figure and after the last one."""
    ease: float = tuned(1.0, "s", 0.05, 10.0)
    """Time in which the pair's midpoint accelerates to its speed, and in which it stops."""
    choices: int = tuned(4, "1", 1, 100)
    """Number of best transitions from which one is drawn at random."""
    standing_start_speed: float = tuned(0.25, "m/s", 0.01, 2.0)
    """Speed of both characters below which a figure may begin from standing."""
    position_unit: float = tuned(0.15, "m", 0.01, 2.0)
    """Difference of positions that costs one unit in a transition."""
    velocity_unit: float = tuned(0.3, "m/s", 0.01, 5.0)
    """Difference of velocities that costs one unit in a transition."""
    turn_unit: float = tuned(1.5, "rad/s", 0.05, 20.0)
    """Difference of turning speeds that costs one unit in a transition."""
    angle_unit: float = tuned(0.4, "1", 0.02, 5.0)
    """Difference in the sine or cosine of the angle between both characters that costs one unit in a transition."""
    hold_unit: float = tuned(1.0, "1", 0.05, 20.0)
    """Number of hand pairs that hold on only one side of a transition that costs one unit."""


TUNING: Final = ChoreographyTuning()
DANCE_SPEED_M_S: Final = 0.15
"""Usual speed of the midpoint of a pair along its path, m/s."""


@dataclass(frozen=True, eq=False)
class Choreography:
    """The control of a pair along a path.

    Attributes:
        figure: (T) frames of both characters at :attr:`rate`.
        centers: (T, 2) target positions of the pair's midpoint, on the path, meters.
        rate: frames per second.
    """

    figure: Figure
    centers: Array
    rate: float

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.figure)


def compose_dance(
    figures: DanceFigures, path: Path, speed: float, seed: int = 0, rate: float = 60.0, scale: float = 1.0
) -> Choreography:
    """Return figures joined along a path, long enough for the pair's midpoint to travel the path.

    Args:
        figures: captured figures.
        path: path of the pair's midpoint, meters.
        speed: speed of the midpoint, m/s.
        seed: seed of the choice and order of figures.
        rate: frames per second.
        scale: meters at the path's scale per meter at the figures' scale.

    Raises:
        FootfallError: the speed is out of range, the path is too short, or no figure is long enough.
    """
    low, high = TUNING.speed_range
    if not low <= speed <= high:
        raise FootfallError(
            "A pair cannot dance along a path at {speed} m/s: choose a speed from {low} to {high} m/s",
            speed=f"{speed:g}",
            low=f"{low:g}",
            high=f"{high:g}",
        )
    if path.length / speed < TUNING.min_dance:
        raise FootfallError(
            "The path takes only {seconds} s, too short for a dance: draw a longer path, or choose a lower speed",
            seconds=f"{path.length / speed:.1f}",
        )
    seconds = path.length / speed + TUNING.ease
    danced = _string(figures, round(seconds * FIGURE_RATE_HZ) + 1, np.random.default_rng(seed))
    rest, stand = round(TUNING.rest * FIGURE_RATE_HZ), figures.gait_names.index("stand")
    times = np.clip((np.arange(len(danced) + 2 * rest) - rest) / FIGURE_RATE_HZ, 0.0, seconds)
    centers = path.position_at(_eased_distance(times, seconds) * path.length)
    middle = danced.positions.mean(axis=1)
    drift = scipy.ndimage.gaussian_filter1d(middle, TUNING.drift_smoothing * FIGURE_RATE_HZ, axis=0, mode="nearest")
    about = np.pad(danced.positions - drift[:, None], ((rest, rest), (0, 0), (0, 0)), mode="edge") * scale
    gaits = np.pad(danced.gaits, ((rest, rest), (0, 0), (0, 0)))
    gaits[:rest, :, stand] = gaits[len(gaits) - rest :, :, stand] = 1.0
    yaws, holds = (np.pad(array, ((rest, rest), (0, 0)), mode="edge") for array in (danced.yaws, danced.holds))
    whole = Figure(danced.name, centers[:, None] + about, yaws, gaits, holds).resampled(FIGURE_RATE_HZ, rate)
    at = np.arange(len(whole)) / rate * FIGURE_RATE_HZ
    fine = np.stack([np.interp(at, np.arange(len(centers)), column) for column in centers.T], axis=-1)
    return Choreography(whole, fine, rate)


def _eased_distance(times: Array, seconds: float) -> Array:
    """Return the share (T) of a path covered at times (T), seconds; the speed is constant except near both ends."""
    ease = min(TUNING.ease, seconds / 2)
    clipped = np.clip(times, 0.0, seconds)
    rising = np.minimum(clipped, ease)
    falling = np.maximum(clipped - (seconds - ease), 0.0)
    speeds_up = rising**2 / (2 * ease)
    steady = np.clip(clipped - ease, 0.0, seconds - 2 * ease)
    slows_down = falling - falling**2 / (2 * ease)
    return (speeds_up + steady + slows_down) / (seconds - ease)


def _string(figures: DanceFigures, count: int, generator: np.random.Generator) -> Figure:
    """Return a figure of `count` samples, made of figures joined by matching transitions."""
    shortest = round((TUNING.min_figure + TUNING.transition_window) * FIGURE_RATE_HZ)
    usable = [figure for figure in figures.figures if len(figure) > shortest]
    if not usable:
        raise FootfallError(
            "No dance figure is as long as {seconds} s: make figures from longer clips",
            seconds=f"{TUNING.min_figure + TUNING.transition_window:g}",
        )
    states = [_states(figure) for figure in usable]
    owner = np.repeat(np.arange(len(usable)), [len(figure) - shortest for figure in usable])
    frame = np.concatenate([np.arange(len(figure) - shortest) for figure in usable])
    candidates = np.concatenate([state[: len(state) - shortest] for state in states])
    number, at = _draw_start(usable, owner, frame, generator)
    least, window = round(TUNING.min_figure * FIGURE_RATE_HZ), round(TUNING.transition_window * FIGURE_RATE_HZ)
    result = usable[number].cut(at, at)
    while len(result) < count:
        remaining = count - len(result)
        if at + remaining <= len(usable[number]):
            return _joined(result, usable[number].cut(at, at + remaining))
        leaving = states[number][at + least : at + least + window]
        costs = np.square(leaving[:, None] - candidates[None]).sum(axis=-1)
        costs[:, (owner == number) & (np.abs(frame - at - least) < shortest)] = np.inf
        best = np.argsort(costs.min(axis=0))[: TUNING.choices]
        chosen = int(generator.choice(best))
        stop = at + least + int(np.argmin(costs[:, chosen]))
        result = _joined(result, usable[number].cut(at, stop))
        number, at = int(owner[chosen]), int(frame[chosen])
    return result


def _draw_start(
    usable: list[Figure], owner: NDArray[np.intp], frame: NDArray[np.intp], generator: np.random.Generator
) -> tuple[int, int]:
    """Draw a figure and a sample at which both characters nearly stand, or the slowest sample if there is none."""
    speeds = [
        np.linalg.norm(np.gradient(figure.positions, axis=0), axis=-1).max(axis=1) * FIGURE_RATE_HZ for figure in usable
    ]
    at = np.array([speeds[number][sample] for number, sample in zip(owner, frame, strict=True)])
    slow = np.flatnonzero(at < TUNING.standing_start_speed)
    chosen = int(generator.choice(slow)) if len(slow) else int(np.argmin(at))
    return int(owner[chosen]), int(frame[chosen])


def _states(figure: Figure) -> Array:
    """Return the state (N, 12) of a pair in units of cost, in the leader's frame.

    It consists of the relative pose, the velocities and turning speeds of both roots, and the holds.
    """
    positions, yaws = figure.positions, figure.yaws
    velocities = np.gradient(positions, axis=0) * FIGURE_RATE_HZ
    turns = np.gradient(yaws, axis=0) * FIGURE_RATE_HZ
    apart = into_frame(positions[:, 1] - positions[:, 0], yaws[:, 0]) / TUNING.position_unit
    moving = into_frame(velocities, yaws[:, :1]).reshape(len(figure), -1) / TUNING.velocity_unit
    angle = yaws[:, 1] - yaws[:, 0]
    facing = np.stack([np.cos(angle), np.sin(angle)], axis=-1) / TUNING.angle_unit
    return np.concatenate([apart, moving, facing, turns / TUNING.turn_unit, figure.holds / TUNING.hold_unit], axis=-1)


def _joined(before: Figure, after: Figure) -> Figure:
    """Return a figure continued by another, which is moved to the end of the first, with the difference blended out."""
    if len(before) < 2:
        return after
    # The next figure begins where the last samples lead.
    expected = 2 * before.positions[-1] - before.positions[-2]
    headings = 2 * before.yaws[-1] - before.yaws[-2]
    turn = float(headings[0] - after.yaws[0, 0])
    middle = after.positions[0].mean(axis=0)
    positions = out_of_frame(after.positions - middle, np.full(after.yaws.shape, turn)) + expected.mean(axis=0)
    yaws = after.yaws + turn
    share = np.clip(np.arange(len(after)) / (TUNING.blend * FIGURE_RATE_HZ), 0.0, 1.0)
    fade = 1.0 - share**2 * (3 - 2 * share)
    positions = positions + fade[:, None, None] * (expected - positions[0])
    # Add whole turns so that the follower's yaw continues without a jump.
    yaws[:, 1] += headings[1] - wrap_angle(headings[1] - yaws[0, 1]) - yaws[0, 1]
    yaws = yaws + fade[:, None] * (headings - yaws[0])
    parts = (positions, yaws, after.gaits, after.holds)
    own = (before.positions, before.yaws, before.gaits, before.holds)
    return Figure(before.name, *(np.concatenate(pair) for pair in zip(own, parts, strict=True)))
