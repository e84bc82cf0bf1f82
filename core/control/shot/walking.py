"""Walks of a shot: along their paths, and on to the activity after them."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from ...message import Message
from ...motion.contacts import CONTACT_THRESHOLD
from ...motion.root_frame import facing_direction
from ...motion.rotations import Array, length
from ...scene.interaction_object import InteractionObject
from ..ball.accompaniment import BallAccompaniment, ball_of
from ..ball.ball_plan import GAINS, in_order
from ..path.path import Path
from ..path.path_events import BallCue, Cues, CueSpan, Facing, Wait
from ..path.velocity_profile import STAND_AFTER_S
from ..strike.approach import curved_path
from ..walk.path_walk import WalkRollout
from ..walk.plan import WalkRequest
from ..walk.walk_performance import walk_performance
from .acting import overlap_before
from .activity import (
    STEP_FRAMES,
    TUNING,
    Activity,
    Destination,
    MadePart,
    Making,
    Situation,
    Stage,
    destination_of,
)
from .balls import held_ball, require_ball, taken_where_it_lies, with_ball
from .beats import WalkBeat
from .draft import Draft, walk_draft
from .furniture import around_furniture
from .leading import has_come, led_out
from .nearby import near_way
from .outcome import BeatResult
from .parts import WalkPart
from .passing import Known, Others, begin_among, others_near
from .standing import AHEAD_M
from .walk_timing import arriving_after, standing_until

BESIDE_M: Final = 1.3
"""Distance, meters, between a walk's end and a standing character up to which the walk ends beside it."""
FAR_M: Final = 100.0
"""Distance, meters, of a point that the character is given to face, so that it faces in a given direction."""


