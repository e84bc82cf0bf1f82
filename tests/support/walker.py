"""A procedural walker whose contacts, strikes and phase are known exactly, because its feet are put where they are.

Each foot is planted at known times at known places, rolls from heel to toe while it stands, and swings to the next
place; the hips move along a line or a circle; the legs reach for the feet.
"""

from dataclasses import dataclass, replace

import numpy as np

from footfall.core.motion.clip import Clip
from footfall.core.motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from footfall.core.motion.rotations import Array, from_axis_angle, multiply, rotate, rotation_about_up
from footfall.core.motion.skeleton import Skeleton

# As a CMU skeleton: its names, meters, looking along -Y at rest with its arms out.
JOINTS = [
    ("hips", -1, (0.0, 0.0, 0.0)),
    *(
        joint
        for side, x, at in (("l", 1, 1), ("r", -1, 5))
        for joint in (
            (f"{side}femur", 0, (0.1 * x, 0.0, -0.1)),
            (f"{side}tibia", at, (0.0, 0.0, -0.42)),
            (f"{side}foot", at + 1, (0.0, 0.0, -0.42)),
            (f"{side}toes", at + 2, (0.0, -0.13, -0.045)),
        )
    ),
    ("lowerback", 0, (0.0, 0.0, 0.11)),
    ("thorax", 9, (0.0, 0.0, 0.23)),
    ("lowerneck", 10, (0.0, 0.0, 0.12)),
    ("head", 11, (0.0, 0.0, 0.18)),
    *(
        joint
        for side, x, at in (("l", 1, 13), ("r", -1, 17))
        for joint in (
            (f"{side}clavicle", 10, (0.0, 0.0, 0.11)),
            (f"{side}humerus", at, (0.19 * x, 0.0, 0.05)),
            (f"{side}radius", at + 1, (0.29 * x, 0.0, 0.0)),
            (f"{side}wrist", at + 2, (0.2 * x, 0.0, 0.0)),
        )
    ),
]
BALL = 0.035
"""Height of the toe joint over the floor, meters."""


def person(scale: float = 1.0) -> Skeleton:
    """The skeleton of JOINTS; its leg is 0.84 m long, an adult's."""
    names, parents, offsets = zip(*JOINTS, strict=True)
    tips = np.zeros((len(names), 3))
    tips[[names.index("ltoes"), names.index("rtoes")]] = 0.0, -0.06, 0.0
    tips[names.index("head")] = 0.0, 0.0, 0.18
    return Skeleton(names, parents, np.array(offsets) * scale, tips * scale)


