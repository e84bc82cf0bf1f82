"""A shot: beats in one motion, each continuing from the last pose of the one before.

The locomotion controller walks over any ground to the start of a task; there the interaction controller takes over in
mid-step, at the current ground level, and hands the body back once the character walks away.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from ...errors import FootfallError
from ...models.model_file import ControllerModel
from ..performance import Performance
from ..performance.seam import joined
from ..runtime.handover import require_same_body
from .acting import Acting
from .activity import Activity, Situation, Stage
from .beats import TaskPart, WaitBeat, WalkPart, parts_of
from .memo import ShotMemo, first_key, part_key
from .outcome import Act, BeatResult, Shot
from .request import ShotRequest
from .tracks import alike
from .walking import Walking


class ShotRollout:
    """A shot in progress.

    Args:
        walks: the locomotion controller.
        acts: the interaction controller.
        request: the requested beats and their scene.
        memo: finished parts of an earlier version; it keeps those of this one.

    Raises:
        FootfallError: the controllers move different bodies.
    """

    def __init__(
        self, walks: ControllerModel, acts: ControllerModel, request: ShotRequest, memo: ShotMemo | None = None
    ) -> None:
        require_same_body(walks, acts)
        self._stage = Stage(walks, acts, request)
        place = np.asarray(request.position, dtype=float)
        self._situation = Situation(None, place, request.yaw, tuple(request.objects))
        self._made: Performance | None = None
        self._results: dict[int, BeatResult] = {}
        self._leaves: dict[int, int] = {}
        self._seams: list[int] = []
        self._overlap = 0  # frames at the end in which the next motion begins
        self._acts_done: list[Act] = []
        self._memo = ShotMemo() if memo is None else memo
        self._memo.begin(self._stage)
        self._key = first_key(self._stage)
        self._work = self._perform()

    @property
    def frames_done(self) -> int:
        """Number of finished frames."""
        return 0 if self._made is None else len(self._made) - self._overlap

    @property
    def so_far(self) -> Performance | None:
        """The motion of the finished parts; ``None`` before the first one."""
        return self._made

    @property
    def beats_so_far(self) -> Mapping[int, BeatResult]:
        """The outcome of each finished beat but waits, by number."""
        return self._results

    @property
    def beats_done(self) -> int:
        """Number of beats done or left out."""
        return len(self._results)

    def advance(self) -> bool:
        """Do one piece of the work; return whether any is left."""
        return next(self._work, None) is not None

    def finish(self) -> Shot:
        """Return the shot.

        Raises:
            FootfallError: no beat could be done.
        """
        if self._made is None:
            reasons = [one.reason for one in self._results.values() if one.reason]
            raise FootfallError("{reason}", reason=reasons[0]) if reasons else FootfallError("The shot has no beats")
        made = replace(self._made, origins=None)
        return Shot(made, tuple(self._all_results()), tuple(self._seams), tuple(self._acts_done))

    def _all_results(self) -> list[BeatResult]:
        """Return the outcome of each beat; a wait spans from the end of its task or walk until the character leaves."""
        results: list[BeatResult] = []
        run = -1
        for number, beat in enumerate(self._stage.request.beats):
            if number in self._results:
                run = number
                results.append(self._results[number])
            elif isinstance(beat, WaitBeat) and results:
                before = results[-1]
                waits = round(beat.seconds * self._stage.walks.rate)
                first = max(self._leaves.get(run, before.last) - waits, before.first)
                results[-1] = replace(before, last=max(first - 1, before.first))
                results.append(replace(before, first=first, corrections={}))
        return results

    def _perform(self) -> Iterator[int]:
        """Make the motion of all parts in order; yield the number of finished frames."""
        activities = [self._activity_of(part) for part in parts_of(self._stage.request.beats)]
        for activity, after in zip(activities, [*activities[1:], None], strict=True):
            try:
                activity.check(self._situation)
                if activity.is_far(self._situation):
                    yield from self._do(Walking(self._stage, WalkPart(())), activity)
                yield from self._do(activity, after)
            except FootfallError as error:
                here = self.frames_done
                self._results |= {number: BeatResult(here, here, "left out", str(error)) for number in activity.numbers}
        self._memo.end()

    def _activity_of(self, part: WalkPart | TaskPart) -> Activity:
        """Return the activity that does a part."""
        return Walking(self._stage, part) if isinstance(part, WalkPart) else Acting(self._stage, part)

    def _do(self, activity: Activity, after: Activity | None) -> Iterator[int]:
        """Do an activity; yield the number of finished frames."""
        first = self.frames_done
        near = activity.near(self._situation, after)
        before, self._key = self._key, part_key(self._key, activity, self._situation, after, near)
        made = self._memo.find(self._key)
        if made is None:
            made = yield from activity.begin(self._situation, after, self._memo.begun_alike(before))
        self._memo.keep(before, self._key, made)
        self._append(made.performance)
        pairs = enumerate(zip(made.end.objects, self._situation.objects, strict=True))
        objects = tuple(new if at in near else old for at, (new, old) in pairs)  # those far away may have been moved
        self._situation, self._overlap = replace(made.end, objects=objects), made.overlap
        self._results |= {
            number: replace(one, first=first + one.first, last=first + one.last) for number, one in made.results.items()
        }
        self._leaves |= {number: first + frame for number, frame in made.leaves.items()}
        self._acts_done += [replace(one, first=first + one.first) for one in made.acts]

    def _append(self, made: Performance) -> None:
        """Join a motion to those before it."""
        if self._made is None:
            self._made = made
            return
        before, after = alike(self._made, made)
        overlap = min(self._overlap, len(after))
        self._seams.append(len(before) - overlap)
        self._made = joined(before, after, self._stage.scene.ground, overlap)