@dataclass(frozen=True, slots=True, eq=False)
class Walking:
    """Consecutive walks as a part of a shot or, if there are none, an added walk to the next activity.

    Attributes:
        stage: the shot's stage.
        part: the walks.
        others: the other characters from which the walk keeps apart; ``None`` for none.
    """

    stage: Stage
    part: WalkPart
    others: Others | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the walks' beats."""
        return tuple(number for number, _ in self.part.walks)

    @property
    def ball(self) -> int | None:
        """Index of the ball that the character must hold at the start; -1: free hands, to gain it; ``None``: any."""
        cues = in_order([cue for _, walk in self.part.walks for cue in walk.cues.balls])
        if self.part.ball < 0:
            return None
        return -1 if cues and cues[0].action in GAINS else self.part.ball

    def inputs(self, situation: Situation) -> object:
        """Return the inputs that determine the motion: the walks and, if timed or with a ball, first frame and ball."""
        timed = self.part.until is not None or self.part.arrives is not None
        played = self._played(situation)
        balls = None if played < 0 else situation.balls[played]
        own = (self.part, situation.frame, balls) if timed or balls else self.part
        return own if self.others is None else (own, self.others)

    def among(self, others: Mapping[str, Known], situation: Situation, after: Activity | None, partner: str) -> Self:
        """Return the walk with those of the other characters, given by name, from which it must keep apart.

        It leads to the next activity, or ends beside the character called `partner`; an empty name stands for none.
        """
        way, rate = self._path_of(situation, self._goal(situation, after))[0], self.stage.walks.rate
        return replace(self, others=others_near(others, situation.frame, rate, way, partner, after is not None))

    def _played(self, situation: Situation) -> int:
        """Return the index of the ball that is played with or carried along; -1 for none."""
        return held_ball(situation.balls) if self.part.ball < 0 else self.part.ball

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return the indices of the objects near the path."""
        return self._near(situation, self._path_of(situation, self._goal(situation, after))[0])

    def _goal(self, situation: Situation, after: Activity | None) -> Destination | None:
        """Return the end of a walk that continues to the next activity; ``None`` for one that stays where it ends."""
        stays = self.part.wait > 0.0 or self.part.until is not None
        return None if stays else destination_of(after, situation)

    def _near(self, situation: Situation, points: Array) -> tuple[int, ...]:
        """Return the indices of the objects near path points (N, 2), meters, world."""
        return near_way(situation.objects, points / self.stage.scale, TUNING.sight)

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if the walk controller or a ball is missing; planning checks the rest."""
        self.stage.require_walker()
        if self.part.ball >= 0:
            require_ball(situation.balls, self.part.ball)

    def is_far(self, situation: Situation) -> bool:
        """Return false: walks begin anywhere."""
        return False

    def destination(self, situation: Situation) -> Destination | None:
        """Return ``None``: no walk leads to another walk."""
        return None

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the first point of the path that is more than ``TUNING.left`` away from `here` (2), meters, world."""
        drawn = self.part.walks[0][1].points
        return next((one for one in drawn if float(length(one[:2] - here)) > TUNING.left), drawn[-1])

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the walks; if they miss the time set for their arrival, plan them again."""
        goal, ends = self._goal(situation, after), self.part.arrives
        rollout = self._begun(situation, goal, earlier, ends)
        yield
        there = yield from self._roll_out(rollout, situation, goal, after)
        if ends is None:
            return (yield from self._made(rollout, situation, after, 0.0))
        late, aim = self._lateness(situation, there, ends), ends
        for _ in range(TUNING.tries):
            if abs(late) < TUNING.punctual:
                break
            aim -= late
            rollout = self._begun(situation, goal, earlier, aim)
            there = yield from self._roll_out(rollout, situation, goal, after)
            late = self._lateness(situation, there, ends)
        return (yield from self._made(rollout, situation, after, max(late, 0.0)))

    def _lateness(self, situation: Situation, frames: int, ends: float) -> float:
        """Return how late an arrival after a number of frames is, seconds."""
        return (situation.frame + frames) / self.stage.walks.rate - ends

    def _roll_out(
        self, rollout: WalkRollout, situation: Situation, goal: Destination | None, after: Activity | None
    ) -> Generator[Draft, None, int]:
        """Walk until the next activity begins; yield its drafts, and return the frame of the arrival."""
        rate = self.stage.walks.rate
        stands = round(STAND_AFTER_S * rate)
        near = there = 0
        while rollout.advance(STEP_FRAMES):
            yield walk_draft(rollout, situation.frame)
            there = there if rollout.way_left < TUNING.there * self.stage.scale else rollout.frames_done
            left = rollout.total_frames - rollout.frames_done
            if goal is not None and goal.faced is None and self._has_arrived(rollout, goal) and not _plays(rollout):
                near += STEP_FRAMES
                if _has_landed(rollout) or near > TUNING.landing * rate:
                    break
            if after is not None and (left < stands or self._has_waited(rollout, situation)):
                break
        return there

    def _made(self, rollout: WalkRollout, situation: Situation, after: Activity | None, late: float) -> Making:
        """Return the finished walk, with a few more frames to overlap the next activity."""
        results = {number: self._result(beat, rollout, situation, late) for number, beat in self.part.walks}
        return (yield from walked_part(self.stage, rollout, situation, after, results, self._played(situation)))

    def _result(self, walk: WalkBeat, rollout: WalkRollout, situation: Situation, late: float) -> BeatResult:
        """Return the outcome of a walk, which is given up if an obstacle, not that in which it ends, is in its way."""
        scale, end = self.stage.scale, np.asarray(walk.points, dtype=float)[-1:, :2]
        made = BeatResult(0, rollout.frames_done - 1, "done", late=late, notes=rollout.plan.crowd_warnings)
        away = float(length(scale * rollout.plan.path.points - end).min())
        if away < (BESIDE_M if made.notes else TUNING.missed) * scale:
            return made
        floor = float(situation.place[2]) / scale
        heights = floor + TUNING.same_level, floor + TUNING.standing_room
        gaps = (one.posed_collider.horizontal_distances(end / scale, *heights) for one in situation.objects)
        if any(float(distances[0]) == 0.0 for distances in gaps):
            return made
        reason = next(iter(made.notes), Message("an obstacle blocks every way to the target"))
        return replace(made, status="gave up", reason=reason, notes=())

    def _begun(
        self, situation: Situation, goal: Destination | None, earlier: MadePart | None, ends: float | None
    ) -> WalkRollout:
        """Return the roll-out of the walk to a goal, continued from an earlier one if both begin alike."""
        rollout = self._planned(situation, goal, ends)
        if earlier is None or earlier.rollout is None or not rollout.resume_from(earlier.rollout):
            return rollout
        is_aligned = rollout.frames_done % STEP_FRAMES == 0
        is_early = rollout.total_frames - rollout.frames_done > round(STAND_AFTER_S * self.stage.walks.rate)
        is_far = is_early and rollout.way_left > TUNING.left * self.stage.scale
        is_timed = self.part.until is not None or ends is not None
        return rollout if is_aligned and is_far and not is_timed else self._planned(situation, goal, ends)

    def _planned(self, situation: Situation, goal: Destination | None, ends: float | None) -> WalkRollout:
        """Return the roll-out of the walk to a goal, planned around the other characters."""
        request = self._request(situation, goal, ends)
        apart = None if goal is None else goal.apart
        return begin_among(self.stage.walks, request, self.others, apart, goal is not None)

    def _request(self, situation: Situation, goal: Destination | None, ends: float | None) -> WalkRequest:
        """Return the request of the walk to a goal, which arrives at a time, seconds, if one is given."""
        part, stage = self.part, self.stage
        points, cues = self._path_of(situation, goal)
        path, played = Path(points), self._played(situation)
        passed = {situation.used} | (set() if goal is None else goal.passed)
        solid = [situation.objects[one] for one in self._near(situation, points) if one not in passed]
        settles = part.wait + (TUNING.settles if goal is not None and goal.is_exact else 0.0)
        waits = [Wait(*one) for one in ((0.0, part.leaves), (path.length, settles)) if one[1]]
        holds = () if part.ball >= 0 or played < 0 else (BallCue("hold", 0.0, np.inf),)
        balls = cues.balls if played < 0 else taken_where_it_lies(cues.balls, situation.balls[played])
        cues = replace(cues, waits=(*cues.waits, *waits), balls=(*balls, *holds))
        speed = part.walks[0][1].speed if part.walks else TUNING.speed
        request = walk_request(stage, situation, path, speed, cues, solid, played)
        request = replace(request, via=[np.asarray(walk.points, dtype=float)[-1, :2] for _, walk in part.walks])
        now = situation.frame / stage.walks.rate
        if ends is not None:
            request = arriving_after(request, stage.walks, ends - now)
        return request if part.until is None else standing_until(request, stage.walks, part.until - now)

    def _has_waited(self, rollout: WalkRollout, situation: Situation) -> bool:
        """Return whether a character that stands at the end of its walk until a set time has waited long enough."""
        if self.part.until is None or rollout.way_left > TUNING.there * self.stage.scale:
            return False
        return (situation.frame + rollout.frames_done) / self.stage.walks.rate >= self.part.until

    def _has_arrived(self, rollout: WalkRollout, goal: Destination) -> bool:
        """Return whether a walking character is near its goal, with the ground under it and its feet at that level."""
        if rollout.way_left >= TUNING.left * self.stage.scale:
            return False
        state, stage = rollout.body_state(), self.stage
        feet = np.append(stage.scale * state.feet, np.full((2, 1), goal.level + TUNING.above), axis=1)
        levels = [stage.scale * state.level, *(stage.ground_below(foot, goal.level) for foot in feet)]
        return all(abs(level - goal.level) < TUNING.same_level for level in levels)

    def _path_of(self, situation: Situation, goal: Destination | None) -> tuple[Array, Cues]:
        """Return path points (N, 2), meters, of the walks from the character to a goal, and the walks' path events."""
        (here, yaw), state, scale = self.stage.root(situation), situation.state, self.stage.scale
        points = [here]
        for _, walk in self.part.walks:
            drawn = np.asarray(walk.points, dtype=float)[:, :2]
            points += [one for one in drawn if float(length(one - points[-1])) > 1e-3]
        end = None if goal is None else goal.reached_from(points[-1])
        if goal is not None and goal.faced is not None and end is not None and len(points) == 1:
            return curved_path(here, yaw, end, goal.faced).points, Cues()
        if end is not None and not has_come(end, points, TUNING.near * scale):
            points.append(end)
        if state is not None and len(points) > 1:
            points = led_out(points, state, scale, situation.partner)
        if len(points) == 1:  # the walk leads to where the character stands
            points.append(here + AHEAD_M * facing_direction(np.array(yaw)))
        path = np.array(points)
        return path, self._events_along(path, situation.frame, stays=goal is None)

    def _events_along(self, points: Array, frame: int, stays: bool) -> Cues:
        """Return the path events of the walks along path points (N, 2), meters.

        Args:
            points: the path.
            frame: frame of the shot at which it begins.
            stays: whether the character stays at its end.
        """
        cues, start = list[Cues](), 0.0
        path = Path(points)
        for number, (_, walk) in enumerate(self.part.walks):
            ahead = path.arc_lengths >= start
            away = length(path.points[ahead] - np.asarray(walk.points, dtype=float)[0, :2])
            begins = float(path.arc_lengths[ahead][np.argmin(away)])
            own = CueSpan(start if number else 0.0, np.inf, speed=walk.speed, style=walk.style)
            moved = walk.cues.later(begins, frame, self.stage.walks.rate)
            cues.append(replace(moved, spans=(own, *moved.spans)))
            ends = length(path.points - np.asarray(walk.points, dtype=float)[-1, :2])
            ends[path.arc_lengths < begins] = np.inf
            start = float(path.arc_lengths[np.argmin(ends)])
        turns = list[CueSpan]()
        direction = self.part.walks[-1][1].direction if self.part.walks else None
        if path is not None and stays and direction is not None:
            begins = path.length - TUNING.turning * self.stage.scale
            turns.append(CueSpan(begins, np.inf, facing=Facing(target=(points[-1] + FAR_M * direction)[None])))
        return Cues(
            (*(span for one in cues for span in one.spans), *turns),
            tuple(wait for one in cues for wait in one.waits),
            balls=tuple(ball for one in cues for ball in one.balls),
            jumps=tuple(jump for one in cues for jump in one.jumps),
        )


