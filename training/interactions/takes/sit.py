"""Takes of sitting down, staying and standing up: captured on a few seats, and adapted to any."""

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
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import MAX_POSITION_ERROR_M, TakeAssembly, assemble_approach
from ..take_labels import IDLE_WALK_SPEEDS_M_S, TakeAction, label_take, locomotion_actions
from ..walk_library import WalkLibrary

SINK_START_DEPTH_M: Final = 0.08
"""Depth below standing at which the hips begin to sink, or have risen."""
SETTLED_SPEED_M_S: Final = 0.12
"""Root speed below which a seated character rests."""
MARGIN_FRAMES: Final = 200
"""Frames that are kept before the hips sink and after they have risen."""
WALKING_SPEED_M_S: Final = IDLE_WALK_SPEEDS_M_S[1]
"""Root speed above which the character walks."""
MIN_SEATED_FRAMES: Final = 45
"""Smallest duration of sitting."""
APPROACH_WINDOW_FRAMES: Final = (165, 75)
"""First and last frame, before the hips sink, at which a walk may change over to sitting down."""
NEAR_SEAT_FRAMES: Final = (320, 150)
"""Frames before the hips sink and after they have risen in which the character is near the seat."""
SEAT_CLEARANCE_M: Final = 0.22
"""Clearance between root and seat outside of those frames."""
OVER_SEAT_FRAMES: Final = 45
"""Frames before the hips sink and after they have risen beyond which the root is not over the seat."""
STANDING_WINDOW_FRAMES: Final = (70, 14)
"""First and last frame, before the hips sink, at which the character may stand before the seat."""
STEP_ROUND_SHARE: Final = 0.55
"""Share of arrivals at a random yaw before the seat, with steps to turn around."""
LEAVING_WINDOW_FRAMES: Final = (25, 100)
"""First and last frame, after the hips have risen, at which standing up may change over to a walk."""
SINK_RATIO_RANGE: Final = (0.55, 1.6)
"""Range of the hips' sink as a ratio of the captured one."""
STAY_FRAMES: Final = (60, 240)
"""Range of the duration of sitting in a take."""
FURNITURE_KINDS: Final = ("chair", "chair", "chair", "stool", "stool", "sofa", "bench")
"""Kinds of seats that are drawn from."""
ACTION_BLEND_FRAMES: Final = 30
"""Frames over which one action changes over to another."""


