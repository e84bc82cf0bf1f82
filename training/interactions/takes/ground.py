"""Takes of lying or sitting down on the ground and getting up: a walk, captured pieces, and another walk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.control.refine.ground_hands import raise_hands
from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.root_frame import facing_direction, out_of_frame, root_track
from ....core.motion.rotations import Array, rotation_about_up
from ....core.scene.collider import Collider
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from .. import sit_motion
from ..captured_goals import GoalTimes
from ..ground_motion import TOUCHING, GroundPiece, find_ways
from ..ground_rests import LYING, SITTING, GroundPosture
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import (
    assemble_approach,
    draw_placement_error,
    draw_turn_away,
    trim_walk,
    with_rest_phase,
)
from ..take_labels import TakeAction, action_weights, label_take, locomotion_actions
from ..walk_library import WalkLibrary


@dataclass(frozen=True, slots=True)
class GroundTuning(Tuning):
    rest_blend: int = tuned(60, "frames", 1, 600)
    """Frames of the blend from one piece, after going down, to the rest of another piece that gets up."""
    mirrored_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of takes that are mirror images."""


TUNING: Final = GroundTuning()


@dataclass(frozen=True, slots=True)
class GroundRest:
    """Settings of the takes of one posture on the ground.

    Attributes:
        posture: the posture on the ground.
        name: name of the activity for the user.
        stay_frames: range of the duration of the rest, frames; limited by captured rests.
        settling_frames: least frames of rest kept after going down, since hands come to rest after the hips.
        space: width, length and height of the space that the body needs, m.
        stream: number that selects the random stream of these takes.
    """

    posture: GroundPosture
    name: str
    stay_frames: tuple[int, int]
    settling_frames: int
    space: tuple[float, float, float]
    stream: int


LYING_REST: Final = GroundRest(LYING, "lie down", (160, 260), 95, (0.9, 1.9, 0.4), 6)
SITTING_REST: Final = GroundRest(SITTING, "sit on the ground", (120, 420), 70, (0.9, 1.3, 0.8), 8)
GROUND_RESTS: Final = {one.posture.action: one for one in (LYING_REST, SITTING_REST)}
"""Settings of the takes, by action on the ground."""


@dataclass(frozen=True, slots=True)
class _RestFrames:
    """Frames of a take: start of going down, rest, start of getting up, standing.

    Attributes:
        down, up: frames of the start of going down and the end of getting up.
        settled, rises: frames between which the body rests.
        phase: first and last frame of the phase of coming down, and of that of getting up.
        goal: displacement of the goal set by the user: right and ahead, m, and its turn, rad.
        goal_times: times of the goal set by the user.
    """

    down: int
    settled: int
    rises: int
    up: int
    phase: tuple[int, int, int, int]
    goal: tuple[float, float, float]
    goal_times: GoalTimes


def make_ground_take(
    rest: GroundRest, pieces: Sequence[GroundPiece], walk_library: WalkLibrary, source: ClipSource, seed: int
) -> InteractionTake | None:
    """Make a take of going down to the ground, staying there, getting up and leaving.

    Args:
        rest: settings of the posture.
        pieces: captured motions from standing to the posture, and back.
        walk_library: walks to and from the place.
        source: source of the motion.
        seed: seed of the take.

    Returns:
        The take, or ``None`` if the pieces do not lead down and up again.
    """
    generator = np.random.default_rng([seed, rest.stream])
    if generator.random() < TUNING.mirrored_share:
        pieces = [one.mirrored() for one in pieces]
    level = rest.posture.level
    ways_down, ways_up = find_ways(pieces, "stand", level), find_ways(pieces, level, "stand")
    if not ways_down or not ways_up:
        return None
    downward, upward = (ways[int(generator.integers(len(ways)))] for ways in (ways_down, ways_up))
    stay = int(generator.integers(*rest.stay_frames))
    first_stay = max(stay // 2, rest.settling_frames)
    made = assemble_approach(walk_library, generator)
    touches: list[tuple[int, GroundPiece]] = []
    for number, piece in enumerate(downward):
        shown = piece.resting_for(first_stay)
        at = made.go_on(shown.motion) if number else made.append(shown.motion, *draw_placement_error(generator))
        touches.append((at, shown))
    settled = len(made) - touches[-1][1].rest_frames
    for number, piece in enumerate(upward):
        shown = piece.resting_for(stay - first_stay)
        at = made.go_on(shown.motion) if number else made.rest_on(shown.motion, TUNING.rest_blend)
        touches.append((at, shown))
    made.append(trim_walk(walk_library.draw(generator), generator), draw_turn_away(generator))

    clip = raise_hands(made.locked_clip(walk_library.model))
    contacts = np.zeros((len(clip), 5))
    for at, piece in touches:
        contacts[at : at + len(piece), : len(TOUCHING)] = piece.touches
    events = _events(touches[: len(downward)], touches[len(downward) :], settled)
    action = _rest_action(rest, clip, events, contacts, made.steps, generator)
    return label_take(clip, action, (), generator, seed, source)


def _events(
    down: Sequence[tuple[int, GroundPiece]], up: Sequence[tuple[int, GroundPiece]], settled: int
) -> _RestFrames:
    """Return the frames of the events in a take that goes down to the ground and up again.

    Args:
        down: first frame in the take and piece of each step from standing to the ground.
        up: the same from the ground to standing.
        settled: frame from which the body rests.
    """
    (begins, first), (lies, last), (rises, first_up), (ends, last_up) = down[0], down[-1], up[0], up[-1]
    return _RestFrames(
        begins + first.marks.action[0],
        settled,
        rises + first_up.rest_frames,
        ends + last_up.marks.action[1],
        (
            begins + first.marks.phase[0],
            lies + last.marks.phase[1],
            rises + first_up.marks.phase[0],
            ends + last_up.marks.phase[1],
        ),
        last.marks.goal,
        GoalTimes(first.marks.goal_times.lead, last_up.marks.goal_times.tail),
    )


def _rest_action(
    rest: GroundRest,
    clip: Clip,
    events: _RestFrames,
    contacts: Array,
    steps: Sequence[range],
    generator: np.random.Generator,
) -> TakeAction:
    """Return the action of a resting take; its goal is where the hips rest, facing as the body does."""
    count, track = len(clip), root_track(clip)
    blend = sit_motion.TUNING.action_blend
    rests = action_weights(count, (events.down - blend, events.down), (events.up - blend, events.up))
    actions = locomotion_actions(clip, rests)
    actions[:, ACTIONS.index(rest.posture.action)] = rests
    until = max(events.rises - int(generator.integers(5, 40)), events.settled + 1)
    until = events.goal_times.end(events.up, until)
    right, ahead, turn = events.goal
    own = np.array(track.yaws[events.settled])
    place = np.append(track.positions[events.settled] + out_of_frame(np.array([right, ahead]), own), 0.0)
    yaw = own + turn
    phase = with_rest_phase(label_clip(clip).phase, events.phase)
    width, length, height = rest.space
    space = TakeObject(
        "resting body",
        "obstacle",
        Collider(np.array([[-width / 2, -length / 2, 0.0]]), np.array([[width / 2, length / 2, height]])),
        np.tile(place, (count, 1)),
        np.tile(rotation_about_up(yaw), (count, 1)),
    )
    return TakeAction(
        rest.name,
        rest.posture.action,
        until,
        actions,
        contacts,
        phase,
        frame_origins(count, [range(events.down, events.up)], steps),
        place=(place, facing_direction(yaw)),
        taken=(space,),
        command_frame=events.goal_times.begin(events.down),
    )
