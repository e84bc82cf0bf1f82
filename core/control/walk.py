"""A walk along a path: the plan, the network's steps under it, and the finished clip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.spatial import KDTree

from ..errors import FootfallError
from ..features.locomotion import pose_from_output
from ..labelling.sensors import ADULT_LEG
from ..models.model_file import ControllerModel
from ..motion import Clip, Skeleton
from ..motion.rotations import Array
from ..retarget.calibration import Calibration, calibrate
from ..retarget.retarget import retarget, scale_between
from ..terrain.ground import Plane
from ..terrain.surroundings import Surroundings
from .crowd import Steps
from .cues import Cues
from .detour import walkable
from .ducking import duck
from .followers import Followed, Followers, Way
from .foot_lock import held_contacts, lock_feet
from .marks import Mark, Met, bent
from .meeting import Meeting
from .path import Path
from .posing import pose_clip, standing_clip
from .profile import Profile
from .speed_plan import plan

WHOLE_MINUTE = 3600
# Seconds over which the height of the body over the ground is steadied.
STEADY = 0.08
# The top of the head, as a share of the height of the highest joint, the head's.
HEAD_TOP = 1.12
# From a shuffle to a sprint, m/s.
SPEEDS = (0.3, 8.0)
# Gaits that are chosen by speed and ground, and not by whoever directs a walk.
COMMON = ("stand", "walk", "run", "crouch", "jump")


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A finished walk: the clip, and what the controller said of its frames.

    Attributes:
        clip: motion on the asked skeleton at the controller's rate.
        contacts: (F, 4), 1 where a foot's joint is held, in the order of ``labelling.contacts.JOINTS``.
        phase: (F) cycles.
        gaits: (F, G) commanded gaits.
        standing: the same body standing on level ground, where the controller knows how: its feet are flat.
        met: what became of the marks, in the order of their times.
    """

    clip: Clip
    contacts: Array
    phase: Array
    gaits: Array
    standing: Clip | None = None
    met: tuple[Met, ...] = ()


class PathWalk:
    """A walk in the making, from standing at the path's start to standing at its end.

    Args:
        model: the controller.
        path: where to walk.
        speed: commanded speed, m/s, above zero.
        surroundings: the scene; level ground at ``level`` where not given.
        level: about how high the path begins, metres.
        target: whose walk it is, or how the controller's skeleton is calibrated to it; the controller's own where not
            given. Another skeleton walks the same path in steps of its own size.
        seed: chooses the phase the character stands in, so that a crowd does not march in step; 0 is the controller's.
        style: one of :func:`styles_of` the controller, in which it moves; empty for plain walking and running.
        cues: what is told besides, in metres along the path as it is drawn.
        marks: where to be when; the path is led through them.

    Raises:
        FootfallError: a speed is none at which people walk or run, or the controller has no such style.
    """

    def __init__(
        self,
        model: ControllerModel,
        path: Path,
        speed: float = 1.2,
        surroundings: Surroundings | None = None,
        level: float = 0.0,
        target: Skeleton | Calibration | None = None,
        seed: int = 0,
        style: str = "",
        cues: Cues | None = None,
        marks: Sequence[Mark] = (),
    ) -> None:
        if model.interacts:
            raise FootfallError("This controller sits, carries and opens, and goes for goals: choose one that walks.")
        cues = cues or Cues()
        for one in (style, *(stretch.style for stretch in cues.stretches if stretch.style)):
            require_style(model, one)
        for one in (speed, *(stretch.speed for stretch in cues.stretches if stretch.speed is not None)):
            _require_speed(one)
        self.model = model
        self.surroundings = surroundings or Surroundings(Plane(level))
        self.target = calibrate(model.skeleton, target) if isinstance(target, Skeleton) else target
        self.scale = scale_between(model.skeleton, self.target.target) if self.target else 1.0
        self.size = model.skeleton.leg_length / ADULT_LEG
        marks = sorted(marks, key=lambda mark: mark.seconds)
        path = bent(path, marks, speed) if marks else path
        route = walkable(path, self.surroundings, level, self.size * self.scale)
        drawn, path, self.notes = path, route.path.scaled(1 / self.scale), route.notes
        scaled = self.surroundings.scaled(1 / self.scale)
        self.speed = speed / self.scale
        self.profile = Profile.along(path, scaled, level / self.scale, self.size)
        cues = cues.scaled(1 / self.scale).placed(_places(drawn, route.path, self.scale))
        upright = HEAD_TOP * float(model.start["position"][:, 2].max())
        planned = partial(plan, path, self.speed, model.rate, self.profile, upright, gaits=model.gaits, style=style)
        marks = [one.scaled(1 / self.scale) for one in marks]
        self._meeting = Meeting.begin(planned, path, marks, cues, self.speed, model.rate)
        self.timing = planned(self._meeting.cues)
        self.ground = scaled.ground
        slowest = float(cues.speeds(self.speed).min())
        self.way = Way(path, self.profile, self.timing, slowest, self.ground, seed)
        self._followers, self._number = Followers(model, [self.way]), 0

    def join(self, followers: Followers, number: int) -> None:
        """Goes on as one of several: see :func:`go_together`."""
        self._followers, self._number = followers, number

    @property
    def path(self) -> Path:
        """The way that is walked, in metres of the controller; ground that moves carries it along."""
        return self._followers.paths[self._number]

    @property
    def done(self) -> int:
        """Frames made so far."""
        return self._followers.done

    @property
    def total(self) -> int:
        """Frames of the whole walk, as far as can be told: it grows while the character is behind the plan."""
        return self._followers.done + self._followers.left

    def take_over(self, before: "PathWalk") -> int:
        """Keeps what another walk has made for as long as both are told the same: where the end of a path was changed,
        all before it. The result is the very same as without.

        Returns:
            The frames that are kept.
        """
        return self._followers.take_over(before._followers)

    @property
    def followed(self) -> Followed:
        """What the network said until now."""
        return self._followers.followed(self._number)

    def advance(self, frames: int) -> bool:
        """Makes up to ``frames`` more frames; false when the walk is finished.

        A walk that misses its marks goes back to before them, and is told better.
        """
        return self._followers.advance(frames) or self._learns()

    def _learns(self) -> bool:
        if len(self._followers.ways) > 1:  # of a crowd nobody goes back
            return False
        timing = self._meeting.learn(self.followed, self.way.timing, self.model.rate)
        if timing is None:
            return False
        self.way = replace(self.way, timing=timing)
        before, self._followers = self._followers, Followers(self.model, [self.way])
        self._followers.take_over(before)
        return True

    def finish(self) -> Walk:
        """The walk so far as a clip: poses on rigid bones, feet locked, on the asked skeleton."""
        standing, followed = standing_clip(self.model), self.followed
        followed = self._meeting.corrected(followed, self._posed(followed.steps))
        clip = duck(self._posed(followed.steps), self.ground)
        contacts = held_contacts(clip, followed.steps.contacts, self.ground, standing)
        clip = lock_feet(clip, contacts, self.ground, standing)
        if self.target is not None:
            standing = standing and retarget(standing, self.target)
            # Heads are not on everybody as high over their legs.
            clip = duck(retarget(clip, self.target), self.surroundings.ground)
            clip = lock_feet(clip, contacts, self.surroundings.ground, standing)
        met = self._meeting.met(clip, contacts, self.scale)
        return Walk(clip, contacts.astype(float), followed.steps.phase, followed.gaits, standing, met)

    def posed(self) -> Clip:
        """The walk so far as the network has it: its poses on the rigid bones of its skeleton, feet not yet held."""
        return self._posed(self.followed.steps)

    def _posed(self, steps: Steps) -> Clip:
        model, outputs = self.model, steps.output.astype(float)
        turned = pose_from_output(outputs, model.output_layout, model.reference_rotations)
        places = model.output_layout.view(outputs, "pose.position")
        heights = _steadied(steps.height, STEADY * model.rate)
        return pose_clip(model, turned, places, np.column_stack([steps.position, heights]), steps.yaw)