@dataclass(frozen=True, eq=False)
class SitMotion:
    """A captured motion of sitting.

    Attributes:
        clip: the motion; the hips rest over the origin, facing +Y.
        sink_start, rest_start: frames at which the hips begin to sink, and rest.
        rest_end, rise_end: frames at which the rest ends, and the hips have risen; ``rise_end`` is the clip's length if
            it ends seated.
        standing_height, seated_height: heights of the hips, m.
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
        """True if the motion includes the arrival."""
        return self.sink_start > APPROACH_WINDOW_FRAMES[1]

    @property
    def shows_departure(self) -> bool:
        """True if the motion includes the departure."""
        return self.rise_end + LEAVING_WINDOW_FRAMES[0] < len(self.clip)


def find_sit_motions(clip: Clip) -> list[SitMotion]:
    """Return the motions of sitting in a clip."""
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
    """Return the motion with the hips at another seated height, m, by full-body IK (NSM section 5.2)."""
    clip = motion.clip
    hips = clip.positions[:, clip.skeleton.joint("hips")].copy()
    sunk = np.clip((motion.standing_height - hips[:, 2]) / (motion.standing_height - motion.seated_height), 0.0, None)
    hips[:, 2] += sunk * (height - motion.seated_height)
    # With a lower seat the trunk leans forward more; the feet stay.
    return solve_full_body_ik(clip, [EffectorGoal("hips", hips, np.clip(sunk / 0.05, 0.0, 1.0))])


def make_sit_take(
    sit_motions: Sequence[SitMotion],
    walk_library: WalkLibrary,
    source: ClipSource,
    seed: int,
    varied: bool = True,
) -> InteractionTake | None:
    """Return a take of sitting down on furniture, staying, standing up and leaving.

    Args:
        sit_motions: captured motions, with arrivals and departures.
        walk_library: walks to and from the seat.
        source: source of the motion.
        seed: seed of the take.
        varied: whether seats are of many kinds and sizes; else all are one chair.

    Returns:
        ``None`` if the character would walk through the seat, or no captured seat is nearly as high.
    """
    generator = np.random.default_rng([seed, 1])
    collider, seat = draw_seat(generator, varied)
    height = float(seat.position[2]) + SEATED_HIP_HEIGHT_RATIO * sit_motions[0].clip.skeleton.leg_length
    suitable = [
        one
        for one in sit_motions
        if SINK_RATIO_RANGE[0]
        < (one.standing_height - height) / (one.standing_height - one.seated_height)
        < SINK_RATIO_RANGE[1]
    ]
    arrivals, departures = (
        [one for one in suitable if one.shows_arrival],
        [one for one in suitable if one.shows_departure],
    )
    if not arrivals or not departures:
        return None
    arrival, departure = _draw_motion(arrivals, generator), _draw_motion(departures, generator)
    coming, going = adapt_seat_height(arrival, height), adapt_seat_height(departure, height)
    walk_in, walk_out = assemble_approach(walk_library, generator), walk_library.draw(generator)
    first, switch, shift = _assemble_arrival(walk_in, coming, arrival.sink_start, generator)
    down, settled, rises = arrival.sink_start + shift, arrival.rest_start + shift, arrival.rest_end + shift

    stay = int(generator.integers(*STAY_FRAMES))
    held = min(settled + stay, rises - 15)
    across = find_transition(
        first,
        going,
        range(held - 10, held + 10),
        range(departure.rest_start, max(departure.rest_end - 20, departure.rest_start + 1)),
    )
    middle, over = cross_fade(first, going, across, moved_clip="second")
    shift = across.first_frame - across.second_frame
    rise, up = departure.rest_end + shift, departure.rise_end + shift

    onwards = find_transition(
        middle, walk_out, range(up + LEAVING_WINDOW_FRAMES[0], up + LEAVING_WINDOW_FRAMES[1]), range(12, 110)
    )
    whole, leaves = cross_fade(middle, walk_out, onwards, moved_clip="second")
    hips = whole.positions[:, whole.skeleton.joint("hips")]
    rest = slice(settled, min(rise, over + 60))
    place, yaw = np.median(hips[rest, :2], axis=0), float(np.median(root_track(whole).yaws[rest]))
    seat_object = _place_seat(collider, seat, place, yaw, len(whole))
    begins, ends = max(down - NEAR_SEAT_FRAMES[0], 0), min(up + NEAR_SEAT_FRAMES[1], len(whole))
    before, after = range(begins, max(down - OVER_SEAT_FRAMES, 0)), range(min(up + OVER_SEAT_FRAMES, len(whole)), ends)
    if not is_clear(whole, seat_object, [*range(begins), *range(ends, len(whole))], SEAT_CLEARANCE_M):
        return None
    if not is_clear(whole, seat_object, [*before, *after], 0.02):
        return None
    events = _SitFrames(switch, down, settled, rise, up, leaves)
    return _label_sit(walk_library.with_locked_feet(whole), events, seat_object, walk_in.steps, generator, seed, source)


def _assemble_arrival(
    walk: TakeAssembly, sit_clip: Clip, sink_start: int, generator: np.random.Generator
) -> tuple[Clip, int, int]:
    """Return the motion until seated, its first captured frame, and the offset of captured frames in it.

    Some arrivals walk to the seat and turn around as captured, others stand before it and step around.
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
    # A stop before sitting down would be learned, so walks change over to the turn while they still move.
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
    """Return the last 1.5 s of a walk before it stops."""
    speed = np.linalg.norm(np.gradient(root_track(walk).positions, axis=0), axis=1) * walk.rate
    last = int(np.flatnonzero(gaussian_filter1d(speed, 6) > WALKING_SPEED_M_S)[-1])
    return range(max(last - 90, 0), last)


def draw_seat(generator: np.random.Generator, varied: bool) -> tuple[Collider, Seat]:
    """Return a random seat: its collider and its affordance."""
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
    """Events of a take: captured motion begins, hips sink, rest, rise, have risen; the walk away begins."""

    arrival: int
    sink_start: int
    rest_start: int
    rest_end: int
    rise_end: int
    departure: int


def _draw_motion(motions: list[SitMotion], generator: np.random.Generator) -> SitMotion:
    """Return a random motion."""
    return motions[int(generator.integers(len(motions)))]


def _place_seat(collider: Collider, seat: Seat, place: Array, yaw: float, count: int) -> TakeObject:
    """Return the seat under a character that sits at ``place`` (2), m, facing ``yaw``."""
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
    steps: Sequence[range],
    generator: np.random.Generator,
    seed: int,
    source: ClipSource,
) -> InteractionTake:
    """Return the labeled take."""
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
    until = max(events.rest_end - int(generator.integers(5, 40)), events.rest_start + 1)
    contacts = np.zeros((count, 5))
    contacts[max(events.rest_start - 10, 0) : events.rest_end + 10, 0] = 1.0
    built = frame_origins(count, [range(events.arrival, events.departure)], steps)
    phase = _sitting_phase(label_clip(clip).phase, events)
    done = TakeAction(f"sit on a {seat_object.name}", "sit", until, actions, contacts, phase, built)
    return label_take(clip, done, (seat_object,), generator, seed, source)


def _sitting_phase(walking_phase: Array, events: _SitFrames) -> Array:
    """Return a phase (F) from strides into sitting down, which ends at 0, and from standing up into strides."""
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