def walk_request(
    stage: Stage,
    situation: Situation,
    path: Path,
    speed: float,
    cues: Cues,
    solid: Sequence[InteractionObject] = (),
    ball: int = -1,
) -> WalkRequest:
    """Return the request for a walk of the character, with the settings of its shot.

    Args:
        stage: the shot's stage.
        situation: the situation in which the walk begins.
        path: path of the walk, meters, world.
        speed: commanded speed, m/s.
        cues: path events of the walk.
        solid: objects that the walk avoids.
        ball: index of the ball that the character plays with or carries; -1 for none.
    """
    manner = stage.request.manner
    kit = None if ball < 0 else situation.balls[ball].kit
    beside = None if kit is None else BallAccompaniment(None, kit, stage.request.rise, situation.state is not None)
    return WalkRequest(
        path,
        speed,
        around_furniture(stage.scene, solid, stage.scale),
        float(situation.place[2]),
        stage.request.target,
        stage.request.seed,
        cues=lowered(cues, stage.request.rise),
        performer=manner.performer,
        performer_share=manner.performer_share,
        variation=manner.variation,
        generator=manner.generator,
        responsiveness=manner.responsiveness,
        accompaniment=beside,
        begin=situation.state,
    )


def lowered(cues: Cues, rise: float) -> Cues:
    """Return path events with ball targets lowered by `rise`, meters, since the finished body will be raised by it."""
    balls = [cue if cue.target is None else replace(cue, target=cue.target - [0.0, 0.0, rise]) for cue in cues.balls]
    return replace(cues, balls=tuple(balls))