def _require_speed(speed: float) -> None:
    if not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise FootfallError(
            f"Nobody walks or runs at {speed:g} m/s: choose a speed from {SPEEDS[0]:g} to {SPEEDS[1]:g} m/s."
        )


def _places(drawn: Path, walked: Path, scale: float) -> Callable[[float], float]:
    """Where metres along the path as it is drawn are on that which is walked, in metres of the controller."""
    if walked is drawn:
        return lambda length: length / scale
    tree = KDTree(walked.points)

    def place(length: float) -> float:
        index = int(tree.query(drawn.point(length))[1])
        return float(walked.lengths[index]) / scale

    return place


def styles_of(model: ControllerModel) -> tuple[str, ...]:
    """The styles that a controller was taught besides walking and running."""
    return tuple(name for name in model.gaits if name not in COMMON)


def require_style(model: ControllerModel, style: str) -> None:
    """Raises :class:`FootfallError` where a controller has no such style; none is always there."""
    known = styles_of(model)
    if style and style not in known:
        has = f"it has {', '.join(known)}" if known else "it was taught none"
        raise FootfallError(f"The controller has no style '{style}': {has}.")


def go_together(walks: Sequence[PathWalk]) -> None:
    """Makes walks of one controller that have not begun a crowd: whichever is advanced, all are, in one batch."""
    followers = Followers(walks[0].model, [walk.way for walk in walks])
    for number, walk in enumerate(walks):
        walk.join(followers, number)


def _steadied(heights: Array, frames: float) -> Array:
    """Heights (F) without the jumps that they make where one of the samples of the ground comes to an edge."""
    pad = int(4 * frames) + 1
    return gaussian_filter1d(np.pad(heights, pad, mode="reflect", reflect_type="odd"), frames)[pad:-pad]


def walk_path(
    model: ControllerModel,
    path: Path,
    speed: float = 1.2,
    surroundings: Surroundings | None = None,
    level: float = 0.0,
    target: Skeleton | Calibration | None = None,
    seed: int = 0,
    style: str = "",
    cues: Cues | None = None,
    marks: Sequence[Mark] = (),
) -> Walk:
    """The whole walk at once: see :class:`PathWalk`."""
    walk = PathWalk(model, path, speed, surroundings, level, target, seed, style, cues, marks)
    while walk.advance(WHOLE_MINUTE):
        pass
    return walk.finish()