@dataclass(frozen=True)
class Walker:
    """How somebody walks. Lengths and speeds are an adult's and are scaled with the body, times by its square root.

    Attributes:
        speed: m/s.
        cycle: seconds from right strike to right strike.
        duty: share of the cycle that a foot is down: over a half in a walk, under it in a run.
        seconds: how long.
        pause: seconds that the walker stands, both feet down, in the middle.
        turn: rad/s to the left.
        start: phase at the first frame.
        lift: how high the ankle is lifted in the swing, meters.
        floor: the floor's height, meters (not scaled).
        heading: yaw at the start.
    """

    speed: float = 1.1
    cycle: float = 1.0
    duty: float = 0.62
    seconds: float = 6.0
    rate: float = 60.0
    pause: float = 0.0
    turn: float = 0.0
    start: float = 0.3
    lift: float = 0.12
    floor: float = 0.0
    scale: float = 1.0
    heading: float = 0.0

    @staticmethod
    def runner(**changes: float) -> "Walker":
        """Somebody who runs: every step has a flight of 0.1 s."""
        return replace(Walker(speed=3.0, cycle=0.7, duty=0.35, lift=0.3), **changes)

    @property
    def pace(self) -> float:
        """The cycle's length on this body, seconds."""
        return self.cycle * self.scale**0.5

    @property
    def times(self) -> Array:
        """Seconds (F) of the frames."""
        return np.arange(round(self.seconds * self.rate) + 1) / self.rate

    @property
    def cycles(self) -> Array:
        """Unwrapped phase (F): a whole number at every right strike, halves at the left ones."""
        return self.start + self._moved(self.times) / self.pace

    @property
    def phase(self) -> Array:
        """Phase (F) in [0, 1)."""
        return self.cycles % 1.0

    @property
    def resting(self) -> Array:
        """Whether the walker stands (F)."""
        begin, ramp = self._pause_begin(), self._ramp()
        return (self.times > begin + 2 * ramp) & (self.times < begin + 2 * ramp + self.pause)

    @property
    def contacts(self) -> Array:
        """Exact contacts (F, 4) of left heel, left toe, right heel, right toe: 0 or 1."""
        columns = []
        for since in (self._since_strike("L"), self._since_strike("R")):
            share = since / self.duty
            columns += [share < HEEL_OFF, (share >= TOE_DOWN) & (share < 1)]
        return np.stack(columns, axis=1).astype(float)

    def strikes(self, side: str) -> Array:
        """Exact times, in frames and not whole, at which a foot comes down after the first frame."""
        cycles = self.cycles + (0.5 if side == "L" else 0.0)
        whole = np.arange(np.ceil(cycles[0] + 1e-9), np.floor(cycles[-1]) + 1)
        return np.interp(whole, cycles, np.arange(len(cycles)))

    def clip(self) -> Clip:
        """The motion."""
        skeleton = person(self.scale)
        way, yaws = self._way(self.cycles)
        upright = multiply(rotation_about_up(yaws), rotation_about_up(np.pi))
        # Hips at 88 % of the leg over standing ankles, so that no step is out of reach.
        hips = (0.1 + 0.88 * 0.84 + 0.045 + BALL) * self.scale + self.floor
        roots = np.concatenate([way, np.full((len(way), 1), hips)], axis=1)
        rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(way), len(skeleton), 1))
        rotations[:, 0] = upright
        # The arms hang.
        for name, angle in (("lhumerus", 1.3), ("rhumerus", -1.3)):
            rotations[:, skeleton.names.index(name)] = from_axis_angle([0.0, 1.0, 0.0], angle)
        clip = Clip(skeleton, self.rate, roots, rotations, "procedural")
        positions, world = (array.copy() for array in clip.world)
        for side in "LR":
            leg = Leg.of(skeleton, side)
            ankles, world[:, leg.foot] = self._foot(side)
            assert leg.toe is not None
            world[:, leg.toe] = upright
            solve_leg_ik(skeleton, positions, world, leg, ankles)
            np.testing.assert_allclose(positions[:, leg.foot], ankles, atol=1e-9, err_msg="a step is out of reach")
        return with_world_rotations(clip, roots, world)

    def _way(self, cycles: Array) -> tuple[Array, Array]:
        """The root's place (..., 2) and yaw (...) when so many cycles are done."""
        along = self.speed * self.cycle * cycles * self.scale
        curvature = self.turn * self.scale**-0.5 / (self.speed * self.scale**0.5)
        yaw = self.heading + curvature * along
        if curvature == 0:
            return along[..., None] * [-np.sin(self.heading), np.cos(self.heading)], yaw
        return np.stack([np.cos(yaw), np.sin(yaw)], axis=-1) / curvature, yaw

    def _foot(self, side: str) -> tuple[Array, Array]:
        """The ankle's places (F, 3) and the foot's world rotations (F, 4)."""
        since = self._since_strike(side)
        begun = self.cycles - since
        stance, swing = np.minimum(since / self.duty, 1.0), np.clip((since - self.duty) / (1 - self.duty), 0.0, 1.0)
        here, there = self._planted(side, begun, stance), self._planted(side, begun + 1, np.zeros_like(stance))
        # Smooth in time and steep at its ends, as a foot is that is put down.
        share = swing * swing * (3 - 2 * swing)
        ankles = here[0] * (1 - share)[:, None] + there[0] * share[:, None]
        ankles[:, 2] += self.lift * self.scale * np.sin(np.pi * swing) ** 2
        pitch = here[1] * (1 - share) + there[1] * share
        yaws = here[2] * (1 - share) + there[2] * share
        return ankles, multiply(
            rotation_about_up(yaws), multiply(rotation_about_up(np.pi), from_axis_angle([1.0, 0.0, 0.0], pitch))
        )

    def _planted(self, side: str, begun: Array, stance: Array) -> tuple[Array, Array, Array]:
        """The standing ankle (F, 3), the foot's pitch (F), heel up above zero, and its yaw (F)."""
        middle = begun + self.duty / 2
        way, yaw = self._way(middle)
        side_sign = -1.0 if side == "L" else 1.0
        flat = np.concatenate([way, np.full((len(way), 1), self.floor)], axis=1)
        flat += rotate(rotation_about_up(yaw), np.array([0.1 * side_sign, -0.04, 0.045 + BALL]) * self.scale)
        heel_off = np.clip((stance - HEEL_OFF) / (1 - HEEL_OFF), 0, 1)
        pitch = 1.0 * heel_off - 0.35 * np.clip(1 - stance / TOE_DOWN, 0, 1)
        # While the heel stands and the toe falls, the ankle goes round the heel; while the toe stands, round the toe.
        heel = np.array([0.0, -0.04, -0.045 - BALL]) * self.scale
        rolled = rotate(from_axis_angle([1.0, 0.0, 0.0], -np.minimum(pitch, 0)), -heel) + heel
        ball = np.array([0.0, 0.13, -0.045]) * self.scale
        lifted = rotate(from_axis_angle([1.0, 0.0, 0.0], -np.maximum(pitch, 0)), -ball) + ball
        return flat + rotate(rotation_about_up(yaw), lifted + rolled), pitch, yaw

    def _since_strike(self, side: str) -> Array:
        return (self.cycles + (0.5 if side == "L" else 0.0)) % 1.0

    def _ramp(self) -> float:
        return 0.4 * self.pace

    def _pause_begin(self) -> float:
        """When the walker begins to slow down, so that it comes to rest when the right foot has come down flat."""
        whole = np.ceil(self.start + (self.seconds - self.pause) / 2 / self.pace)
        return float((whole + 0.12 - self.start) * self.pace - self._ramp())

    def _moved(self, times: Array) -> Array:
        """Seconds of walking done: the time itself, where nobody pauses."""
        if not self.pause:
            return times
        begin, ramp = self._pause_begin(), self._ramp()
        # Slows evenly over twice the ramp, which takes one ramp's worth of walking, and starts in the same way.
        slow = np.clip((times - begin) / (2 * ramp), 0, 1)
        again = np.clip((times - begin - 2 * ramp - self.pause) / (2 * ramp), 0, 1)
        after = np.maximum(times - begin - 4 * ramp - self.pause, 0)
        return np.minimum(times, begin) + ramp * (2 * slow - slow**2) + ramp * again**2 + after


# Shares of the stance at which the toe comes down and the heel goes up.
TOE_DOWN, HEEL_OFF = 0.15, 0.6
