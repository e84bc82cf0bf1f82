"""Conversion of a planned motion into a clip with known labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import maximum_filter1d

from ...core.motion.clip import Clip
from ...core.motion.limb_ik import solve_leg_ik, with_world_rotations
from ...core.motion.rotations import Array, from_axis_angle, multiply, rotate, rotation_about_up, rotation_between
from .bodies import Body
from .feet import Foot, move
from .footfalls import Footfalls
from .ways import Way

GRID: Final = 240.0
"""Frames per second for the computation of the hips' height, independent of the clip's rate."""
SETTLING: Final = 0.2
"""Seconds over which the hips sink and rise for legs that would be too short."""
SLACK: Final = 0.006
"""Difference of a leg from its largest length, meters."""


@dataclass(frozen=True, eq=False)
class Motion:
    """A plan in an adult's (or a dog's) meters and seconds.

    Attributes:
        name: name of the scene.
        body: the body.
        way: the path of the body.
        footfalls: the stances by side.
        cycle: seconds between right strikes.
        seconds: duration of the clip.
        bob: vertical motion of the hips, meters, highest ``high`` of a cycle after a strike.
        sway: shift of the hips to the standing side, meters.
        swing: swing of the arms, radians.
        scale: the body's size; times scale with its square root.
    """

    name: str
    body: Body
    way: Way
    footfalls: Mapping[str, Footfalls]
    cycle: float
    seconds: float = 9.0
    bob: float = 0.012
    high: float = 0.3
    sway: float = 0.02
    swing: float = 0.45
    scale: float = 1.0

    @property
    def pace(self) -> float:
        """Ratio of durations on this body to those of an adult."""
        return self.scale**0.5

    def times(self, rate: float) -> Array:
        """Return the plan's times (F) at a clip's frames."""
        return np.arange(round(self.seconds * rate) + 1) / rate / self.pace

    def standing(self, times: Array) -> NDArray[np.bool_]:
        """Return whether the body stands (T): all feet rest, between the last strike and the next rising heel."""
        planted = np.all([foot.planted(times) for foot in self.footfalls.values()], axis=0)
        return planted & (self.way.share(times) < 0.5)

    def cycles(self, times: Array) -> Array:
        """Return the unwrapped phase (T) in cycles, interpolated by monotone cubics.

        It is an integer at right strikes and a half at left ones. Standing adds whole cycles of one second. Before the
        first strike and after the last, the rate is the usual one.
        """
        strikes = np.concatenate([self.footfalls["R"].starts, self.footfalls["L"].starts])
        sides = np.repeat([0.0, 0.5], [len(self.footfalls["R"].starts), len(self.footfalls["L"].starts)])
        inside = strikes > self.way.times[0]
        order = np.argsort(strikes[inside])
        strikes, sides = strikes[inside][order], sides[inside][order]
        advance = (np.diff(sides) - 1e-9) % 1.0 + 1e-9
        gaps = np.diff(strikes)
        advance = advance + np.where(gaps > 1.2 * self.cycle, np.rint(gaps - 0.5 * self.cycle), 0.0)
        ends = strikes[[0, -1]] + np.array([-100.0, 100.0]) * self.cycle
        phases = sides[0] + np.concatenate([[0.0], np.cumsum(advance)])
        phases = np.concatenate([[phases[0] - 100], phases, [phases[-1] + 100]])
        return PchipInterpolator(np.concatenate([ends[:1], strikes, ends[1:]]), phases)(times)

    def clip(self, rate: float, noise: float, generator: np.random.Generator) -> Clip:
        """Return the motion at ``rate`` frames per second.

        Its feet have white noise of ``noise`` meters in each axis.
        """
        times, body, error = self.times(rate), self.body, noise / self.scale
        roots, yaws = self._roots(times, error)
        roots += error * generator.standard_normal(roots.shape)
        upright = multiply(rotation_about_up(yaws), rotation_about_up(np.pi))
        rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(times), len(body.skeleton), 1))
        rotations[:, 0] = upright
        self._swing_arms(rotations, times)
        clip = Clip(body.skeleton, rate, roots, rotations, self.name)
        positions, world = (array.copy() for array in clip.world)
        for side, leg in body.legs.items():
            foot = _jittered(move(self.footfalls[side], body.sole, times), error, generator)
            world[:, leg.foot] = multiply(foot.rotations, rotation_about_up(np.pi))
            if leg.toe is not None:
                world[:, leg.toe] = multiply(foot.toes, rotation_about_up(np.pi))
            solve_leg_ik(body.skeleton, positions, world, leg, foot.ankles)
        posed = with_world_rotations(clip, roots, world)
        return Clip(body.skeleton.scaled(self.scale), rate, roots * self.scale, posed.rotations, self.name)

    def _roots(self, times: Array, error: float) -> tuple[Array, Array]:
        """Return the root positions (T, 3), low enough for every leg to reach its foot, and the yaws (T)."""
        grid = np.arange(times[0] - 1.0, times[-1] + 1.0, 1 / GRID)
        places, yaws = self._upright(grid)
        missing = np.zeros(len(grid))
        for side, leg in self.body.legs.items():
            ankles = move(self.footfalls[side], self.body.sole, grid).ankles
            hips = places + rotate(
                multiply(rotation_about_up(yaws), rotation_about_up(np.pi)), self.body.leg_root(side)
            )
            longest = 0.995 * leg.length(self.body.skeleton) - SLACK - 2 * error
            aside = np.linalg.norm((hips - ankles)[:, :2], axis=-1)
            highest = ankles[:, 2] + np.sqrt(np.maximum(longest**2 - aside**2, 0.0))
            missing = np.maximum(missing, hips[:, 2] - highest)
        window = np.hanning(round(SETTLING * GRID) + 2)[1:-1]
        sunk = np.convolve(maximum_filter1d(missing, len(window) + 2), window / window.sum(), mode="same")
        places, yaws = self._upright(times)
        places[:, 2] -= np.interp(times, grid, sunk)
        return places, yaws

    def _upright(self, times: Array) -> tuple[Array, Array]:
        """Return the root positions (T, 3) over straight legs, including the ground, and the yaws (T)."""
        flat, yaws = self.way.at(times)
        angle, going = 2 * np.pi * self.cycles(times), self.way.share(times)
        sway = self.sway * going * np.cos(angle - 2 * np.pi * self.high)
        flat = flat + sway[:, None] * np.stack([np.cos(yaws), np.sin(yaws)], axis=1)
        height = self.body.height + self._ground(times) - self.bob
        height = height + self.bob * going * np.cos(2 * (angle - 2 * np.pi * self.high))
        return np.concatenate([flat, height[:, None]], axis=1), yaws

    def _ground(self, times: Array) -> Array:
        """Return the ground's height (T) under the body, meters, interpolated between the feet."""
        middles = np.concatenate([(foot.starts + foot.stops) / 2 for foot in self.footfalls.values()])
        heights = np.concatenate([foot.places[:, 2] for foot in self.footfalls.values()])
        order = np.argsort(middles)
        return np.interp(times, middles[order], heights[order])

    def _swing_arms(self, rotations: Array, times: Array) -> None:
        """Swing each arm with the leg of the other side, its elbow slightly bent; changes ``rotations``."""
        roles = self.body.skeleton.roles
        for side, sign in (("L", 1.0), ("R", -1.0)):
            if f"upper_arm.{side}" not in roles:
                continue
            forwards = sign * self.swing * self.way.share(times) * np.cos(2 * np.pi * self.cycles(times))
            rotations[:, roles[f"upper_arm.{side}"]] = from_axis_angle([1.0, 0.0, 0.0], -forwards)
            bend = 0.35 + self.swing * 0.5
            rotations[:, roles[f"forearm.{side}"]] = from_axis_angle([1.0, 0.0, 0.0], np.full(len(times), -bend))


def _jittered(foot: Foot, error: float, generator: np.random.Generator) -> Foot:
    """Return the foot with white noise on its joint and its ball; the bone between them keeps its length."""
    if error == 0:
        return foot
    ankle, ball = error * generator.standard_normal((2, *foot.ankles.shape))
    bone = foot.balls - foot.ankles
    rotations = multiply(rotation_between(bone, bone + ball - ankle), foot.rotations)
    return Foot(foot.ankles + ankle, foot.balls + ball, rotations, foot.toes)
