"""Takes of sitting down, staying and standing up: captured on a few seats, and adapted to others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ....core.features.interaction import ACTIONS
from ....core.labelling import label_clip
from ....core.motion import Clip
from ....core.motion.root_frame import out_of_frame, root_track
from ....core.motion.rotations import Array, rotation_about_up
from ....core.scene.affordances import Seat
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ....core.scene.seat_detection import SEAT_HEIGHT_RANGE_M, find_seat
from ....core.tuning import Tuning, tuned
from ...data.sources import ClipSource
from .. import sit_motion, take_assembly, take_labels
from ..captured_goals import GoalTimes
from ..clip_stitching import ContactClip
from ..clip_transitions import cross_fade, find_transition
from ..clutter import is_clear
from ..props.prop_sampling import Prop, sample_prop
from ..props.seats import Chair, Stool
from ..sit_motion import SitMotion
from ..take import InteractionTake, TakeObject, frame_origins
from ..take_assembly import TakeAssembly, assemble_approach, with_rest_phase
from ..take_labels import TakeAction, action_weights, label_take, locomotion_actions
from ..walk_library import WalkLibrary


@dataclass(frozen=True, slots=True)
class SitTuning(Tuning):
    walking_speed: float = tuned(take_labels.TUNING.idle_walk_speeds[1], "m/s", 0.0, 2.0)
    """Root speed above which the character counts as walking."""
    near_seat: tuple[int, int] = tuned((320, 150), "frames", 0, 1200)
    """Frames before the hips sink, and after they have risen, in which the character may be near the seat."""
    seat_clearance: float = tuned(0.22, "m", 0.0, 1.0)
    """Least distance between root and seat outside of the frames ``near_seat``."""
    over_seat: int = tuned(45, "frames", 0, 600)
    """Frames before the hips sink, and after they have risen, in which the root may be over the seat."""
    standing_window: tuple[int, int] = tuned((70, 14), "frames", 0, 600)
    """Earliest and latest frame, before the hips sink, at which the character stands in front of the seat."""
    step_round_share: float = tuned(0.55, "1", 0.0, 1.0)
    """Share of arrivals in front of the seat at a random yaw, from which the character turns around in steps."""
    sink_ratio_range: tuple[float, float] = tuned((0.55, 1.6), "1", 0.1, 3.0)
    """Range of the hips' drop, relative to the captured one."""
    fitted_seat_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of takes with the seat that the user added under the captured motion, if there is one."""
    max_tilted_shift: float = tuned(0.06, "m", 0.0, 0.5)
    """Largest distance between the sitting places on a tilted seat and on a level one of that size."""
    resized_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Share of the takes with such a seat in which it is resized."""
    resize_range: tuple[float, float] = tuned((0.85, 1.18), "1", 0.2, 5.0)
    """Range of the scales of a resized seat's width, depth and height."""
    stay: tuple[int, int] = tuned((60, 240), "frames", 1, 3600)
    """Range of the time of sitting in a take."""


TUNING: Final = SitTuning()

FURNITURE_KINDS: Final = ("chair", "chair", "chair", "stool", "stool", "sofa", "bench")
"""Kinds of seats to draw from."""