def walked_part(
    stage: Stage,
    rollout: WalkRollout,
    situation: Situation,
    after: Activity | None,
    results: dict[int, BeatResult],
    ball: int = -1,
) -> Making:
    """Return a finished walk as a part, with a few more frames to overlap the next activity.

    Args:
        stage: the shot's stage.
        rollout: roll-out of the walk.
        situation: the situation in which the walk began.
        after: the next activity.
        results: outcome of each beat, by index; this function fills in the frames.
        ball: index of the ball that the character plays with or carries; -1 for none.
    """
    walks, rise = stage.walks, stage.request.rise
    state = rollout.body_state() if after is not None else None
    done = rollout.frames_done
    stop = done + (0 if after is None else overlap_before(after, walks.rate))
    while rollout.frames_done < stop and rollout.advance(min(STEP_FRAMES, stop - rollout.frames_done)):
        yield
    walk = yield from rollout.finish_in_steps()
    yield
    level = float(situation.place[2])
    last = walk.clip.root_positions[done - 1]
    place = last * [1, 1, 0] + [0, 0, stage.ground_below(last, level)]
    made, balls = walk_performance(walk, walks.gaits, level), [one.later(done) for one in situation.balls]
    if ball >= 0 and made.ball is not None:
        made, balls[ball] = with_ball(made, situation.balls[ball], done, rise)
    return MadePart(
        made,
        replace(situation, state=state, place=place, frame=situation.frame + done, balls=tuple(balls), partner=None),
        {number: replace(one, first=0, last=done - 1) for number, one in results.items()},
        rollout.frames_done - done,
        rollout=rollout,
    )


def _plays(rollout: WalkRollout) -> bool:
    """Return whether an action with a ball is not over yet."""
    ball = ball_of(rollout.plan)
    if ball is None or ball.play is None:
        return False
    timeline = ball.play.timeline(rollout.trace.planned_lengths, rollout.model.rate)
    return any(end > rollout.frames_done for end in timeline.ends)


def _has_landed(rollout: WalkRollout) -> bool:
    """Return whether a foot has landed since the last check."""
    contacts = rollout.trace_from(rollout.frames_done - STEP_FRAMES - 1).frames.contacts > CONTACT_THRESHOLD
    before, now = (contacts[at].reshape(2, 2).any(axis=1) for at in (0, -1))
    return bool(np.any(now & ~before))
