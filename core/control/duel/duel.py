"""A duel: finished motions of two or more characters, from a list of beats."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...errors import FootfallError
from ...jobs.steps import finished
from ...motion import Clip
from ...tuning import Tuning, tuned
from ..strike import exact_strike
from ..strike.fight import Fighter
from .beats import Beat, Duelist, require_beats
from .duel_refinement import meet_beats
from .duel_staging import Staging
from .weapon import armed


@dataclass(frozen=True, slots=True)
class DuelTuning(Tuning):
    max_parry: float = tuned(0.03, "m", 0.001, 0.2)
    """Largest distance between a striking end effector and the hand that parries it."""


TUNING: Final = DuelTuning()


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """The outcome of one beat of a duel.

    Attributes:
        beat: the beat.
        distance: distance at the beat's frame, meters: for a parry, between the striking end effector and the parrying
            hand, or between the two weapons; for a hit, from the end effector to the beat's point, or to the surface of
            the struck part (negative inside); for a dodge, the smallest distance around the beat between the striking
            limb and trunk, head or thighs.
    """

    beat: Beat
    distance: float

    def problem(self) -> FootfallError | None:
        """Return an error with the distance by which the strike or the answer fails; ``None`` if both succeed."""
        beat, miss = self.beat, f"{100 * abs(self.distance):.1f}"
        if beat.answer == "hit" and abs(self.distance) > exact_strike.TUNING.max_miss:
            return FootfallError(
                "The strike of {striker} at frame {frame} ends {miss} cm from the surface of {receiver}: "
                "strike another body part, or strike with another hand or foot",
                striker=beat.striker,
                frame=beat.frame,
                miss=miss,
                receiver=beat.receiver,
            )
        if beat.answer == "parry" and abs(self.distance) > TUNING.max_parry:
            return FootfallError(
                "The parry of {receiver} at frame {frame} misses the strike by {miss} cm: strike another body "
                "part, or strike with another hand or foot",
                receiver=beat.receiver,
                frame=beat.frame,
                miss=miss,
            )
        if beat.answer == "dodge" and self.distance < 0.0:
            return FootfallError(
                "{receiver} dodges the strike at frame {frame} too little, and is hit {miss} cm deep: allow more "
                "time before the strike, or choose a parry",
                receiver=beat.receiver,
                frame=beat.frame,
                miss=miss,
            )
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Duel:
    """A finished duel.

    Attributes:
        clips: motion of each character by name, equally long from frame 0, on the controllers' skeleton; the bone of a
            weapon, if any, is the last joint.
        meetings: outcome of each beat, in order of time.
    """

    clips: dict[str, Clip]
    meetings: tuple[Meeting, ...]


def stage_duel(fighter: Fighter, duelists: Sequence[Duelist], beats: Sequence[Beat]) -> Duel:
    """Return a finished duel, in which all characters carry out all beats.

    Args:
        fighter: the controllers that attack and walk.
        duelists: the characters.
        beats: the beats, in any order; frames at the controllers' rate.

    Raises:
        FootfallError: a beat cannot be met; the message gives the error and what to change.
    """
    require_beats(duelists, beats)
    staging = Staging(fighter, duelists, sorted(beats, key=lambda beat: beat.frame))
    clips = finished(staging.stage())
    clips |= {name: armed(clips[name], *blade) for name, blade in staging.blades.items()}
    clips, distances = finished(meet_beats(clips, staging.strikes))
    meetings = [Meeting(strike.beat, distance) for strike, distance in zip(staging.strikes, distances, strict=True)]
    for meeting in meetings:
        problem = meeting.problem()
        if problem is not None:
            raise problem
    return Duel(clips, tuple(meetings))