def adapt_seat_height(motion: SitMotion, height: float) -> Clip:
    """Return the motion adapted by full-body IK so that the seated hips are at ``height``, m (NSM section 5.2)."""
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
    captured_height: bool = False,
) -> InteractionTake | None:
    """Make a take of sitting down on furniture, staying seated, standing up and leaving.

    Args:
        sit_motions: captured motions, with arrivals and departures.
        walk_library: walks to and from the seat.
        source: source of the motion.
        seed: seed of the take.
        varied: whether seats are of many kinds and sizes; otherwise all are the same chair.
        captured_height: whether the seat has the captured height, for motions that suit no usual seat.

    Returns:
        The take, or ``None`` if the character would walk through the seat, or no captured seat has a similar height.
    """
    generator = np.random.default_rng([seed, 1])
    collider, seat, name = draw_fitted_seat(sit_motions, generator, varied) or (*draw_seat(generator, varied), "seat")
    if captured_height:
        collider, seat, name = _make_captured_seat(sit_motions, generator) or (collider, seat, name)
    suitable = [one for one in sit_motions if _is_suitable(one, float(seat.position[2]))]
    arrivals, departures = (
        [one for one in suitable if one.shows_arrival],
        [one for one in suitable if one.shows_departure],
    )
    if not arrivals or not departures:
        return None
    arrival, departure = _draw_motion(arrivals, generator), _draw_motion(departures, generator)
    height = float(seat.position[2]) + arrival.placement.hip_height
    coming, going = adapt_seat_height(arrival, height), adapt_seat_height(departure, height)
    walk_in, walk_out = assemble_approach(walk_library, generator), walk_library.draw(generator)
    first, switch, shift = _assemble_arrival(walk_in, coming, arrival, generator)
    down, settled, rises = arrival.sink_start + shift, arrival.rest_start + shift, arrival.rest_end + shift
    touches, lowers = arrival.contact_frames[0] + shift, arrival.phase_frames[0] + shift
    seated = arrival.phase_frames[1] + shift

    stay = int(generator.integers(*TUNING.stay))
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
    leaves_seat = departure.contact_frames[1] + shift
    rises_at, upright = departure.phase_frames[2] + shift, departure.phase_frames[3] + shift

    onwards = find_transition(
        middle,
        walk_out,
        range(up + sit_motion.TUNING.leaving_window[0], up + sit_motion.TUNING.leaving_window[1]),
        range(12, 110),
    )
    whole, leaves = cross_fade(middle, walk_out, onwards, moved_clip="second")
    hips = whole.positions[:, whole.skeleton.joint("hips")]
    rest = slice(settled, min(rise, over + 60))
    place, yaw = np.median(hips[rest, :2], axis=0), float(np.median(root_track(whole).yaws[rest]))
    place = place + out_of_frame(arrival.placement.offset, np.array(yaw))
    seat_object = replace(_place_seat(collider, seat, place, yaw + arrival.placement.yaw, len(whole)), name=name)
    begins, ends = max(down - TUNING.near_seat[0], 0), min(up + TUNING.near_seat[1], len(whole))
    before, after = range(begins, max(down - TUNING.over_seat, 0)), range(min(up + TUNING.over_seat, len(whole)), ends)
    if not is_clear(whole, seat_object, [*range(begins), *range(ends, len(whole))], TUNING.seat_clearance):
        return None
    if not is_clear(whole, seat_object, [*before, *after], 0.02):
        return None
    events = _SitFrames(
        switch,
        down,
        settled,
        rise,
        up,
        leaves,
        contact=(max(touches, 0), leaves_seat),
        phase=(max(lowers, 0), seated, rises_at, upright),
        goal_times=GoalTimes(arrival.goal_times.lead, departure.goal_times.tail),
    )
    clip = walk_library.with_locked_feet(whole)
    action = _sit_action(clip, events, seat_object.name, walk_in.steps, generator)
    return label_take(clip, action, (seat_object,), generator, seed, source)


def _is_suitable(motion: SitMotion, seat_height: float) -> bool:
    """Return whether a motion can be adapted to a seat of the given height, m."""
    height = seat_height + motion.placement.hip_height
    ratio = (motion.standing_height - height) / (motion.standing_height - motion.seated_height)
    return TUNING.sink_ratio_range[0] < ratio < TUNING.sink_ratio_range[1]


def draw_fitted_seat(
    sit_motions: Sequence[SitMotion], generator: np.random.Generator, varied: bool
) -> tuple[Collider, Seat, str] | None:
    """Return a seat that the user has placed under a motion, maybe resized: its collider, its seat and its name.

    ``None`` stands for a seat of random shape.
    """
    fitted = [one.placement for one in sit_motions if one.placement.collider is not None]
    if not fitted or generator.random() >= TUNING.fitted_seat_share:
        return None
    chosen = fitted[int(generator.integers(len(fitted)))]
    assert chosen.collider is not None and chosen.seat is not None
    if not varied or generator.random() >= TUNING.resized_share:
        return chosen.collider, chosen.seat, chosen.name
    return *scale_seat(chosen.collider, chosen.seat, generator.uniform(*TUNING.resize_range, 3)), chosen.name


def scale_seat(collider: Collider, seat: Seat, scale: Array) -> tuple[Collider, Seat]:
    """Return a piece of furniture and its seat, with width, depth and height multiplied by ``scale`` (3)."""
    across, along = (scale[0], scale[1]) if abs(seat.direction[1]) > 0.5 else (scale[1], scale[0])
    scaled = Seat(seat.position * scale, seat.direction, seat.width * float(across), seat.depth * float(along))
    return Collider(collider.lower * scale, collider.upper * scale), scaled


def _make_captured_seat(
    sit_motions: Sequence[SitMotion], generator: np.random.Generator
) -> tuple[Collider, Seat, str] | None:
    """Return a stool as high as a captured seat, with its name; ``None`` if that height is unusable."""
    motion = _draw_motion(list(sit_motions), generator)
    height = motion.seated_height - motion.placement.hip_height
    if not SEAT_HEIGHT_RANGE_M[0] < height < SEAT_HEIGHT_RANGE_M[1]:
        return None
    collider = Collider.from_mesh(*Stool(seat_height=height).mesh())
    seat = find_seat(collider)
    return None if seat is None else (collider, seat, "seat")


