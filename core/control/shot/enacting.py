"""Clips played in a shot: the character comes to rest, steps into the clip, plays it, and stands again.

The clip is placed where the character stands and turned as it faces; the ground below it carries the feet.
"""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from ...errors import FootfallError
from ...labelling import label_clip
from ...motion import Clip
from ...motion.contacts import FootContacts
from ...motion.proportions import ADULT_LEG_LENGTH_M, leg_length
from ...motion.root_frame import root_track, yaw_of
from ...motion.rotations import UP, Array, length, rotation_about_up, wrap_angle
from ...retarget.retarget import retarget
from ...tuning import Tuning, tuned
from ..feet.foot_lock import lock_feet, locked_contacts
from ..performance import Performance
from ..performance.seam import TUNING as SEAM
from ..runtime.body_state import BodyState
from ..runtime.pose_decoder import standing_clip
from ..strike import guard_steps
from ..strike.guard_steps import settle_into
from .act_clip import ActClip
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation, Stage, Step
from .outcome import BeatResult
from .parts import ActPart
from .standing import Standing


@dataclass(frozen=True, slots=True)
class EnactingTuning(Tuning):
    """Tuned numbers of clips played in a shot."""

    stop: float = tuned(0.8, "s", 0.0, 3.0)
    """Time to stop before stepping into a clip."""
    still: float = tuned(0.2, "s", 0.05, 3.0)
    """Shortest time of standing before stepping into a clip."""
    moving_speed: float = tuned(0.1, "m/s", 0.0, 1.0)
    """Lowest speed of a moving body, which has to stop before a clip."""
    settle: float = tuned(0.8, "s", 0.2, 2.0)
    """Duration of the steps from standing into a clip, and of those back."""
    same_place: float = tuned(0.25, "m", 0.05, 1.0)
    """Distance to the place of a clip that is covered by the steps into it, without a walk."""
    same_direction: float = tuned(1.6, "rad", 0.0, np.pi)
    """Largest turn made by the steps into a clip; larger ones need a walk."""
    airborne: float = tuned(0.25, "m", 0.1, 1.0)
    """Height of an adult's ankle above the ground in a step without contact."""
    ground_smoothing: float = tuned(0.25, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths the ground's height below a traveling body."""


ENACTING: Final = EnactingTuning()
FACED_M: Final = 1.5
"""Distance, meters, of the point that the character faces at the place set for a clip."""
SPEED_S: Final = 0.1
"""Time over which the speed of a body at the end of a clip is measured, seconds."""


@dataclass(frozen=True, eq=False)
class Enacting:
    """A clip as a part of a shot.

    Attributes:
        stage: the shot's stage.
        part: the clip's beat, with the wait after it.
    """

    stage: Stage
    part: ActPart

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the beats that the activity carries out: only the clip's."""
        return (self.part.number,)

    @property
    def ball(self) -> int:
        """Index of the held ball: always -1, since a character plays a clip with free hands."""
        return -1

    def inputs(self, situation: Situation) -> object:
        """Return the inputs that determine the motion: the clip and, if timed, its first frame."""
        return self.part if self.part.until is None else (self.part, situation.frame)

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return an empty tuple: a clip avoids no objects."""
        return ()

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if no controller walks, or the clip moves another body."""
        self.stage.require_walker()
        clip = self.part.act.clip.motion
        if not clip.skeleton.matches(self.stage.body):
            raise FootfallError("The clip '{name}' moves another body: fit it to this character", name=clip.name)

    def is_far(self, situation: Situation) -> bool:
        """Return whether the character must first walk to the place set for the clip, or turn there."""
        act, (here, yaw) = self.part.act, self.stage.root(situation)
        if act.place is None:
            return False
        turn = 0.0 if act.direction is None else float(wrap_angle(yaw_of(act.direction) - yaw))
        away = float(length(act.place - here))
        return away > ENACTING.same_place * self.stage.scale or abs(turn) > ENACTING.same_direction

    def destination(self, situation: Situation) -> Destination | None:
        """Return the place set for the clip; ``None`` without one: the clip begins where the previous beat ends."""
        act, level = self.part.act, float(situation.place[2])
        if act.place is None:
            return None
        here = self.stage.root(situation)[0]
        way = act.place - here
        ahead = way / max(float(length(way)), 1e-6) if act.direction is None else act.direction
        ground = self.stage.ground_below(np.append(act.place, level + TUNING.above), level)
        return Destination(act.place, ground, faced=act.place + FACED_M * ahead, is_exact=True)

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the place (2) set for the clip, meters, world; `here`, straight on, without one."""
        return here if self.part.act.place is None else self.part.act.place

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the clip's motion, from standing to standing.

        If a time is set for the end, the clip is cut there, or the character stands until then.
        """
        stage, rate, level = self.stage, self.stage.walks.rate, float(situation.place[2])
        target, settle = stage.request.target, round(ENACTING.settle * rate)
        moves = situation.speed > ENACTING.moving_speed
        least = round((ENACTING.stop if moves else ENACTING.still) * rate)
        stands = self._standing(*self._root(situation), level, least, situation.state)
        while stands.frames_done < least:
            stands.advance(min(STEP_FRAMES, least - stands.frames_done))
            yield stands.frames_done
        played = self._played(situation, least + settle)
        clip = _placed(played.motion, *self._start(stage.scale * stands.root[0], stands.root[1]))
        whole = settle_into(stands.fitted(target), clip, ENACTING.settle)
        yield len(whole)
        recovers = settle + round(self.part.wait * rate)
        if self.part.until is not None:
            recovers = max(settle, round(self.part.until * rate) - situation.frame - len(whole))
        overlap = 0 if after is None else round(SEAM.overlap * rate)
        end, turned = _resting(clip)
        floor = float(self._heights(end[None], level)[0])
        rests = self._standing(end / stage.scale, turned, floor, recovers + overlap)
        rests.advance(recovers)
        state, root = None if after is None else rests.body_state(), rests.root
        rests.advance(overlap)
        done = len(whole) + recovers
        whole = settle_into(whole, rests.fitted(target), ENACTING.settle)
        yield len(whole)
        made = yield from self._on_ground(whole, played.contacts, least, level)
        late = 0.0 if self.part.until is None else (situation.frame + done) / rate - self.part.until
        return MadePart(
            made,
            replace(
                situation,
                state=state,
                place=np.append(stage.scale * root[0], floor),
                yaw=root[1],
                frame=situation.frame + done,
                partner=None,
                balls=tuple(one.later(done) for one in situation.balls),
            ),
            {self.part.number: BeatResult(0, done - 1, "done", late=max(late, 0.0))},
            overlap,
            {self.part.number: done},
        )

    def _start(self, here: Array, yaw: float) -> tuple[Array, float]:
        """Return the root (2), meters, world, and the yaw, radians, with which the clip begins.

        They are exactly those set for it if the character stands nearby; otherwise it begins where the character is.

        Args:
            here: (2) root of the standing character, meters, world.
            yaw: its yaw, radians.
        """
        act = self.part.act
        if act.place is None or float(length(act.place - here)) > ENACTING.same_place * self.stage.scale:
            return here, yaw
        return act.place, yaw if act.direction is None else float(yaw_of(act.direction))

    def _played(self, situation: Situation, around: int) -> ActClip:
        """Return the clip as it is played, given the number of frames of standing around it."""
        clip, rate = self.part.act.clip, self.stage.walks.rate
        if self.part.until is None:
            return clip.from_rest_to_rest()
        return clip.from_rest_to_rest(max(round(self.part.until * rate) - situation.frame - around, 0))

    def _root(self, situation: Situation) -> tuple[Array, float]:
        """Return the character's root (2), meters of the controllers, and its yaw, radians."""
        place, yaw = self.stage.root(situation)
        return place / self.stage.scale, yaw

    def _standing(
        self, position: Array, yaw: float, level: float, frames: int, begin: BodyState | None = None
    ) -> Standing:
        """Return a body that stands for a number of frames at a root (2), meters of the controllers."""
        place = np.append(position, level / self.stage.scale)
        return Standing(self.stage.walks, place, yaw, frames / self.stage.walks.rate, begin, self.stage.request.seed)

    @property
    def _size(self) -> float:
        """Size of the body relative to an adult's, 1 for an adult."""
        return leg_length(self.stage.body) / ADULT_LEG_LENGTH_M

    def _heights(self, places: Array, level: float) -> Array:
        """Return the heights (F) of the ground below places (F, 2), meters, world; `level` where there is none."""
        above = np.full((len(places), 1), level + TUNING.above)
        heights = self.stage.scene.ground.heights(np.append(places, above, axis=1))
        return np.where(np.isfinite(heights), heights, level)

    def _on_ground(
        self, clip: Clip, contacts: FootContacts, first: int, level: float
    ) -> Generator[Step, None, Performance]:
        """Return the whole motion, from standing to standing, with its feet locked to the ground.

        Args:
            clip: the motion over the plane z = 0.
            contacts: foot contacts of the played clip.
            first: frame of the motion at which the clip begins.
            level: height of the ground at the motion's beginning, meters, world.
        """
        ground, target = self.stage.scene.ground, self.stage.request.target
        heights = self._heights(clip.root_positions[:, :2], level)
        smooth = scipy.ndimage.gaussian_filter1d(heights, ENACTING.ground_smoothing * clip.rate, mode="nearest")
        standing = standing_clip(self.stage.walks)
        if target is not None:
            standing = standing and retarget(standing, target)
        made = Performance(clip, label_clip(clip), standing)
        own, settle = contacts.probabilities, round(ENACTING.settle * clip.rate)
        touching = made.contacts.probabilities.copy()
        for side, columns in (("L", slice(0, 2)), ("R", slice(2, 4))):
            raised = clip.positions[:, clip.skeleton.joint(f"foot.{side}"), 2] > ENACTING.airborne * self._size
            touching[raised, columns] = 0.0
        touching[first + settle : first + len(own)] = own[settle:]  # before it, feet step into the clip
        yield len(clip)
        carried = replace(clip, root_positions=clip.root_positions + smooth[:, None] * UP)
        held = yield from locked_contacts.steps(carried, FootContacts(touching), ground, standing)
        locked = yield from lock_feet.steps(carried, held, ground, standing)
        return made.with_clip(locked).with_contacts(held)


def _placed(clip: Clip, place: Array, yaw: float) -> Clip:
    """Return a clip that begins at a root (2), meters, world, with a yaw, radians."""
    track = root_track(clip)
    turned = clip.transformed(rotation_about_up(np.array(yaw - track.yaws[0])), np.zeros(3))
    shift = place - root_track(turned).positions[0]
    return replace(turned, root_positions=turned.root_positions + np.append(shift, 0.0))


def _resting(clip: Clip) -> tuple[Array, float]:
    """Return the root (2), meters, world, at which a body comes to rest after a clip, and its yaw, radians."""
    track = root_track(clip)
    moved = track.positions[-1] - track.positions[max(len(clip) - 1 - round(SPEED_S * clip.rate), 0)]
    return track.positions[-1] + guard_steps.TUNING.coasting / SPEED_S * moved, float(track.yaws[-1])
