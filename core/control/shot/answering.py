"""Answers of a shot: a character follows, faces or circles its partner, or defends a place against it."""

from collections.abc import Generator
from dataclasses import replace
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...motion import Clip
from ...motion.root_frame import root_track
from ...motion.rotations import Array
from ..pair.answer_walk import begin_answer
from ..pair.fitted_dance import fit_walk
from ..pair.relation import Relation, require_possible
from ..passes.gaze import face_of, look_at
from ..performance.seam import TUNING as SEAM
from ..runtime.body_state import BodyState
from ..runtime.locomotion_runtime import LocomotionRuntime
from ..walk.walk_performance import walk_performance
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation, Stage
from .encounter import Member
from .furniture import around_furniture
from .nearby import near_way
from .outcome import BeatResult
from .parts import AnswerPart

LEAST_S: Final = 0.5
"""Shortest duration of an answer to a partner, seconds."""


class Answering:
    """A part of a shot in which a character walks in answer to a partner: it follows, faces, circles or defends.

    Args:
        stage: the shot's stage.
        part: the answer.
        member: the character as a member of its cast.
    """

    def __init__(self, stage: Stage, part: AnswerPart, member: Member) -> None:
        self.stage, self.part, self.member = stage, part, member
        self._seen: Clip | None = None
        self._seen_key = b""

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the beats that the activity carries out: only the answer's."""
        return (self.part.number,)

    @property
    def ball(self) -> int:
        """Index of the held ball: always -1, since a character answers its partner with free hands."""
        return -1

    def inputs(self, situation: Situation) -> object:
        """Return the inputs that determine the walk: the answer, its first frame, the partner's checksum."""
        return self.part, situation.frame, self._seen_key

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return the indices of the objects near the partner's path."""
        seen = self._partner_from(situation)
        way = np.vstack([situation.place[:2], root_track(seen).positions]) / self.stage.scale
        return near_way(situation.objects, way, TUNING.sight)

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if walk controller or partner is missing, or the relation is impossible."""
        self.stage.require_walker()
        require_possible(self._relation)
        self.member.require_partner(self.part.answer.partner)

    def is_far(self, situation: Situation) -> bool:
        """Return false: an answer begins anywhere."""
        return False

    def destination(self, situation: Situation) -> Destination | None:
        """Return ``None``: no walk leads to an answer, since the partner's place is not known yet."""
        return None

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the partner's position (2), meters, world, at the start of the shot, for which the character heads."""
        return self.member.company.places[self.part.answer.partner]

    def gather(self, situation: Situation, key: bytes) -> Generator[int, None, None]:
        """Wait until the partner's motion is finished, or until the partner waits to meet this character.

        Args:
            situation: the situation in which the answer begins.
            key: checksum of this character's shot so far.

        Raises:
            FootfallError: the partner's shot cannot continue, has no motion, or has stopped before the answer begins.
        """
        company, name, partner = self.member.company, self.member.name, self.part.answer.partner
        shot = company.shots[partner]
        while not shot.is_done and company.awaited.get(partner) != name:
            yield from company.wait(name, partner)
        if shot.clip_so_far is None:
            raise FootfallError(
                "'{partner}' has no motion to which this character could respond: bake '{partner}' first",
                partner=partner,
            )
        self._seen, self._seen_key = shot.clip_so_far, shot.key
        if self._frames(situation) < LEAST_S * self.stage.walks.rate:
            raise FootfallError(
                "'{partner}' has already stopped when '{name}' begins to respond: give the beat of '{name}' an "
                "end, or let it begin earlier",
                partner=partner,
                name=name,
            )

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make the walk that answers the partner's motion; call :meth:`gather` first, which waits for that motion."""
        stage, state, scale = self.stage, situation.state, self.stage.scale
        walks, level = stage.walks, float(situation.place[2])
        overlap = 0 if after is None else round(SEAM.overlap * walks.rate)
        frames, seen = self._frames(situation), self._partner_from(situation, overlap)
        solid = [situation.objects[one] for one in self.near(situation, after)]
        scene = around_furniture(stage.scene, solid, scale)
        begin = state or self._standing_state(situation)
        answer = begin_answer(walks, self._relation, seen, scale, stage.request.seed, scene, level, begin)
        while answer.frames_done < frames:
            answer.advance(min(STEP_FRAMES, frames - answer.frames_done))
            yield answer.frames_done
        end = None if after is None else answer.body_state()
        while answer.frames_done < frames + overlap:
            answer.advance(STEP_FRAMES)
        walk, target = (yield from answer.finish_in_steps()), stage.request.target
        if target is not None:
            walk = yield from fit_walk.steps(walk, target, scale, 0.0, scene.ground)
        walk = replace(walk, clip=look_at(walk.clip, face_of(seen)))
        last = walk.clip.root_positions[frames - 1]
        place = last * [1, 1, 0] + [0, 0, stage.ground_below(last, level)]
        return MadePart(
            walk_performance(walk, walks.gaits, level),
            replace(
                situation,
                state=end,
                place=place,
                frame=situation.frame + frames,
                partner=None,
                balls=tuple(one.later(frames) for one in situation.balls),
            ),
            {self.part.number: BeatResult(0, frames - 1, "done")},
            overlap,
        )

    @property
    def _relation(self) -> Relation:
        """The relation to keep, in meters of the world."""
        answer = self.part.answer
        return Relation(answer.kind, answer.distance, answer.speed, answer.goal)

    def _frames(self, situation: Situation) -> int:
        """Return the number of frames of the answer, without those over which the next activity begins."""
        assert self._seen is not None
        rate, part = self.stage.walks.rate, self.part
        if part.until is not None:
            return round(part.until * rate) - situation.frame
        seconds = part.answer.seconds
        lasts = len(self._seen) - situation.frame if seconds is None else round(seconds * rate)
        return lasts + round(part.wait * rate)

    def _partner_from(self, situation: Situation, longer: int = 0) -> Clip:
        """Return the partner's motion during the answer and ``longer`` frames after it; its last pose is held."""
        seen = self._seen
        assert seen is not None
        at = np.minimum(situation.frame + np.arange(self._frames(situation) + longer), len(seen) - 1)
        return replace(seen, root_positions=seen.root_positions[at], rotations=seen.rotations[at])

    def _standing_state(self, situation: Situation) -> BodyState:
        """Return the state of a body that stands in a situation."""
        stage, place = self.stage, situation.place / self.stage.scale
        ground = stage.scene.scaled(1 / stage.scale).ground
        runtime = LocomotionRuntime(stage.walks, place[None, :2], [situation.yaw], [place[2]], [ground])
        if stage.request.seed:
            runtime.vary(0, stage.request.seed)
        return BodyState(runtime, (), float(place[2]))
