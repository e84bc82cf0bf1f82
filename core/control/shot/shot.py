"""A shot: a character's beats in one motion, each continuing from the last pose of the previous one.

The locomotion controller walks over any ground to the start of a task. There the interaction controller takes over in
mid-step, at the current ground level, and hands the body back once the character walks away.
"""

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace

import numpy as np

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ...motion import Clip
from ...motion.fingers import with_hands_during
from ...motion.rotations import length
from ...motion.weapons import tip_place
from ..pair.partner_dance import DanceSource
from ..performance import ObjectTrack, Performance
from ..performance.seam import joined
from ..runtime.handover import require_same_body
from .acting import Acting
from .activity import Activity, MadePart, Situation, Stage, Step
from .answering import Answering
from .ball_pass import BallPass
from .balls import held_ball
from .beats import BallBeat, DribbleBeat, StrikeBeat, WaitBeat
from .draft import Draft
from .dribbling import Dribbling
from .enacting import Enacting
from .encounter import Member
from .meeting import Meeting
from .memo import ShotMemo, first_key, part_key
from .outcome import BeatResult, Shot, TaskTake
from .parts import BEFORE, ActPart, AnswerPart, BallPart, MeetingPart, TaskPart, WalkPart, parts_of
from .playing import Playing
from .request import ShotRequest
from .striking import Striking
from .tracks import alike, settled
from .walking import Walking


