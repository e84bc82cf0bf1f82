"""Takes of lying down on the ground, staying and getting up: a walk, captured pieces, and a walk on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.root_frame import facing_direction, out_of_frame, root_track
from ....core.motion.rotations import Array, rotation_about_up
from ....core.scene.collider import Collider
from ...data.sources import ClipSource
from ..captured_goals import GoalTimes
from ..lie_motion import TOUCHING, LiePiece, find_ways, raise_hands
from ..sit_motion import ACTION_BLEND_FRAMES
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import (
    assemble_approach,
    draw_placement_error,
    draw_turn_away,
    trim_walk,
    with_rest_phase,
)
from ..take_labels import TakeAction, label_take, locomotion_actions
from ..walk_library import WalkLibrary

STAY_FRAMES: Final = (160, 260)
"""Range of the duration of lying in a take, as far as captured lying lasts."""
SETTLING_FRAMES: Final = 95
"""Least frames of the rest in which a body lay down: its hands come to rest after its hips."""
LYING_BLEND_FRAMES: Final = 60
"""Frames over which a body shifts from how it lay down to how another captured one lies and gets up."""
MIRRORED_SHARE: Final = 0.5
"""Share of takes that are mirror images."""
LYING_SPACE_M: Final = (0.9, 1.9, 0.4)
"""Width, length and height of the space that a lying body takes up."""


@dataclass(frozen=True, slots=True)
class _LieFrames:
    """Events of a take: the body begins to go down, lies, begins to get up, stands.

    Attributes:
        down, up: frames between which the body lies down, lies and gets up.
        settled, rises: frames between which it lies.
        phase: first and last frame of the phase of lying down, and of that of getting up.
        goal: displacement of the goal that the user set: to the right and ahead, m, and its turn, rad.
        goal_times: times of the goal that the user set.
    """

    down: int
    settled: int
    rises: int
    up: int
    phase: tuple[int, int, int, int]
    goal: tuple[float, float, float]
    goal_times: GoalTimes


def make_lie_take(
    pieces: Sequence[LiePiece], walk_library: WalkLibrary, source: ClipSource, seed: int
) -> InteractionTake | None:
    """Return a take of lying down on the ground, staying, getting up and leaving.

    Args:
        pieces: captured motions, of which some lead from standing to lying and others back.
        walk_library: walks to and from the place.
        source: source of the motion.
        seed: seed of the take.

    Returns:
        ``None`` if the pieces do not lead down and up again.
    """
    generator = np.random.default_rng([seed, 6])
    if generator.random() < MIRRORED_SHARE:
        pieces = [one.mirrored() for one in pieces]
    ways_down, ways_up = find_ways(pieces, "stand", "lie"), find_ways(pieces, "lie", "stand")
    if not ways_down or not ways_up:
        return None
    downward, upward = (ways[int(generator.integers(len(ways)))] for ways in (ways_down, ways_up))
    stay = int(generator.integers(*STAY_FRAMES))
    first_stay = max(stay // 2, SETTLING_FRAMES)
    made = assemble_approach(walk_library, generator)
    touches: list[tuple[int, LiePiece]] = []
    for number, piece in enumerate(downward):
        shown = piece.with_lying(first_stay)
        at = made.go_on(shown.motion) if number else made.append(shown.motion, *draw_placement_error(generator))
        touches.append((at, shown))
    settled = len(made) - touches[-1][1].lying_frames
    for number, piece in enumerate(upward):
        shown = piece.with_lying(stay - first_stay)
        at = made.go_on(shown.motion) if number else made.lie_on(shown.motion, LYING_BLEND_FRAMES)
        touches.append((at, shown))
    made.append(trim_walk(walk_library.draw(generator), generator), draw_turn_away(generator))

    clip = raise_hands(made.locked_clip(walk_library.model))
    contacts = np.zeros((len(clip), 5))
    for at, piece in touches:
        contacts[at : at + len(piece), : len(TOUCHING)] = piece.touches
    events = _events(touches[: len(downward)], touches[len(downward) :], settled)
    return _label_lie(clip, events, contacts, made.steps, generator, seed, source)


def _events(down: Sequence[tuple[int, LiePiece]], up: Sequence[tuple[int, LiePiece]], settled: int) -> _LieFrames:
    """Return the events of a take of pieces that lead down and up again, each with its first frame in the take.

    Args:
        down: pieces from standing to lying.
        up: pieces from lying to standing.
        settled: frame from which the body lies.
    """
    (begins, first), (lies, last), (rises, first_up), (ends, last_up) = down[0], down[-1], up[0], up[-1]
    return _LieFrames(
        begins + first.marks.action[0],
        settled,
        rises + first_up.lying_frames,
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


def _label_lie(
    clip: Clip,
    events: _LieFrames,
    contacts: Array,
    steps: Sequence[range],
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return the labeled take; the goal is where the hips lie, in the direction of the head."""
    count, track = len(clip), root_track(clip)
    lies = np.interp(
        np.arange(count),
        [events.down - ACTION_BLEND_FRAMES, events.down, events.up - ACTION_BLEND_FRAMES, events.up],
        [0.0, 1.0, 1.0, 0.0],
    )
    actions = locomotion_actions(clip, lies)
    actions[:, ACTIONS.index("lie")] = lies
    until = max(events.rises - int(generator.integers(5, 40)), events.settled + 1)
    until = events.goal_times.end(events.up, until)
    right, ahead, turn = events.goal
    own = np.array(track.yaws[events.settled])
    place = np.append(track.positions[events.settled] + out_of_frame(np.array([right, ahead]), own), 0.0)
    yaw = own + turn
    phase = with_rest_phase(label_clip(clip).phase, events.phase)
    width, length, height = LYING_SPACE_M
    space = TakeObject(
        "lying body",
        "obstacle",
        Collider(np.array([[-width / 2, -length / 2, 0.0]]), np.array([[width / 2, length / 2, height]])),
        np.tile(place, (count, 1)),
        np.tile(rotation_about_up(yaw), (count, 1)),
    )
    done = TakeAction(
        "lie down",
        "lie",
        until,
        actions,
        contacts,
        phase,
        frame_origins(count, [range(events.down, events.up)], steps),
        place=(place, facing_direction(yaw)),
        taken=(space,),
        command_frame=events.goal_times.begin(events.down),
    )
    return label_take(clip, done, (), generator, seed, source)
