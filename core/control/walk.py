"""A walk along a path: the plan, the network's steps under it, and the finished clip."""

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..errors import FootfallError
from ..features.locomotion import FUTURE, pose_from_output
from ..features.root import facing, yaw_of
from ..labelling.sensors import ADULT_LEG
from ..models.model_file import ControllerModel
from ..motion import Clip, Skeleton
from ..motion.rotations import UP, Array
from ..retarget.calibration import Calibration, calibrate
from ..retarget.retarget import retarget, scale_between
from ..terrain.ground import Plane
from ..terrain.surroundings import Surroundings
from .character import CENTRE, Character, Command, Step
from .detour import walkable
from .ducking import duck
from .foot_lock import held_contacts, lock_feet
from .path import Path
from .posing import pose_clip, standing_clip
from .profile import Profile
from .speed_plan import Timing

# Seconds of standing before the first step and after the last.
STAND_BEFORE = 0.5
STAND_AFTER = 1.0
# Seconds in which the root is drawn back to the path, sideways and along it, beside what the network does by itself.
SIDEWAYS_TIME = 1.0
ALONG_TIME = 1.0
# How many times its distance behind the plan a character is asked to make up within the second ahead: networks answer
# to a faster trajectory with a part of it.
CATCH_UP = 3.0
# Metres behind the plan at which the plan waits.
FARTHEST_BEHIND = 0.3
# The root is never moved by more than this share of the planned speed: the rest is the network's own walking.
LARGEST_NUDGE = 0.2
WHOLE_MINUTE = 3600
# Metres above the ground from which one looks for what carries one; and less than which it does not.
RIDING = 0.1
# Metres before and behind where one stands at which one sees how what carries one turns.
BESIDE = 0.05
STANDS_STILL = 1e-7
# Seconds over which the height of the body over the ground is steadied.
STEADY = 0.08
# The top of the head, as a share of the height of the highest joint, the head's.
HEAD_TOP = 1.12
# From a shuffle to a sprint, m/s.
SPEEDS = (0.3, 8.0)
STAND_SPEED = 0.2
RUN_SPEED = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A finished walk: the clip, and what the controller said of its frames.

    Attributes:
        clip: motion on the asked skeleton at the controller's rate.
        contacts: (F, 4), 1 where a foot's joint is held, in the order of ``labelling.contacts.JOINTS``.
        phase: (F) cycles.
        gaits: (F, G) commanded gaits.
        standing: the same body standing on level ground, where the controller knows how: its feet are flat.
    """

    clip: Clip
    contacts: Array
    phase: Array
    gaits: Array
    standing: Clip | None = None


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

    Raises:
        FootfallError: the speed is none at which people walk or run.
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
    ) -> None:
        if not SPEEDS[0] <= speed <= SPEEDS[1]:
            raise FootfallError(
                f"Nobody walks or runs at {speed:g} m/s: choose a speed from {SPEEDS[0]:g} to {SPEEDS[1]:g} m/s."
            )
        self.model = model
        self.surroundings = surroundings or Surroundings(Plane(level))
        self.target = calibrate(model.skeleton, target) if isinstance(target, Skeleton) else target
        self.scale = scale_between(model.skeleton, self.target.target) if self.target else 1.0
        self.size = model.skeleton.leg_length / ADULT_LEG
        route = walkable(path, self.surroundings, level, self.size * self.scale)
        self.path, self.notes = route.path.scaled(1 / self.scale), route.notes
        scaled = self.surroundings.scaled(1 / self.scale)
        self.speed = speed / self.scale
        self.ground = scaled.ground
        self.profile = Profile.along(self.path, scaled, level / self.scale, self.size)
        self.upright = HEAD_TOP * float(model.start["position"][:, 2].max())
        self.timing = Timing(self.path, self.speed, model.rate, self.profile, self.upright)
        start = self.path.point(0.0)
        self.runtime = Character(
            model, start, float(self.path.yaw(0.0)), float(self.profile.height(0.0)), scaled.ground
        )
        if seed:
            self.runtime.phase = float(np.random.default_rng(seed).random())
        self.clock = -round(STAND_BEFORE * model.rate)
        self.end = len(self.timing) + round(STAND_AFTER * model.rate)
        self.patience = len(self.timing)
        self.reached = 0.0
        self.risen = 0.0
        self.steps: list[Step] = []
        self.gaits: list[Array] = []
        self.planned: list[float] = []

    @property
    def done(self) -> int:
        """Frames made so far."""
        return len(self.steps)

    @property
    def total(self) -> int:
        """Frames of the whole walk, as far as can be told: it grows while the character is behind the plan."""
        return self.done + self.end - self.clock

    def advance(self, frames: int) -> bool:
        """Makes up to ``frames`` more frames; false when the walk is finished."""
        for _ in range(min(frames, self.end - self.clock)):
            self._advance()
        return self.clock < self.end

    def finish(self) -> Walk:
        """The walk so far as a clip: poses on rigid bones, feet locked, on the asked skeleton."""
        standing = standing_clip(self.model)
        clip = duck(self.posed(), self.ground)
        contacts = held_contacts(clip, np.array([step.contacts for step in self.steps]), self.ground, standing)
        clip = lock_feet(clip, contacts, self.ground, standing)
        if self.target is not None:
            standing = standing and retarget(standing, self.target)
            # Heads are not on everybody as high over their legs.
            clip = duck(retarget(clip, self.target), self.surroundings.ground)
            clip = lock_feet(clip, contacts, self.surroundings.ground, standing)
        phase = np.array([step.phase for step in self.steps])
        return Walk(clip, contacts.astype(float), phase, np.array(self.gaits), standing)

    def _advance(self) -> None:
        if not self.ground.steady:
            self._ride()
        runtime, path, clock = self.runtime, self.path, self.clock
        planned = self.timing.at(clock)
        lag = self._locate(planned)
        ahead = clock + np.array(FUTURE)
        share = np.arange(1, len(FUTURE) + 1) / len(FUTURE)
        along = self.reached + (self.timing.at(ahead) - planned) + CATCH_UP * lag * share
        miss = runtime.position - path.point(self.reached)
        positions = path.point(along) + miss * ((1 - share) ** 2)[:, None]
        gait = self._gait(self.timing.speed(clock), self.reached)
        levels = self.profile.height(np.concatenate([[self.reached], along])) + self.risen
        command = Command(positions, path.yaw(along), self._gait(self.timing.speed(ahead), along), levels)
        self.steps.append(runtime.step(command, gait, float(self._moving(self.timing.speed(clock)))))
        self.gaits.append(gait)
        self.planned.append(planned)
        self._draw_back()
        if lag < FARTHEST_BEHIND or self.patience == 0:
            self.clock += 1
        else:
            self.patience -= 1

    def _ride(self) -> None:
        """Carries the character and the path ahead with ground that has moved under it since the frame before."""
        runtime, now = self.runtime, self.done
        if now == 0:
            return
        here = np.array([*runtime.position, float(runtime.past_heights[-1, CENTRE])])
        beside = BESIDE * np.array([*facing(np.asarray(runtime.yaw)), 0.0])
        points = np.stack([here - beside, here, here + beside])
        moved = self.ground.carried(points + UP * RIDING, now - 1, now) - UP * RIDING
        shift = moved[1] - here
        # At an edge one of the two ways leads to what does not move with it.
        way = min(np.diff(moved, axis=0), key=lambda way: abs(float(np.linalg.norm(way)) - BESIDE))
        turn = float(yaw_of(way[:2]) - runtime.yaw + np.pi) % (2 * np.pi) - np.pi
        if np.abs(shift).max() < STANDS_STILL and abs(turn) < STANDS_STILL:
            return
        runtime.ride(turn, here[:2], shift[:2], float(shift[2]))
        self.path = self.path.moved(turn, here[:2], shift[:2])
        self.risen += float(shift[2])

    def _locate(self, planned: float) -> float:
        """Finds where on the path the character is; returns how far behind the plan, metres, within limits."""
        near = np.clip(planned, self.reached - FARTHEST_BEHIND, self.reached + FARTHEST_BEHIND)
        self.reached = self.path.project(self.runtime.position, float(near))
        return float(np.clip(planned - self.reached, -FARTHEST_BEHIND, FARTHEST_BEHIND))

    def _draw_back(self) -> None:
        """Closes the loop on the path: the network's own steering leaves a few centimetres, and drifts in speed."""
        runtime, path, dt = self.runtime, self.path, 1 / self.model.rate
        lag = self._locate(self.timing.at(self.clock + 1))
        on_path, forward = path.point(self.reached), facing(path.yaw(self.reached))
        shift = (on_path - runtime.position) * dt / SIDEWAYS_TIME + forward * lag * dt / ALONG_TIME
        largest = LARGEST_NUDGE * float(self.timing.speed(self.clock)) * dt
        size = float(np.linalg.norm(shift))
        runtime.nudge(shift * min(1.0, largest / size) if size > 0 else shift)

    def _moving(self, speeds: Array) -> Array:
        """0 (...) at planned speeds (...) of who stands, 1 at those of who goes."""
        still, going = min(STAND_SPEED / 2, self.speed / 4), min(STAND_SPEED * 1.5, self.speed * 3 / 4)
        return np.clip((speeds - still) / (going - still), 0, 1)

    def _gait(self, speeds: Array, along: Array | float) -> Array:
        """Gaits (..., G) for planned speeds (...) at arc lengths (...): blended about the changes."""
        names, gaits = self.model.gaits, np.zeros((*np.shape(speeds), len(self.model.gaits)))
        moving = self._moving(speeds)
        running = np.clip((speeds - RUN_SPEED) / 0.3 + 0.5, 0, 1)
        for name, value in (("stand", 1 - moving), ("walk", moving * (1 - running)), ("run", moving * running)):
            gaits[..., names.index(name)] = value
        # Nobody is asked to crouch: who was captured crouching hardly walked. Bodies are bent under ceilings later.
        if "jump" in names:
            jumping = self.profile.jumped(along)
            gaits *= 1 - jumping[..., None]
            gaits[..., names.index("jump")] = jumping
        return gaits

    def posed(self) -> Clip:
        """The walk so far as the network has it: its poses on the rigid bones of its skeleton, feet not yet held."""
        model = self.model
        outputs = np.array([step.output for step in self.steps], dtype=float)
        turned = pose_from_output(outputs, model.output_layout, model.reference_rotations)
        places = model.output_layout.view(outputs, "pose.position")
        grounds = np.array([[*step.position, step.height] for step in self.steps])
        grounds[:, 2] = _steadied(grounds[:, 2], STEADY * model.rate)
        return pose_clip(model, turned, places, grounds, np.array([step.yaw for step in self.steps]))


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
) -> Walk:
    """The whole walk at once: see :class:`PathWalk`."""
    walk = PathWalk(model, path, speed, surroundings, level, target, seed)
    while walk.advance(WHOLE_MINUTE):
        pass
    return walk.finish()
