"""Sentences of a bake's report: corrections, gaps, seats out of reach, and beats that were skipped or late."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ....core.control.refine.back_rest import back_gap
from ....core.control.shot.outcome import BeatResult, TaskTake
from ....core.control.strike.strike_error import retimed
from ....core.message import Message
from ....core.rig.rig_map.roles import role_phrase
from ...animation.bake_report import QualityRow
from ...shot.clock import BakeClock

GAP_SENTENCES: Final = {
    "seat_gap": Message("The gap between the seat and the skin is {gap}"),
    "palm_gap": Message("The gap between the palms and the object is {gap}"),
}
"""Sentences about gaps between skin and objects, by measure."""
UNREACHED_REST_M: Final = 0.15
"""Least distance, meters, of a seated back from its backrest that is reported."""
LEAST_TOLD_M: Final = 0.01
"""Least correction by refinement that is reported, meters."""
LEAST_TOLD_S: Final = 0.2
"""Least delay of a beat that is reported, seconds."""


def moved_by_refinement(corrections: Mapping[str, float]) -> Iterator[Message]:
    """Yield a sentence about the corrections (by role, m) by which refinement moved the network's hips and hands."""
    hips = corrections.get("hips", 0.0)
    hands = max((far for role, far in corrections.items() if role != "hips"), default=0.0)
    far = {"hands": f"{100 * hands:.0f}", "hips": f"{100 * hips:.0f}"}
    if hands > LEAST_TOLD_M and hips > LEAST_TOLD_M:
        yield Message(
            "The generated motion was corrected so that it meets the objects: hands by up to {hands} cm, hips by "
            "{hips} cm",
            **far,
        )
    elif hands > LEAST_TOLD_M:
        yield Message(
            "The generated motion was corrected so that it meets the objects: hands by up to {hands} cm",
            hands=far["hands"],
        )
    elif hips > LEAST_TOLD_M:
        yield Message(
            "The generated motion was corrected so that it meets the objects: hips by {hips} cm", hips=far["hips"]
        )


def touch_gaps_of(rows: Mapping[str, QualityRow]) -> Iterator[Message]:
    """Yield a sentence about each measured gap between skin and objects."""
    yield from (Message(said, gap=rows[measure].value) for measure, said in GAP_SENTENCES.items() if measure in rows)


def unreached_rests(acts: Sequence[TaskTake], scale: float) -> Iterator[Message]:
    """Yield the seats whose backs are out of reach of a seated body.

    Args:
        acts: the tasks as they were done.
        scale: world meters per controller meter.
    """
    for act in acts:
        recording, refined = act.recording, act.refined
        for start, stop, number in recording.task_intervals():
            if recording.tasks[number].action != "sit" or recording.event_frame("reached", number) is None:
                continue
            frame, index = max(min(stop, len(refined.clip)) - 1, start), recording.tasks[number].object_index
            gap = back_gap(refined.clip, frame, refined.objects[frame][index], scale)
            if gap is not None and gap > UNREACHED_REST_M:
                yield Message(
                    "The back stays {distance} cm away from the backrest of '{name}', because the seat is "
                    "deeper than the thighs are long",
                    name=recording.objects[index].name,
                    distance=f"{100 * gap:.0f}",
                )


def in_scene(told: str, clock: BakeClock) -> Message:
    """Return a reason against a beat with frames of the scene, and with the name of the end effector."""
    told = retimed(told, clock.start_frame, clock.scene_rate / clock.rate)
    if "effector" not in told.fields:
        return told
    return Message(told.template, **told.fields | {"effector": role_phrase(told.fields["effector"])})


def skipped_beats(beats: Sequence[BeatResult], clock: BakeClock) -> Iterator[Message]:
    """Yield a sentence about each beat that was skipped, or ends late, with frames of the scene."""
    for number, one in enumerate(beats, start=1):
        if one.status != "done":
            reason = in_scene(one.reason, clock) or Message("the target cannot be reached")
            yield Message("Beat {number} was skipped: {reason}", number=number, reason=reason)
        elif one.late > LEAST_TOLD_S:
            yield Message("Beat {number} ends {late} s late", number=number, late=f"{one.late:.1f}")
        for note in one.notes:
            yield Message("Beat {number}: {note}", number=number, note=note)
