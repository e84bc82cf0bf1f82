"""The scenes: walking, running, turning, climbing and limping, with their true labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ...core.motion.blending import smooth_step
from ...core.motion.clip import Clip
from ...core.motion.rotations import Array
from .bodies import Body, adult, dog
from .footfalls import Footfalls, Style
from .motion import Motion
from .ways import MARGIN, Way

LEGS: Final[dict[str, tuple[str, ...]]] = {
    "biped": ("foot.L", "toe.L", "foot.R", "toe.R"),
    "quadruped": ("foot.L", "foot.R", "front_foot.L", "front_foot.R"),
}
"""The joints with known contacts."""
SIDES: Final = {"foot.L": "L", "foot.R": "R", "front_foot.L": "FL", "front_foot.R": "FR"}


@dataclass(frozen=True, eq=False)
class Scene:
    """A clip and its true labels.

    Attributes:
        name: the action.
        clip: the motion (F frames).
        contact_joints: the roles of the joints (C) with known contacts.
        contacts: (F, C) contacts, 0 or 1.
        strikes: times of each side's touchdowns after the first frame, seconds, not rounded to frames.
        phase: (F) phase, cycles in [0, 1), 0 at right strikes, 0.5 at left ones (of a quadruped's hind feet).
        standing: (F) frames in which the phase is meaningless.
        legs: preset for its labels.
    """

    name: str
    clip: Clip
    contact_joints: tuple[str, ...]
    contacts: Array
    strikes: Mapping[str, Array]
    phase: Array
    standing: NDArray[np.bool_]
    legs: Literal["biped", "quadruped"]


def scenes(rate: float, noise: float, generator: np.random.Generator) -> list[Scene]:
    """Return all scenes at ``rate`` frames per second.

    Each axis of each foot joint has white noise of ``noise`` meters.
    """
    return [scene(motion, rate, noise, generator) for motion in motions()]


def scene(motion: Motion, rate: float, noise: float, generator: np.random.Generator) -> Scene:
    """Return one motion as a clip with its labels."""
    times = motion.times(rate)
    legs: Literal["biped", "quadruped"] = "quadruped" if "FL" in motion.footfalls else "biped"
    contacts = np.stack([_down(motion, role, times) for role in LEGS[legs]], axis=1).astype(float)
    strikes = {
        side: starts[(starts > 0) & (starts <= times[-1])] * motion.pace
        for side, starts in ((side, foot.starts) for side, foot in motion.footfalls.items())
    }
    clip = motion.clip(rate, noise, generator)
    phase = motion.cycles(times) % 1.0
    return Scene(motion.name, clip, LEGS[legs], contacts, strikes, phase, motion.standing(times), legs)


def dropped(whole: Scene, share: float, generator: np.random.Generator) -> Scene:
    """Return the scene with a ``share`` of its frames lost in recording: each repeats the previous one."""
    lost = generator.random(len(whole.clip)) < share
    lost[0] = False
    source = np.maximum.accumulate(np.where(lost, 0, np.arange(len(lost))))
    clip = whole.clip
    roots, rotations = clip.root_positions[source], clip.rotations[source]
    return replace(whole, clip=replace(clip, root_positions=roots, rotations=rotations))


def _down(motion: Motion, role: str, times: Array) -> NDArray[np.bool_]:
    if role.startswith("toe"):
        return motion.footfalls[role[-1]].ball_down(times)
    foot = motion.footfalls[SIDES[role]]
    # A paw has no heel: it rests until it leaves the ground.
    return foot.ball_down(times) if "FL" in motion.footfalls else foot.heel_down(times)


def motions() -> list[Motion]:
    """Return the plans of all scenes.

    No cycle is an integer number of frames at the usual rates: strikes are at all places between two frames.
    """
    return [
        walk("slow walk", 0.8, 1.307, 0.66),
        walk("walk", 1.3, 1.06, 0.62),
        walk("brisk walk", 1.8, 0.92, 0.59, style=replace(WALK, strike=-0.38)),
        run("jog", 2.4, 0.74, 0.4),
        run("run", 3.6, 0.68, 0.34),
        walk("circle left", 1.2, 1.107, 0.62, turning=lambda t: np.full_like(t, 0.6)),
        walk("circle right", 1.2, 1.107, 0.62, turning=lambda t: np.full_like(t, -0.6)),
        walk("sharp turns", 1.0, 1.107, 0.63, turning=_sharp_turns),
        stairs("stairs up", 0.17),
        stairs("stairs down", -0.17),
        slope("slope up", 0.14),
        slope("slope down", -0.14),
        limp(),
        pauses(),
        side_steps(),
        replace(walk("child's walk", 1.3, 1.06, 0.62), scale=0.6),
        replace(walk("giant's walk", 1.3, 1.06, 0.62), scale=3.0),
        dog_walk(),
        dog_trot(),
    ]


WALK: Final = Style()
RUN: Final = Style(strike=-0.12, flat=0.12, rise=0.45, push=1.0, lift=0.2, early=0.45, landing=(1.0, 0.5))
UP: Final = Style(strike=0.0, rise=0.62, push=0.7, lift=0.16, early=0.35, landing=(0.5, 0.3))
DOWN: Final = Style(strike=0.3, flat=0.16, rise=0.62, push=0.8, lift=0.17, early=0.5, landing=(0.5, 0.4))
ASIDE: Final = Style(strike=0.0, rise=0.7, push=0.45, lift=0.05, landing=(0.5, 0.3))
PAW: Final = Style(strike=0.0, rise=1.0, push=0.0, lift=0.05, landing=(0.5, 0.4))
ALWAYS: Final = 100.0
"""Seconds outside the clip assigned to strikes of feet that are already down at its start, or stay down at its end."""


def steps(
    way: Way, seconds: float, cycle: float, at: float, duty: float, aside: float, style: Style, along: float = 0.0
) -> Footfalls:
    """Return even steps of one foot that strikes at a share ``at`` of every cycle and stands for ``duty`` of it."""
    first, last = np.ceil((0.5 - MARGIN) / cycle), np.floor((seconds + MARGIN - 1.0) / cycle)
    starts = (np.arange(first, last + 1) + at) * cycle
    return Footfalls.of(starts, starts + duty * cycle, way, aside, along, style)


def biped(
    body: Body, way: Way, seconds: float, cycle: float, duty: float, style: Style, at: float = 0.15
) -> dict[str, Footfalls]:
    """Return even steps of two feet; the right one strikes at a share ``at`` of the cycle."""
    return {
        side: steps(way, seconds, cycle, at + later, duty, aside * body.width, style)
        for side, later, aside in (("L", 0.5, -1.0), ("R", 0.0, 1.0))
    }


SECONDS: Final = 9.0


def _planned(scale_room: float = 1.35) -> float:
    """Return the duration of a plan, seconds, with room for the scaled time of a child."""
    return SECONDS * scale_room


def walk(
    name: str,
    speed: float,
    cycle: float,
    duty: float,
    turning: Callable[[Array], Array] = np.zeros_like,
    style: Style = WALK,
) -> Motion:
    """Return a walk at ``speed`` m/s."""
    body = adult()
    way = Way.gone(_planned(), (0.0, speed), turning=turning)
    feet = biped(body, way, _planned(), cycle, duty, style)
    return Motion(name, body, way, feet, cycle, SECONDS, high=duty / 2)


def run(name: str, speed: float, cycle: float, duty: float) -> Motion:
    """Return a run, with the body highest in the middle of its flights."""
    body = adult()
    way = Way.gone(_planned(), (0.0, speed))
    feet = biped(body, way, _planned(), cycle, duty, RUN)
    return Motion(name, body, way, feet, cycle, SECONDS, bob=0.035, high=duty / 2 + 0.25, sway=0.0, swing=0.8)


def _sharp_turns(times: Array) -> Array:
    """Return the yaw rates of a right angle to the left and another to the right, each within 0.8 s."""
    return np.pi / 2 / 0.8 * (_within(times, 3.0, 3.8) - _within(times, 6.2, 7.0))


def _within(times: Array, begin: float, end: float) -> Array:
    return ((times >= begin) & (times < end)).astype(float)


def stairs(name: str, rise: float, tread: float = 0.29, cycle: float = 1.257) -> Motion:
    """Return a walk up or down eight stairs, each foot on every other one, between two landings."""
    body, way = adult(), Way.gone(_planned(), (0.0, 2 * tread / cycle))
    feet = biped(body, way, _planned(), cycle, 0.62, UP if rise > 0 else DOWN)
    lowest = feet["R"].places[:, 1].min()

    def climbed(foot: Footfalls) -> Footfalls:
        number = np.rint((foot.places[:, 1] - lowest) / tread)
        begin = np.rint((0.9 - lowest) / tread)
        heights = rise * np.clip(number - begin, 0, 8)
        return replace(foot, places=np.column_stack([foot.places[:, :2], heights]))

    return Motion(name, body, way, {side: climbed(foot) for side, foot in feet.items()}, cycle, SECONDS, bob=0.008)


def slope(name: str, angle: float) -> Motion:
    """Return a walk straight up or down a plane."""
    flat = walk(name, 1.1, 1.107, 0.63)

    def tilted(foot: Footfalls) -> Footfalls:
        places = np.column_stack([foot.places[:, :2], np.tan(angle) * foot.places[:, 1]])
        return replace(foot, places=places, tilt=angle)

    return replace(flat, footfalls={side: tilted(foot) for side, foot in flat.footfalls.items()})


def limp() -> Motion:
    """Return a limp on the left leg: its stance is shorter, and the right one follows earlier."""
    body, cycle = adult(), 1.207
    way = Way.gone(_planned(), (0.0, 0.85))
    feet = {
        "R": steps(way, _planned(), cycle, 0.1, 0.7, body.width, WALK),
        "L": steps(way, _planned(), cycle, 0.68, 0.52, -body.width, replace(WALK, strike=-0.15, push=0.6)),
    }
    return Motion("limp", body, way, feet, cycle, SECONDS, high=0.35, sway=0.035)


def pauses() -> Motion:
    """Return a sequence of standing, walking, standing, walking, standing."""
    body, cycle, duty, walks = adult(), 1.107, 0.62, 2
    begins = np.array([1.2, 5.4])
    swing = (1 - duty) * cycle
    ends = begins + swing + (walks + 0.5) * cycle

    def share(times: Array) -> Array:
        going = [_ramp(times, b - 0.1, 0.6) - _ramp(times, e - 0.5, 0.6) for b, e in zip(begins, ends, strict=True)]
        return np.sum(going, axis=0)

    way = Way.gone(SECONDS, (0.0, 1.2), share=share)
    right = (begins[:, None] + swing + np.arange(walks + 1) * cycle).ravel()
    feet = {}
    for side, aside, starts in (("R", 1.0, right), ("L", -1.0, right + cycle / 2)):
        # The last stance of each walk lasts until the next walk begins.
        leaves = begins if side == "R" else begins + swing + (duty - 0.5) * cycle
        stops = starts + duty * cycle
        stops[walks :: walks + 1] = [leaves[1], ALWAYS]
        starts, stops = np.concatenate([[-ALWAYS], starts]), np.concatenate([leaves[:1], stops])
        feet[side] = _with_rests(starts, stops, way, aside * body.width, duty * cycle)
    return Motion("stand, walk, stand", body, way, feet, cycle, SECONDS)


def _with_rests(starts: Array, stops: Array, way: Way, aside: float, usual: float) -> Footfalls:
    """Return stances including rests, in which heel and toe move no longer than in a step."""
    foot = Footfalls.of(starts, stops, way, aside, 0.0, WALK)
    rests = stops - starts > 1.5 * usual
    # The foot has the place of the body's final, or initial, standing.
    at = np.where(starts < 0, 0.0, np.minimum(stops - 0.5, SECONDS))
    resting = Footfalls.of(np.where(rests, at, starts), np.where(rests, at, stops), way, aside, 0.0, WALK)
    flats = np.where(rests, starts + WALK.flat * usual, foot.flats)
    rises = np.where(rests, stops - (1 - WALK.rise) * usual, foot.rises)
    ahead = Footfalls.of(starts[-1:] + ALWAYS, stops[-1:] + ALWAYS, way, aside, 0.0, WALK)
    return Footfalls(
        np.append(starts, ahead.starts),
        np.append(flats, ahead.flats),
        np.append(rises, ahead.rises),
        np.append(stops, ahead.stops),
        np.concatenate([resting.places, ahead.places]),
        np.append(resting.yaws, ahead.yaws),
        0.0,
        WALK,
    )


def _ramp(times: Array, begin: float, lasts: float) -> Array:
    """Return a smooth ramp from zero to one."""
    return smooth_step((times - begin) / lasts)


def side_steps() -> Motion:
    """Return side steps to the right, with the left foot closing up."""
    body, cycle, duty = adult(), 1.207, 0.68
    way = Way.gone(_planned(), (0.3, 0.0))
    wide = replace(body, width=0.14)
    feet = biped(wide, way, _planned(), cycle, duty, ASIDE)
    return Motion("side steps", wide, way, feet, cycle, SECONDS, bob=0.006, sway=0.0, swing=0.1)


def dog_walk() -> Motion:
    """Return a dog's walk: left hind, left front, right hind, right front."""
    return _dog("dog's walk", 0.9, 0.807, 0.64, (("L", 0.5), ("FL", 0.75), ("R", 0.0), ("FR", 0.25)), 0.006)


def dog_trot() -> Motion:
    """Return a dog's trot: the diagonal feet together, with a short flight between them."""
    return _dog("dog's trot", 1.9, 0.507, 0.45, (("L", 0.5), ("FR", 0.5), ("R", 0.0), ("FL", 0.0)), 0.015)


def _dog(name: str, speed: float, cycle: float, duty: float, order: Sequence[tuple[str, float]], bob: float) -> Motion:
    body = dog()
    way = Way.gone(_planned(), (0.0, speed))
    feet = {
        side: steps(
            way,
            _planned(),
            cycle,
            0.2 + later,
            duty,
            body.width * (1 if side.endswith("R") else -1),
            PAW,
            along=_under(body, side),
        )
        for side, later in order
    }
    return Motion(name, body, way, feet, cycle, SECONDS, bob=bob, high=duty / 2, sway=0.006)


def _under(body: Body, side: str) -> float:
    """Return the distance ahead of the root at which a leg begins, meters."""
    return -float(body.leg_root(side)[1])
