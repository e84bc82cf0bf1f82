"""Meetings in a shot: two partners come to one place, and begin a fight or dance there at the same frame."""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import FootfallError
from ...labelling import Labels, label_clip
from ...motion import Clip
from ...motion.root_frame import root_track, yaw_of
from ...motion.rotations import IDENTITY, Array, length, wrap_angle
from ...retarget.retarget import retarget
from ..performance import Performance
from ..performance.seam import TUNING as SEAM
from ..runtime.pose_decoder import standing_clip
from ..strike.guard_steps import settle_into, step_over
from .activity import STEP_FRAMES, TUNING, Activity, Destination, MadePart, Making, Situation, Stage
from .encounter import (
    MEETING,
    READY_S,
    Arrival,
    Encounter,
    Member,
    Outcome,
    PairMotion,
    Stand,
    root_of,
    standing_of,
)
from .outcome import BeatResult
from .parts import MeetingPart


class Meeting:
    """A fight or dance with a partner as a part of a shot.

    Args:
        stage: the shot's stage.
        part: the meeting.
        member: the character as a member of its cast.
    """

    def __init__(self, stage: Stage, part: MeetingPart, member: Member) -> None:
        self.stage, self.part, self.member = stage, part, member

    @property
    def numbers(self) -> tuple[int, ...]:
        """Indices, in the shot, of the meeting's beats."""
        return tuple(number for number, _ in self.part.beats)

    @property
    def encounter(self) -> Encounter[Any]:
        """The meeting in progress that both partners share."""
        return self.member.encounters[self.numbers[0]]

    @property
    def _side(self) -> int:
        """Index of this character among both, 0 or 1."""
        return self.encounter.pairing.names.index(self.member.name)

    @property
    def ball(self) -> int:
        """Index of the held ball: always -1, since partners meet with free hands."""
        return -1

    def inputs(self, situation: Situation) -> object:
        """Return the inputs that determine the motion: the meeting, and the inputs of both partners' joint motion."""
        return self.part, self.encounter.inputs

    def near(self, situation: Situation, after: Activity | None) -> tuple[int, ...]:
        """Return an empty tuple: a meeting avoids no objects."""
        return ()

    def check(self, situation: Situation) -> None:
        """Raise :class:`FootfallError` if walk controller or partner is missing, or the meeting is impossible."""
        self.stage.require_walker()
        self.member.require_partner(self.part.partner)
        self.encounter.script.require()

    def is_far(self, situation: Situation) -> bool:
        """Return whether the character must first walk to its position in the meeting, or turn to its partner."""
        (position, yaw), stand, partner = root_of(situation, self.stage), self._stand, self._partner_stand
        away = float(length(self.stage.scale * position - stand.place))
        turn = float(wrap_angle(yaw_of(partner.place - stand.place) - yaw))
        return away > MEETING.near * self.stage.scale or abs(turn) > MEETING.beside

    def destination(self, situation: Situation) -> Destination:
        """Return the character's position in the meeting, faced toward the partner."""
        stand, level = self._stand.place, float(situation.place[2])
        ground = self.stage.ground_below(np.append(stand, level + TUNING.same_level), level)
        return Destination(stand, ground, faced=self._partner_stand.place, is_exact=True)

    def heading(self, situation: Situation, here: Array) -> Array:
        """Return the character's position (2) in the meeting, meters, world."""
        return self._stand.place

    def gather(self, situation: Situation, key: bytes) -> Generator[int, None, None]:
        """Register this character's arrival, and wait for the partner.

        Args:
            situation: the situation at the arrival.
            key: checksum of this character's shot so far.

        Raises:
            FootfallError: the partner cannot arrive.
        """
        yield from self.encounter.come(self.member.name, Arrival(self.stage, situation, key))

    def give_up(self, error: FootfallError) -> None:
        """Cancel the meeting with an error, so that the partner's shot skips it, too."""
        if self.numbers[0] in self.member.encounters:
            self.encounter.fail(error)

    def begin(self, situation: Situation, after: Activity | None, earlier: MadePart | None = None) -> Making:
        """Make this character's share of the joint motion; call :meth:`gather` first, which waits for the partner."""
        encounter, stage, level = self.encounter, self.stage, float(situation.place[2])
        rate, side = stage.walks.rate, self._side
        stands, frames = encounter.stood(self.member.name), encounter.start - situation.frame
        while stands.frames_done < frames:
            stands.advance(min(STEP_FRAMES, frames - stands.frames_done))
            yield stands.frames_done
        pair: PairMotion = yield from encounter.perform()
        clip = pair.clips[side]
        track = root_track(clip)
        recovers = round((READY_S + self._wait(situation, frames + len(clip))) * rate)
        overlap = 0 if after is None else round(SEAM.overlap * rate)
        position, yaw = track.positions[-1] / stage.scale, float(track.yaws[-1])
        rests = standing_of(stage, position, yaw, level, recovers + overlap)
        rests.advance(recovers)
        state, (position, yaw) = None if after is None else rests.body_state(), rests.root
        rests.advance(overlap)
        whole = step_over(stands.fitted(stage.request.target), clip)
        yield len(whole)
        whole = settle_into(whole, rests.fitted(stage.request.target), READY_S)
        yield len(whole)
        done = len(whole) - overlap
        return MadePart(
            self._performance(whole, pair.labels[side], frames, level),
            Situation(
                state,
                np.append(stage.scale * position, level),
                yaw,
                situation.objects,
                frame=situation.frame + done,
                balls=tuple(one.later(done) for one in situation.balls),
                partner=root_track(pair.clips[1 - side].cut(len(clip) - 1, len(clip))).positions[0],
            ),
            dict(self._results(pair.outcomes[side], frames, done)),
            overlap,
            {self.numbers[-1]: done},
        )

    @property
    def _stand(self) -> Stand:
        return self.encounter.script.stands[self._side]

    @property
    def _partner_stand(self) -> Stand:
        return self.encounter.script.stands[1 - self._side]

    def _wait(self, situation: Situation, frames: int) -> float:
        """Return how long the character stands after a number of frames of the meeting, seconds."""
        if self.part.until is None:
            return self.part.wait
        return max(self.part.until - (situation.frame + frames) / self.stage.walks.rate - READY_S, 0.0)

    def _performance(self, whole: Clip, own: Labels, first: int, level: float) -> Performance:
        """Return the performance of a whole meeting, given the labels of the motion of both from a frame on."""
        labels = label_clip(whole)
        actions = labels.actions.copy()
        actions[first : first + len(own.actions)] = own.actions
        up, standing = np.array([0.0, 0.0, level]), standing_clip(self.stage.walks)
        target = self.stage.request.target
        return Performance(
            whole.transformed(IDENTITY, up),
            replace(labels, actions=actions, ground=level, goals=None),
            standing if target is None else standing and retarget(standing, target),
        )

    def _results(self, outcomes: Mapping[int, Outcome], first: int, frames: int) -> Iterator[tuple[int, BeatResult]]:
        """Yield the number and the outcome of each beat, which lasts until the next one begins."""
        starts = [0, *(first + outcomes[number].first for number in self.numbers[1:]), frames]
        for at, number in enumerate(self.numbers):
            one = outcomes[number]
            blow = None if one.blow is None else first + one.blow
            yield number, BeatResult(starts[at], starts[at + 1] - 1, "done", blow=blow, miss=one.miss, blade=one.blade)