def _assemble_arrival(
    walk: TakeAssembly, sit_clip: Clip, arrival: SitMotion, generator: np.random.Generator
) -> tuple[Clip, int, int]:
    """Return the motion until seated, the first frame from the capture, and the offset of captured frames in it.

    Some arrivals walk to the seat and turn around as captured; others stand in front of it and step around.
    """
    sink_start, held = arrival.sink_start, arrival.foot_contacts
    if held is None:
        held = label_clip(sit_clip).foot_contacts.held
    before = range(max(sink_start - TUNING.standing_window[0], 0), sink_start - TUNING.standing_window[1])
    stands = [frame for frame in before if held[frame, :2].any() and held[frame, 2:].any()]
    if stands and generator.random() < TUNING.step_round_share:
        turn, reach = (
            float(generator.uniform(-np.pi, np.pi)),
            generator.uniform(-take_assembly.TUNING.max_position_error, take_assembly.TUNING.max_position_error, 2),
        )
        seated = ContactClip(sit_clip, held).cut(stands[-1], len(sit_clip))
        begins = walk.append(seated, turn, (float(reach[0]), float(reach[1])))
        return walk.motion.clip, begins, begins - stands[-1]
    # A network would learn a stop before sitting down, so walks blend into the turn while they still move.
    going = walk.motion.clip
    into = find_transition(
        going,
        sit_clip,
        last_walking_frames(going),
        range(
            max(sink_start - sit_motion.TUNING.approach_window[0], 0), sink_start - sit_motion.TUNING.approach_window[1]
        ),
    )
    clip, switch = cross_fade(going, sit_clip, into)
    return clip, switch, into.first_frame - into.second_frame


def last_walking_frames(walk: Clip) -> range:
    """Return the frames of a walk in the last 1.5 s before it stops."""
    speed = np.linalg.norm(np.gradient(root_track(walk).positions, axis=0), axis=1) * walk.rate
    last = int(np.flatnonzero(gaussian_filter1d(speed, 6) > TUNING.walking_speed)[-1])
    return range(max(last - 90, 0), last)


def draw_seat(generator: np.random.Generator, varied: bool) -> tuple[Collider, Seat]:
    """Return the collider and the seat of a random piece of furniture, or of the same chair unless ``varied``."""
    while True:
        piece = (
            sample_prop(FURNITURE_KINDS[int(generator.integers(len(FURNITURE_KINDS)))], generator)
            if varied
            else Chair()
        )
        collider = Collider.from_mesh(*piece.mesh())
        seat = find_seat(collider)
        if seat is not None and _is_in_the_middle(piece, seat):
            return collider, seat


def _is_in_the_middle(piece: Prop, seat: Seat) -> bool:
    """Return whether a seat is near the middle of its piece, as on a level chair of that size.

    On a steep chair, only an edge may be found.
    """
    if not isinstance(piece, Chair) or piece.seat_tilt == 0.0:
        return True
    level = find_seat(Collider.from_mesh(*replace(piece, seat_tilt=0.0).mesh()))
    return level is not None and bool(np.abs(seat.position - level.position)[:2].max() < TUNING.max_tilted_shift)


@dataclass(frozen=True, slots=True)
class _SitFrames:
    """Frames of a take: captured motion begins, hips sink, rest, rise, have risen, and the walk away begins.

    Also: contact of the hips; first and last frame of the phases of sitting down and of standing up; times of
    the goal set by the user.
    """

    arrival: int
    sink_start: int
    rest_start: int
    rest_end: int
    rise_end: int
    departure: int
    contact: tuple[int, int]
    phase: tuple[int, int, int, int]
    goal_times: GoalTimes


def _draw_motion(motions: list[SitMotion], generator: np.random.Generator) -> SitMotion:
    return motions[int(generator.integers(len(motions)))]


def _place_seat(collider: Collider, seat: Seat, place: Array, yaw: float, count: int) -> TakeObject:
    """Return the seat under a character that sits at ``place`` (2), m, facing ``yaw``, rad."""
    own = float(np.arctan2(-seat.direction[0], seat.direction[1]))
    turn = rotation_about_up(np.array(yaw - own))
    cosine, sine = np.cos(yaw - own), np.sin(yaw - own)
    x, y = seat.position[:2]
    position = np.array([place[0] - (cosine * x - sine * y), place[1] - (sine * x + cosine * y), 0.0])
    return TakeObject("seat", "seat", collider, np.tile(position, (count, 1)), np.tile(turn, (count, 1)))


def _sit_action(
    clip: Clip, events: _SitFrames, seat_name: str, steps: Sequence[range], generator: np.random.Generator
) -> TakeAction:
    count, blend = len(clip), sit_motion.TUNING.action_blend
    sinks, rises = (events.sink_start - blend, events.sink_start), (events.rise_end - blend, events.rise_end)
    sits = action_weights(count, sinks, rises)
    actions = locomotion_actions(clip, sits)
    actions[:, ACTIONS.index("sit")] = sits
    until = max(events.rest_end - int(generator.integers(5, 40)), events.rest_start + 1)
    until = events.goal_times.end(events.rise_end, until)
    contacts = np.zeros((count, 5))
    contacts[slice(*events.contact), 0] = 1.0
    built = frame_origins(count, [range(events.arrival, events.departure)], steps)
    phase = with_rest_phase(label_clip(clip).phase, events.phase)
    told = events.goal_times.begin(events.sink_start)
    return TakeAction(f"sit on a {seat_name}", "sit", until, actions, contacts, phase, built, command_frame=told)
