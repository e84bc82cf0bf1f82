"""A walk along a path: the plan, the network's steps under it, and the finished clip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import scipy

from ...errors import FootfallError
from ...features.locomotion import pose_from_output
from ...models.model_file import ControllerModel
from ...motion import Clip, Skeleton
from ...motion.proportions import ADULT_LEG, scale_between
from ...motion.rotations import Array
from ...retarget.calibration import Calibration, calibrate
from ...retarget.retarget import retarget
from ...terrain.ground import Plane
from ...terrain.walk_scene import Surroundings
from ..feet.duck import duck
from ..feet.foot_lock import held_contacts, lock_feet
from ..navigation.path_repair import walkable
from ..path.path import Path
from ..path.path_events import Cues
from ..path.terrain_profile import Profile
from ..path.timed_waypoints import Mark, Met, bent
from ..path.velocity_profile import plan
from ..runtime.locomotion_runtime import Steps
from ..runtime.pose_decoder import pose_clip, standing_clip
from .path_following import Followed, Followers, Way
from .waypoint_solver import Meeting

WHOLE_MINUTE = 3600
# Seconds over which the height of the body over the ground is steadied.
STEADY = 0.08
# The top of the head, as a share of the height of the highest joint, the head's.
HEAD_TOP = 1.12
# From a shuffle to a sprint, m/s.
SPEEDS = (0.3, 8.0)
FINISHED_ANEW = 4.0
"""Seconds before the frames that are new from which a walk is finished anew, ..."""
CHANGED_FROM = 2.0
"""... and before which what is new does not show: contacts last so long, and corrections are spread over less."""
EXAMPLE = 10.0
"""Seconds of a walk that say how its body bends and how high its soles are."""
ALIKE = 1e-9
"""Metres, and parts of quaternions, that are no difference."""
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

    def until(self, frame: int) -> "Walk":
        """What comes before a frame."""
        return self._cut(0, frame)

    def since(self, frame: int) -> "Walk":
        """What comes from a frame on."""
        return self._cut(frame, len(self.contacts))

    def _cut(self, start: int, stop: int) -> "Walk":
        contacts, phase, gaits = (part[start:stop] for part in (self.contacts, self.phase, self.gaits))
        return Walk(self.clip.cut(start, stop), contacts, phase, gaits, self.standing, self.met)

    def then(self, other: "Walk") -> "Walk":
        """This walk and what comes after it."""
        clip = replace(
            self.clip,
            root_positions=np.concatenate([self.clip.root_positions, other.clip.root_positions]),
            rotations=np.concatenate([self.clip.rotations, other.clip.rotations]),
        )
        contacts, phase, gaits = (
            np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("contacts", "phase", "gaits")
        )
        return Walk(clip, contacts, phase, gaits, other.standing, other.met)


@dataclass(frozen=True, slots=True, eq=False)
class _Made:
    """A finished walk, and the motion by which it was retargeted: its own beginning, so that its end does not tell."""

    walk: Walk
    example: Clip | None


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
        self.drawn = path = bent(path, marks, speed) if marks else path
        route = walkable(path, self.surroundings, level, self.size * self.scale)
        path, self.notes = route.path.scaled(1 / self.scale), route.notes
        scaled = self.surroundings.scaled(1 / self.scale)
        self.speed = speed / self.scale
        self.profile = Profile.along(path, scaled, level / self.scale, self.size)
        cues = cues.scaled(1 / self.scale).placed(_places(self.drawn, route.path, self.scale))
        upright = HEAD_TOP * float(model.start["position"][:, 2].max())
        planned = partial(plan, path, self.speed, model.rate, self.profile, upright, gaits=model.gaits, style=style)
        marks = [one.scaled(1 / self.scale) for one in marks]
        self._meeting = Meeting.begin(planned, path, marks, cues, self.speed, model.rate)
        self.timing = planned(self._meeting.cues)
        self.ground = scaled.ground
        slowest = float(cues.speeds(self.speed).min())
        self.way = Way(path, self.profile, self.timing, slowest, self.ground, seed)
        self._followers, self._number = Followers(model, [self.way]), 0
        self._kept = 0
        self._before: _Made | None = None
        self._made: _Made | None = None

    def lead(self, way: Way, later: int) -> None:
        """Walks another way, which begins so many frames later: its marks are as much later."""
        self.way, seconds = way, later / self.model.rate
        self._meeting.marks = [replace(mark, seconds=mark.seconds + seconds) for mark in self._meeting.marks]

    def join(self, followers: Followers, number: int) -> None:
        """Goes on as one of several: see :func:`go_together`."""
        self._followers, self._number = followers, number

    @property
    def path(self) -> Path:
        """The way that is walked, in metres of the controller; ground that moves carries it along."""
        return self._followers.paths[self._number]

    @property
    def has_marks(self) -> bool:
        """Whether there are marks to meet."""
        return len(self._meeting.marks) > 0

    @property
    def done(self) -> int:
        """Frames made so far."""
        return self._followers.done

    @property
    def total(self) -> int:
        """Frames of the whole walk, as far as can be told: it grows while the character is behind the plan."""
        return self._followers.done + self._followers.left

    @property
    def kept(self) -> int:
        """Frames that were taken over from another walk, or kept when this one went back."""
        return self._kept

    def take_over(self, before: "PathWalk") -> int:
        """Keeps what another walk has made for as long as both are told the same: where the end of a path was changed,
        all before it. The result is the very same as without.

        Returns:
            The frames that are kept.
        """
        self._kept = self._followers.take_over(before._followers)
        self._before = before._made
        return self._kept

    @property
    def followed(self) -> Followed:
        """What the network said until now."""
        return self.since(0)

    def since(self, frame: int) -> Followed:
        """What the network said from a frame on until now."""
        return self._followers.followed(self._number, frame)

    def advance(self, frames: int) -> bool:
        """Makes up to ``frames`` more frames; false when the walk is finished.

        A walk that misses its marks goes back to before them, and is told better.
        """
        return self._followers.advance(frames) or self._learns()

    def _learns(self) -> bool:
        if len(self._followers.ways) > 1 or not self.has_marks:  # of a crowd nobody goes back
            return False
        timing = self._meeting.learn(self.followed, self.way.timing, self.model.rate)
        if timing is None:
            return False
        self.way = replace(self.way, timing=timing)
        before, self._followers = self._followers, Followers(self.model, [self.way])
        self._kept = self._followers.take_over(before)
        return True

    def finish(self) -> Walk:
        """The walk so far as a clip: poses on rigid bones, feet locked, on the asked skeleton."""
        walk = self._finished_after(self._before) if self._before is not None else None
        self._made, self._before = walk or self._finished(self.followed), None
        return self._made.walk

    def _finished_after(self, before: "_Made") -> "_Made | None":
        """The walk, of which only what comes after the kept frames is finished; ``None`` where that shows."""
        rate = self.model.rate
        first, agreed = self._kept - round(FINISHED_ANEW * rate), self._kept - round(CHANGED_FROM * rate)
        if first < round(EXAMPLE * rate) or self.has_marks:
            return None
        old, new = before.walk, self._finished(self.since(first), before.example).walk
        off = np.abs(new.clip.root_positions[: agreed - first] - old.clip.root_positions[first:agreed]).max(axis=1)
        turned = np.abs(new.clip.rotations[: agreed - first] - old.clip.rotations[first:agreed]).max(axis=(1, 2))
        differ = np.flatnonzero(np.maximum(off, turned) > ALIKE)
        join = first + (int(differ[-1]) + 1 if len(differ) else 0)
        if agreed - join < rate:
            return None
        return _Made(old.until(join).then(new.since(join - first)), before.example)

    def _finished(self, followed: Followed, example: Clip | None = None) -> "_Made":
        standing = standing_clip(self.model)
        clip = self._posed(followed.steps)
        if self.has_marks:
            followed = self._meeting.corrected(followed, clip)
            clip = self._posed(followed.steps)
        clip = duck(clip, self.ground)
        contacts = held_contacts(clip, followed.steps.contacts, self.ground, standing)
        clip = lock_feet(clip, contacts, self.ground, standing)
        if self.target is not None:
            standing = standing and retarget(standing, self.target)
            # Heads are not on everybody as high over their legs.
            example = example or clip.cut(0, round(EXAMPLE * clip.rate))
            clip = duck(retarget(clip, self.target, example=example), self.surroundings.ground)
            clip = lock_feet(clip, contacts, self.surroundings.ground, standing)
        met = self._meeting.met(clip, contacts, self.scale)
        return _Made(Walk(clip, contacts.astype(float), followed.steps.phase, followed.gaits, standing, met), example)

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
    tree = scipy.spatial.KDTree(walked.points)

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
    return scipy.ndimage.gaussian_filter1d(np.pad(heights, pad, mode="reflect", reflect_type="odd"), frames)[pad:-pad]


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