class ShotRollout:
    """A shot in progress.

    Attributes:
        stage: controllers and request.
        is_done: True once all beats are finished or skipped.
        key: checksum of everything that the motion finished so far depends on.

    Args:
        walks: the locomotion controller, or ``acts`` again if there is none with the same body: the interaction
            controller then walks to its tasks by itself, on level ground.
        acts: the interaction controller.
        request: the requested beats and their scene.
        strikes: the controller that strikes; without one, strikes are skipped.
        memo: finished parts of an earlier version of the shot, for reuse; it is updated with the new ones.
        dribbles: the controller that dribbles, which may have another body; without one, dribbles are skipped.
        dances: controller and figures of a dance of two characters; without them, dances are skipped.
        member: the character as a member of a cast, whose shots are made together; ``None`` for a shot by itself.

    Raises:
        FootfallError: the controllers move different bodies.
    """

    def __init__(
        self,
        walks: ControllerModel,
        acts: ControllerModel,
        request: ShotRequest,
        strikes: ControllerModel | None = None,
        memo: ShotMemo | None = None,
        dribbles: ControllerModel | None = None,
        dances: DanceSource | None = None,
        member: Member | None = None,
    ) -> None:
        require_same_body(walks, acts)
        request = request.rounded()
        self.stage, self.is_done = Stage(walks, acts, request, strikes, dribbles, dances), False
        self._drafts: list[Draft] = []  # of the parts after the finished ones
        self._member = Member() if member is None else member
        objects, ground = tuple(request.objects), self.stage.scene.ground
        balls = tuple(one.on_ground(ground) for one in request.brought_balls)
        self._situation = Situation(None, request.position, request.yaw, objects, balls=balls)
        self._made: Performance | None = None
        self._results: dict[int, BeatResult] = {}
        self._leaves: dict[int, int] = {}
        self._seams: list[int] = []
        self._settling: list[tuple[int, ObjectTrack]] = []  # first frame and track
        self._overlap = 0  # frames at the end in which the next motion begins
        self._acts_done: list[TaskTake] = []
        self._hands: list[tuple[int, Clip]] = []  # each from a frame on
        self._memo = ShotMemo() if memo is None else memo
        self._memo.begin(self.stage, self._member.peers)
        self.key = first_key(self.stage)
        self._work = self._perform()

    @property
    def frames_done(self) -> int:
        """Number of finished frames, without the last ones, over which the next part's motion begins."""
        return 0 if self._made is None else len(self._made) - self._overlap

    @property
    def frames_drafted(self) -> int:
        """Number of frames that are finished or have a draft."""
        return max((one.first + one.count for one in self._drafts), default=self.frames_done)

    def draft(self, frame: int) -> Clip:
        """Return the drafted pose, world, at a frame of the shot after the finished ones, as a clip of one frame."""
        draft = [one for one in self._drafts if one.first <= frame][-1]
        return draft.pose(min(frame - draft.first, draft.count - 1))

    @property
    def so_far(self) -> Performance | None:
        """The motion of character and objects in the finished parts; ``None`` before the first one."""
        return None if self._made is None else self._settled(self._made)

    @property
    def clip_so_far(self) -> Clip | None:
        """The motion of the body in the finished parts; ``None`` before the first one."""
        return None if self._made is None else self._made.clip

    @property
    def beats_so_far(self) -> Mapping[int, BeatResult]:
        """The outcome of each finished beat except waits, by the beat's index."""
        return {number: one for number, one in self._results.items() if number != BEFORE}

    @property
    def beats_done(self) -> int:
        """Number of beats that are finished or skipped."""
        return len(self._results)

    def advance(self) -> bool:
        """Advance the shot by one step, and return whether any work remains."""
        for made in self._work:
            if isinstance(made, Draft):
                self._drafts = [one for one in self._drafts if one.first < made.first] + [made]
            return True
        return False

    def finish(self) -> Shot:
        """Return the finished shot.

        Raises:
            FootfallError: no beat could be done.
        """
        if self._made is None:
            reasons = [one.reason for one in self._results.values() if one.reason]
            raise (
                FootfallError("{reason}", reason=reasons[0])
                if reasons
                else FootfallError("The shot has no beats: add one")
            )
        made = self._made.cut(0, self.frames_done) if self._overlap else self._made
        made = self._settled(made)
        made = replace(made, clip=with_hands_during(made.clip, self._hands), origins=None)
        return Shot(made, tuple(self._with_misses(made)), tuple(self._seams), tuple(self._acts_done))

    def _settled(self, made: Performance) -> Performance:
        """Return a motion in which objects that were left moving come to rest."""
        for frame, track in self._settling:
            made = settled(made, frame, track)
        return made

    def _all_results(self) -> list[BeatResult]:
        """Return the outcome of each beat; a wait lasts from the end of its task or walk until the character leaves."""
        results: list[BeatResult] = []
        run = -1
        for number, beat in enumerate(self.stage.request.beats):
            if number in self._results:
                run = number
                results.append(self._results[number])
            elif isinstance(beat, WaitBeat) and results:
                before = results[-1]
                waits = round(beat.seconds * self.stage.walks.rate)
                first = max(self._leaves.get(run, before.last) - waits, before.first)
                results[-1] = replace(before, last=max(first - 1, before.first))
                results.append(replace(before, first=first, corrections={}))
        return results

    def _with_misses(self, made: Performance) -> Iterator[BeatResult]:
        """Yield the outcome of each beat.

        Those of strikes include the distance from the target in the finished motion.
        """
        up = np.array([0.0, 0.0, self.stage.request.rise])
        for beat, one in zip(self.stage.request.beats, self._all_results(), strict=True):
            if isinstance(beat, StrikeBeat) and one.blow is not None:
                place = tip_place(made.clip, one.blow, beat.effector, beat.tip) + up
                yield one.with_miss(float(length(place - beat.target)))
            else:
                yield one

    def _perform(self) -> Iterator[Step]:
        """Make the motion of all parts in order; yield what each :data:`.activity.Making` yields."""
        activities = self._activities()
        for activity, after in zip(activities, [*activities[1:], None], strict=True):
            if self._results.keys() >= set(activity.numbers):  # The previous activity has carried out these beats, too.
                continue
            try:
                activity.check(self._situation)
                parts, key = yield from self._approach(activity, self._situation, self.key)
                situation = parts[-1].end if parts else self._situation
                if isinstance(activity, Answering | Meeting):
                    for part in parts:  # The partner sees the arrival, even if the meeting then fails.
                        yield from self._append(part)
                    parts, self.key = [], key
                    yield from activity.gather(situation, key)
                made, key = yield from self._make(activity, situation, after, key)
                parts.append(made)
            except FootfallError as error:
                if isinstance(activity, Meeting):
                    activity.give_up(error)
                here = self.frames_done
                self._drafts = []
                self._results |= {number: BeatResult(here, here, "left out", str(error)) for number in activity.numbers}
                continue
            for part in parts:
                yield from self._append(part)
            self.key = key
            yield
        self._memo.end()
        self.is_done = True

    def _approach(
        self, activity: Activity, situation: Situation, key: bytes
    ) -> Generator[Step, None, tuple[list[MadePart], bytes]]:
        """Make what an activity needs before it: a ball in the hands or free hands, and the walk to it."""
        parts: list[MadePart] = []
        held = held_ball(situation.balls)
        if activity.ball not in (None, held):
            ball = BallBeat("pick_up", activity.ball) if held < 0 else BallBeat("put_down", held)
            taking = Playing(self.stage, BallPart(BEFORE, ball))
            taking.check(situation)
            parts, key = yield from self._approach(taking, situation, key)
            made, key = yield from self._make(taking, parts[-1].end if parts else situation, activity, key)
            parts, situation = [*parts, made], made.end
        if activity.is_far(situation):
            made, key = yield from self._make(Walking(self.stage, WalkPart(())), situation, activity, key)
            parts.append(made)
        return parts, key

    def _make(
        self, activity: Activity, situation: Situation, after: Activity | None, before: bytes
    ) -> Generator[Step, None, tuple[MadePart, bytes]]:
        """Make a part, or take it over from an earlier version, and return it with its checksum.

        Args:
            activity: activity that makes the part.
            situation: situation in which the part begins.
            after: the next activity.
            before: checksum of the previous part.
        """
        yield from self._member.let_others_go_on()
        if isinstance(activity, Walking):
            partner = after.part.partner if isinstance(after, Meeting) else ""
            activity = activity.among(self._member.others, situation, after, partner)
        near = activity.near(situation, after)
        key = part_key(before, activity, situation, after, near)
        made = self._memo.find(key)
        if made is None:
            yield
            made = yield from activity.begin(situation, after, self._memo.begun_alike(before))
        self._memo.keep(before, key, made)
        pairs = enumerate(zip(made.end.objects, situation.objects, strict=True))
        objects = tuple(new if at in near else old for at, (new, old) in pairs)  # those far away may have been moved
        tracks = {one.name for one in made.performance.objects}
        frames = made.end.frame - situation.frame
        balls = tuple(
            new if new.name in tracks else old.later(frames)
            for new, old in zip(made.end.balls, situation.balls, strict=True)
        )
        return replace(made, end=replace(made.end, objects=objects, balls=balls)), key

    def _activities(self) -> list[Activity]:
        """Return the activities of all parts."""
        made: list[Activity] = []
        for part in reversed(parts_of(self.stage.request.beats)):
            if isinstance(part, WalkPart):
                made.append(Walking(self.stage, part))
            elif isinstance(part, TaskPart):
                made.append(Acting(self.stage, part))
            elif isinstance(part, ActPart):
                made.append(Enacting(self.stage, part))
            elif isinstance(part, AnswerPart):
                made.append(Answering(self.stage, part, self._member))
            elif isinstance(part, MeetingPart):
                kind = BallPass if part.kind == "pass" else Meeting
                made.append(kind(self.stage, part, self._member))
            elif isinstance(part, BallPart):
                dribbles = isinstance(part.beat, DribbleBeat)
                made.append(Dribbling(self.stage, part) if dribbles else Playing(self.stage, part))
            else:
                after = made[-1] if made and part.wait == 0.0 else None
                made.append(Striking(self.stage, part, after if isinstance(after, Striking) else None))
        return made[::-1]

    def _append(self, part: MadePart) -> Generator[None, None, None]:
        """Append the motion of a part to the motion so far."""
        first, made = self.frames_done, part.performance
        played = {one.name for one in made.objects}
        balls = [one for one in self._situation.balls if one.name not in played and len(one.places)]
        made = replace(made, objects=(*made.objects, *(one.track(len(made)) for one in balls)))
        if self._made is not None:
            before, after = alike(self._made, made)
            overlap = min(self._overlap, len(after))
            made = yield from joined.steps(before, after, self.stage.scene.ground, overlap)
            yield
            self._seams.append(len(before) - overlap)
        self._results |= {number: one.later(first) for number, one in part.results.items()}
        self._leaves |= {number: first + frame for number, frame in part.leaves.items()}
        self._acts_done += [replace(one, first=first + one.first) for one in part.acts]
        self._hands += [] if part.hands is None else [(first, part.hands)]
        ends = first + len(part.performance) - part.overlap
        self._settling += [(ends, track) for track in part.settling]
        self._made, self._situation, self._overlap = made, part.end, part.overlap
        self._drafts = [one for one in self._drafts if one.first >= self.frames_done]  # of the part after it
