"""Takes of sitting down, staying and standing up: captured on a few seats, and brought onto any."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.control.refine.interaction_refinement import SEATED_HIP_HEIGHT_RATIO
from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.root_frame import root_track
from ....core.motion.rotations import Array, rotation_about_up
from ....core.motion.signals import runs_of
from ....core.scene.affordances import Seat
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ....core.scene.seat_detection import find_seat
from ...data.sources import ClipSource
from ..clip_stitching import ContactClip
from ..clip_transitions import cross_fade, find_transition
from ..clutter import is_clear
from ..props.prop_sampling import sample_prop
from ..props.seats import Chair
from ..take import InteractionTake, TakeObject
from ..take_assembly import MAX_POSITION_ERROR_M, TakeAssembly, assemble_approach
from ..take_labels import TakeAction, label_take, locomotion_actions
from ..walk_library import WalkLibrary

SINK_START_DEPTH_M: Final = 0.08
"""Metres below standing from which hips are on their way down or up."""
SETTLED_SPEED_M_S: Final = 0.12
"""Metres a second below which who sits has settled."""
MARGIN_FRAMES: Final = 200
"""Frames before somebody sits and after they sat that are kept."""
WALKING_SPEED_M_S: Final = 0.45
"""Metres a second above which somebody goes."""
MIN_SEATED_FRAMES: Final = 45
"""Frames that somebody sits, at least."""
APPROACH_WINDOW_FRAMES: Final = (165, 75)
"""Frames before hips are down from which a walk may go over into sitting down, and until which."""
NEAR_SEAT_FRAMES: Final = (320, 150)
"""Frames before hips are down and after they are up in which somebody is at the seat; else they keep away from it."""
SEAT_CLEARANCE_M: Final = 0.22
"""Metres between the root and the seat from those frames on."""
OVER_SEAT_FRAMES: Final = 45
"""Frames before hips are down and after they are up from which the root is no more over the seat."""
STANDING_WINDOW_FRAMES: Final = (70, 14)
"""Frames before hips are down from which somebody may stand before a seat, and until which."""
STEP_ROUND_SHARE: Final = 0.55
"""Share of those who come and stand before a seat, anyhow, and step round."""
LEAVING_WINDOW_FRAMES: Final = (25, 100)
"""Frames after hips are up from which standing up may go over into a walk, and until which."""
SINK_RATIO_RANGE: Final = (0.55, 1.6)
"""How far somebody may sink in a take, as shares of how far they sank when they were captured."""
STAY_FRAMES: Final = (60, 240)
"""Frames that somebody stays seated in a take."""
FURNITURE_KINDS: Final = ("chair", "chair", "chair", "stool", "stool", "sofa", "bench")
ACTION_BLEND_FRAMES: Final = 30
"""Frames over which an action goes over into another."""


@dataclass(frozen=True, eq=False)
class SitMotion:
    """A captured stretch in which somebody sits.

    Attributes:
        clip: the whole clip, hips over the world's origin while seated, facing +Y.
        down, settled: frames at which the hips have begun to sink, and are at rest.
        rises, up: frames at which they leave their rest, and are up again; ``up`` is the clip's length where it ends
            seated.
        standing, seated: heights of the hips, metres.
    """

    clip: Clip
    sink_start: int
    rest_start: int
    rest_end: int
    rise_end: int
    standing_height: float
    seated_height: float

    @property
    def shows_arrival(self) -> bool:
        """Whether somebody is seen to come and sit down."""
        return self.sink_start > APPROACH_WINDOW_FRAMES[1]

    @property
    def shows_departure(self) -> bool:
        """Whether somebody is seen to stand up and go."""
        return self.rise_end + LEAVING_WINDOW_FRAMES[0] < len(self.clip)


def find_sit_motions(clip: Clip) -> list[SitMotion]:
    """What a clip has of sitting."""
    track = root_track(clip)
    heights = clip.positions[:, clip.skeleton.joint("hips"), 2]
    standing = float(np.quantile(heights, 0.9))
    speed = gaussian_filter1d(np.linalg.norm(np.gradient(track.positions, axis=0), axis=1) * clip.rate, 6)
    found = []
    for start, stop in runs_of(heights < standing - SINK_START_DEPTH_M):
        still = np.flatnonzero(speed[start:stop] < SETTLED_SPEED_M_S)
        if len(still) == 0 or still[-1] - still[0] < MIN_SEATED_FRAMES:
            continue
        settled, rises = int(start + still[0]), int(start + still[-1])
        rest = slice(settled, rises)
        yaw = float(np.median(track.yaws[rest]))
        turned = clip.transformed(rotation_about_up(np.array(-yaw)), np.zeros(3))
        there = np.median(turned.positions[rest, clip.skeleton.joint("hips"), :2], axis=0)
        moved = turned.transformed(np.array([1.0, 0.0, 0.0, 0.0]), np.append(-there, 0.0))
        seated = float(np.median(heights[rest]))
        first, last = max(int(start) - MARGIN_FRAMES, 0), min(int(stop) + MARGIN_FRAMES, len(clip))
        frames = (frame - first for frame in (int(start), settled, rises, int(stop)))
        found.append(SitMotion(moved.cut(first, last), *frames, standing_height=standing, seated_height=seated))
    return found


def adapt_seat_height(motion: SitMotion, height: float) -> Clip:
    """Return the clip with the hips at another height while seated: as far as they sink, they sink to there."""
    clip = motion.clip
    hips = clip.positions[:, clip.skeleton.joint("hips")].copy()
    sunk = np.clip((motion.standing_height - hips[:, 2]) / (motion.standing_height - motion.seated_height), 0.0, None)
    hips[:, 2] += sunk * (height - motion.seated_height)
    # Whoever sits lower leans forward more on the way; the feet stay where they are.
    return solve_full_body_ik(clip, [EffectorGoal("hips", hips, np.clip(sunk / 0.05, 0.0, 1.0))])


def make_sit_take(
    sit_motions: Sequence[SitMotion],
    walk_library: WalkLibrary,
    source: ClipSource,
    seed: int,
    varied: bool = True,
) -> InteractionTake | None:
    """Somebody comes, sits down on a piece of furniture, stays, stands up and goes; ``None`` where they would have to
    walk through it, or nobody was captured on a seat nearly so high.

    Args:
        sit_motions: what was captured, of people who come and of people who go.
        walk_library: walks to and from the seat.
        source: whose motion it is.
        seed: draws everything.
        varied: whether seats are of many kinds and sizes; else all are one chair.
    """
    generator = np.random.default_rng([seed, 1])
    collider, seat = draw_seat(generator, varied)
    height = float(seat.position[2]) + SEATED_HIP_HEIGHT_RATIO * sit_motions[0].clip.skeleton.leg_length
    able = [
        one
        for one in sit_motions
        if SINK_RATIO_RANGE[0]
        < (one.standing_height - height) / (one.standing_height - one.seated_height)
        < SINK_RATIO_RANGE[1]
    ]
    those_who_come, those_who_go = (
        [one for one in able if one.shows_arrival],
        [one for one in able if one.shows_departure],
    )
    if not those_who_come or not those_who_go:
        return None
    comes, goes = _draw_motion(those_who_come, generator), _draw_motion(those_who_go, generator)
    coming, going = adapt_seat_height(comes, height), adapt_seat_height(goes, height)
    walk_in, walk_out = assemble_approach(walk_library, generator), walk_library.draw(generator)
    first, switch, shift = _assemble_arrival(walk_in, coming, comes.sink_start, generator)
    down, settled, rises = comes.sink_start + shift, comes.rest_start + shift, comes.rest_end + shift

    stay = int(generator.integers(*STAY_FRAMES))
    held = min(settled + stay, rises - 15)
    across = find_transition(
        first, going, range(held - 10, held + 10), range(goes.rest_start, max(goes.rest_end - 20, goes.rest_start + 1))
    )
    middle, over = cross_fade(first, going, across, moved_clip="second")
    shift = across.first_frame - across.second_frame
    rise, up = goes.rest_end + shift, goes.rise_end + shift

    onwards = find_transition(
        middle, walk_out, range(up + LEAVING_WINDOW_FRAMES[0], up + LEAVING_WINDOW_FRAMES[1]), range(12, 110)
    )
    whole, leaves = cross_fade(middle, walk_out, onwards, moved_clip="second")
    hips = whole.positions[:, whole.skeleton.joint("hips")]
    rest = slice(settled, min(rise, over + 60))
    place, yaw = np.median(hips[rest, :2], axis=0), float(np.median(root_track(whole).yaws[rest]))
    thing = _place_seat(collider, seat, place, yaw, len(whole))
    begins, ends = max(down - NEAR_SEAT_FRAMES[0], 0), min(up + NEAR_SEAT_FRAMES[1], len(whole))
    before, after = range(begins, max(down - OVER_SEAT_FRAMES, 0)), range(min(up + OVER_SEAT_FRAMES, len(whole)), ends)
    if not is_clear(whole, thing, [*range(begins), *range(ends, len(whole))], SEAT_CLEARANCE_M):
        return None
    if not is_clear(whole, thing, [*before, *after], 0.02):
        return None
    events = _SitFrames(switch, down, settled, rise, up, leaves)
    return _label_sit(walk_library.with_locked_feet(whole), events, thing, generator, seed, source)


def _assemble_arrival(
    walk: TakeAssembly, sit_clip: Clip, sink_start: int, generator: np.random.Generator
) -> tuple[Clip, int, int]:
    """Somebody comes and sits down: the clip, the frame at which the captured part begins, and by how many frames that
    is later in it.

    Some walk up to the seat and turn round as they were captured, others stand anyhow before it and step round.
    """
    held = label_clip(sit_clip).foot_contacts.held
    before = range(max(sink_start - STANDING_WINDOW_FRAMES[0], 0), sink_start - STANDING_WINDOW_FRAMES[1])
    stands = [frame for frame in before if held[frame, :2].any() and held[frame, 2:].any()]
    if stands and generator.random() < STEP_ROUND_SHARE:
        turn, reach = (
            float(generator.uniform(-np.pi, np.pi)),
            generator.uniform(-MAX_POSITION_ERROR_M, MAX_POSITION_ERROR_M, 2),
        )
        seated = ContactClip(sit_clip, held).cut(stands[-1], len(sit_clip))
        begins = walk.append(seated, turn, (float(reach[0]), float(reach[1])))
        return walk.motion.clip, begins, begins - stands[-1]
    # Who stops before they sit down teaches to stop; walks go over into turning round while they still go.
    going = walk.motion.clip
    into = find_transition(
        going,
        sit_clip,
        last_walking_frames(going),
        range(max(sink_start - APPROACH_WINDOW_FRAMES[0], 0), sink_start - APPROACH_WINDOW_FRAMES[1]),
    )
    clip, switch = cross_fade(going, sit_clip, into)
    return clip, switch, into.first_frame - into.second_frame


def last_walking_frames(walk: Clip) -> range:
    """Return the last second and a half of a walk in which somebody still goes."""
    speed = np.linalg.norm(np.gradient(root_track(walk).positions, axis=0), axis=1) * walk.rate
    last = int(np.flatnonzero(gaussian_filter1d(speed, 6) > WALKING_SPEED_M_S)[-1])
    return range(max(last - 90, 0), last)


def draw_seat(generator: np.random.Generator, varied: bool) -> tuple[Collider, Seat]:
    """Return a piece of furniture to sit on."""
    while True:
        piece = (
            sample_prop(FURNITURE_KINDS[int(generator.integers(len(FURNITURE_KINDS)))], generator)
            if varied
            else Chair()
        )
        collider = Collider.from_mesh(*piece.mesh())
        seat = find_seat(collider)
        if seat is not None:
            return collider, seat


@dataclass(frozen=True, slots=True)
class _SitFrames:
    """Frames of a take: a walk goes over into what was captured, hips sink, rest, rise, are up; it walks on."""

    arrival: int
    sink_start: int
    rest_start: int
    rest_end: int
    rise_end: int
    departure: int


def _draw_motion(motions: list[SitMotion], generator: np.random.Generator) -> SitMotion:
    return motions[int(generator.integers(len(motions)))]


def _place_seat(collider: Collider, seat: Seat, place: Array, yaw: float, count: int) -> TakeObject:
    """Return the furniture under who sits at ``place`` (2) facing ``yaw``."""
    own = float(np.arctan2(-seat.direction[0], seat.direction[1]))
    turn = rotation_about_up(np.array(yaw - own))
    cosine, sine = np.cos(yaw - own), np.sin(yaw - own)
    x, y = seat.position[:2]
    position = np.array([place[0] - (cosine * x - sine * y), place[1] - (sine * x + cosine * y), 0.0])
    return TakeObject("seat", "seat", collider, np.tile(position, (count, 1)), np.tile(turn, (count, 1)))


def _label_sit(
    clip: Clip,
    events: _SitFrames,
    seat_object: TakeObject,
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return a take with all that is said of it."""
    count = len(clip)
    frames = np.arange(count)
    sits = np.interp(
        frames,
        [
            events.sink_start - ACTION_BLEND_FRAMES,
            events.sink_start,
            events.rise_end - ACTION_BLEND_FRAMES,
            events.rise_end,
        ],
        [0.0, 1.0, 1.0, 0.0],
    )
    actions = locomotion_actions(clip, sits)
    actions[:, ACTIONS.index("sit")] = sits
    begins = int(generator.integers(0, 45))
    until = max(events.rest_end - int(generator.integers(5, 40)), events.rest_start + 1)
    contacts = np.zeros((count, 5))
    contacts[max(events.rest_start - 10, 0) : events.rest_end + 10, 0] = 1.0
    built = (
        f"0 to {events.arrival}: walk by a controller",
        f"{events.arrival} to {events.departure}: captured, adapted to the seat",
        f"{events.departure} to {count}: walk by a controller",
    )
    phase = _sitting_phase(label_clip(clip).phase, events)
    done = TakeAction(f"sit on a {seat_object.name}", "sit", until, actions, contacts, phase, built)
    return label_take(clip, done, begins, (seat_object,), generator, seed, source)


def _sitting_phase(walking_phase: Array, events: _SitFrames) -> Array:
    """Return a phase (F) that goes on from strides into sitting down, which ends at 0, and from standing up into
    strides.
    """
    phase = np.unwrap(walking_phase, period=1.0)
    down, settled, rises, up = (
        events.sink_start - ACTION_BLEND_FRAMES,
        events.rest_start,
        events.rest_end,
        min(events.rise_end, len(walking_phase) - 1),
    )
    end = np.ceil(phase[down] + 0.5)
    result = walking_phase.copy()
    result[down : settled + 1] = np.linspace(phase[down], end, settled + 1 - down)
    result[settled : rises + 1] = 0.0
    target = walking_phase[up] if walking_phase[up] >= 0.5 else walking_phase[up] + 1.0
    result[rises : up + 1] = np.linspace(0.0, target, up + 1 - rises)
    return result % 1.0
