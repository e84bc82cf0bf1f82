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
from ....core.motion.roles import JOINTS
from ....core.motion.root_frame import root_track
from ....core.motion.rotations import Array, about_up
from ....core.motion.signals import runs_of
from ....core.scene.affordances import Seat, find_seat
from ....core.scene.collider import Collider
from ....core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...data.sources import Source
from ..clip_stitching import Stretch
from ..clip_transitions import best_join, joined
from ..clutter import clear
from ..props.furniture import Chair, sample_prop
from ..take import Take, Thing
from ..take_assembly import BESIDE, Composition, approach
from ..take_labels import Done, locomotion, told
from ..walk_library import Strolls

SUNK: Final = 0.08
"""Metres below standing from which hips are on their way down or up."""
SETTLED: Final = 0.12
"""Metres a second below which who sits has settled."""
MARGIN: Final = 200
"""Frames before somebody sits and after they sat that are kept."""
GOING: Final = 0.45
"""Metres a second above which somebody goes."""
SHORTEST: Final = 45
"""Frames that somebody sits, at least."""
APPROACH: Final = (165, 75)
"""Frames before hips are down from which a walk may go over into sitting down, and until which."""
NEAR: Final = (320, 150)
"""Frames before hips are down and after they are up in which somebody is at the seat; else they keep away from it."""
ASIDE: Final = 0.22
"""Metres between the root and the seat from those frames on."""
LEFT: Final = 45
"""Frames before hips are down and after they are up from which the root is no more over the seat."""
STANDING: Final = (70, 14)
"""Frames before hips are down from which somebody may stand before a seat, and until which."""
STEPPED: Final = 0.55
"""Share of those who come and stand before a seat, anyhow, and step round."""
LEAVING: Final = (25, 100)
"""Frames after hips are up from which standing up may go over into a walk, and until which."""
SINKING: Final = (0.55, 1.6)
"""How far somebody may sink in a take, as shares of how far they sank when they were captured."""
STAYS: Final = (60, 240)
"""Frames that somebody stays seated in a take."""
PIECES: Final = ("chair", "chair", "chair", "stool", "stool", "sofa", "bench")
TURN: Final = 30
"""Frames over which an action goes over into another."""


@dataclass(frozen=True, eq=False)
class Sitting:
    """A captured stretch in which somebody sits.

    Attributes:
        clip: the whole clip, hips over the world's origin while seated, facing +Y.
        down, settled: frames at which the hips have begun to sink, and are at rest.
        rises, up: frames at which they leave their rest, and are up again; ``up`` is the clip's length where it ends
            seated.
        standing, seated: heights of the hips, metres.
    """

    clip: Clip
    down: int
    settled: int
    rises: int
    up: int
    standing: float
    seated: float

    @property
    def comes(self) -> bool:
        """Whether somebody is seen to come and sit down."""
        return self.down > APPROACH[1]

    @property
    def goes(self) -> bool:
        """Whether somebody is seen to stand up and go."""
        return self.up + LEAVING[0] < len(self.clip)


def sittings(clip: Clip) -> list[Sitting]:
    """What a clip has of sitting."""
    track = root_track(clip)
    heights = clip.positions[:, clip.skeleton.role("hips"), 2]
    standing = float(np.quantile(heights, 0.9))
    speed = gaussian_filter1d(np.linalg.norm(np.gradient(track.positions, axis=0), axis=1) * clip.rate, 6)
    found = []
    for start, stop in runs_of(heights < standing - SUNK):
        still = np.flatnonzero(speed[start:stop] < SETTLED)
        if len(still) == 0 or still[-1] - still[0] < SHORTEST:
            continue
        settled, rises = int(start + still[0]), int(start + still[-1])
        rest = slice(settled, rises)
        yaw = float(np.median(track.yaws[rest]))
        turned = clip.placed(about_up(np.array(-yaw)), np.zeros(3))
        there = np.median(turned.positions[rest, clip.skeleton.role("hips"), :2], axis=0)
        moved = turned.placed(np.array([1.0, 0.0, 0.0, 0.0]), np.append(-there, 0.0))
        seated = float(np.median(heights[rest]))
        first, last = max(int(start) - MARGIN, 0), min(int(stop) + MARGIN, len(clip))
        frames = (frame - first for frame in (int(start), settled, rises, int(stop)))
        found.append(Sitting(moved.cut(first, last), *frames, standing=standing, seated=seated))
    return found


def lowered(sitting: Sitting, height: float) -> Clip:
    """The clip with the hips at another height while seated: as far as they sink, they sink to there."""
    clip = sitting.clip
    hips = clip.positions[:, clip.skeleton.role("hips")].copy()
    sunk = np.clip((sitting.standing - hips[:, 2]) / (sitting.standing - sitting.seated), 0.0, None)
    hips[:, 2] += sunk * (height - sitting.seated)
    # Whoever sits lower leans forward more on the way; the feet stay where they are.
    return solve_full_body_ik(clip, [EffectorGoal("hips", hips, np.clip(sunk / 0.05, 0.0, 1.0))])


def sit_take(
    sat: Sequence[Sitting],
    strolls: Strolls,
    source: Source,
    seed: int,
    varied: bool = True,
) -> Take | None:
    """Somebody comes, sits down on a piece of furniture, stays, stands up and goes; ``None`` where they would have to
    walk through it, or nobody was captured on a seat nearly so high.

    Args:
        sat: what was captured, of people who come and of people who go.
        strolls: walks to and from the seat.
        source: whose motion it is.
        seed: draws everything.
        varied: whether seats are of many kinds and sizes; else all are one chair.
    """
    generator = np.random.default_rng([seed, 1])
    collider, seat = seat_drawn(generator, varied)
    height = float(seat.position[2]) + SEATED_HIP_HEIGHT_RATIO * sat[0].clip.skeleton.leg_length
    able = [one for one in sat if SINKING[0] < (one.standing - height) / (one.standing - one.seated) < SINKING[1]]
    those_who_come, those_who_go = [one for one in able if one.comes], [one for one in able if one.goes]
    if not those_who_come or not those_who_go:
        return None
    comes, goes = _chosen(those_who_come, generator), _chosen(those_who_go, generator)
    coming, going = lowered(comes, height), lowered(goes, height)
    walk_in, walk_out = approach(strolls, generator), strolls.draw(generator)
    first, switch, shift = _arriving(walk_in, coming, comes.down, generator)
    down, settled, rises = comes.down + shift, comes.settled + shift, comes.rises + shift

    stay = int(generator.integers(*STAYS))
    held = min(settled + stay, rises - 15)
    across = best_join(
        first, going, range(held - 10, held + 10), range(goes.settled, max(goes.rises - 20, goes.settled + 1))
    )
    middle, over = joined(first, going, across, moved="second")
    shift = across.first - across.second
    rise, up = goes.rises + shift, goes.up + shift

    onwards = best_join(middle, walk_out, range(up + LEAVING[0], up + LEAVING[1]), range(12, 110))
    whole, leaves = joined(middle, walk_out, onwards, moved="second")
    hips = whole.positions[:, whole.skeleton.role("hips")]
    rest = slice(settled, min(rise, over + 60))
    place, yaw = np.median(hips[rest, :2], axis=0), float(np.median(root_track(whole).yaws[rest]))
    thing = _placed(collider, seat, place, yaw, len(whole))
    begins, ends = max(down - NEAR[0], 0), min(up + NEAR[1], len(whole))
    before, after = range(begins, max(down - LEFT, 0)), range(min(up + LEFT, len(whole)), ends)
    if not clear(whole, thing, [*range(begins), *range(ends, len(whole))], ASIDE):
        return None
    if not clear(whole, thing, [*before, *after], 0.02):
        return None
    events = _Events(switch, down, settled, rise, up, leaves)
    return _told(strolls.held(whole), events, thing, generator, seed, source)


def _arriving(walk: Composition, coming: Clip, down: int, generator: np.random.Generator) -> tuple[Clip, int, int]:
    """Somebody comes and sits down: the clip, the frame at which the captured part begins, and by how many frames that
    is later in it.

    Some walk up to the seat and turn round as they were captured, others stand anyhow before it and step round.
    """
    held = label_clip(coming).contacts_of(JOINTS) > 0.5
    before = range(max(down - STANDING[0], 0), down - STANDING[1])
    stands = [frame for frame in before if held[frame, :2].any() and held[frame, 2:].any()]
    if stands and generator.random() < STEPPED:
        turn, reach = float(generator.uniform(-np.pi, np.pi)), generator.uniform(-BESIDE, BESIDE, 2)
        seated = Stretch(coming, held).cut(stands[-1], len(coming))
        begins = walk.then(seated, turn, (float(reach[0]), float(reach[1])))
        return walk.whole.clip, begins, begins - stands[-1]
    # Who stops before they sit down teaches to stop; walks go over into turning round while they still go.
    going = walk.whole.clip
    into = best_join(going, coming, still_going(going), range(max(down - APPROACH[0], 0), down - APPROACH[1]))
    clip, switch = joined(going, coming, into)
    return clip, switch, into.first - into.second


def still_going(walk: Clip) -> range:
    """The last second and a half of a walk in which somebody still goes."""
    speed = np.linalg.norm(np.gradient(root_track(walk).positions, axis=0), axis=1) * walk.rate
    last = int(np.flatnonzero(gaussian_filter1d(speed, 6) > GOING)[-1])
    return range(max(last - 90, 0), last)


def seat_drawn(generator: np.random.Generator, varied: bool) -> tuple[Collider, Seat]:
    """A piece of furniture to sit on."""
    while True:
        piece = sample_prop(PIECES[int(generator.integers(len(PIECES)))], generator) if varied else Chair()
        collider = Collider.from_mesh(*piece.mesh())
        seat = find_seat(collider)
        if seat is not None:
            return collider, seat


@dataclass(frozen=True, slots=True)
class _Events:
    """Frames of a take: a walk goes over into what was captured, hips sink, rest, rise, are up; it walks on."""

    comes: int
    down: int
    settled: int
    rises: int
    up: int
    leaves: int


def _chosen(those: list[Sitting], generator: np.random.Generator) -> Sitting:
    return those[int(generator.integers(len(those)))]


def _placed(collider: Collider, seat: Seat, place: Array, yaw: float, count: int) -> Thing:
    """The furniture under who sits at ``place`` (2) facing ``yaw``."""
    own = float(np.arctan2(-seat.direction[0], seat.direction[1]))
    turn = about_up(np.array(yaw - own))
    cosine, sine = np.cos(yaw - own), np.sin(yaw - own)
    x, y = seat.position[:2]
    position = np.array([place[0] - (cosine * x - sine * y), place[1] - (sine * x + cosine * y), 0.0])
    return Thing("seat", "seat", collider, np.tile(position, (count, 1)), np.tile(turn, (count, 1)))


def _told(clip: Clip, events: _Events, thing: Thing, generator: np.random.Generator, seed: int, source: Source) -> Take:
    """A take with all that is said of it."""
    count = len(clip)
    frames = np.arange(count)
    sits = np.interp(frames, [events.down - TURN, events.down, events.up - TURN, events.up], [0.0, 1.0, 1.0, 0.0])
    actions = locomotion(clip, sits)
    actions[:, ACTIONS.index("sit")] = sits
    begins = int(generator.integers(0, 45))
    until = max(events.rises - int(generator.integers(5, 40)), events.settled + 1)
    contacts = np.zeros((count, 5))
    contacts[max(events.settled - 10, 0) : events.rises + 10, 0] = 1.0
    built = (
        f"0 to {events.comes}: walk by a controller",
        f"{events.comes} to {events.leaves}: captured, adapted to the seat",
        f"{events.leaves} to {count}: walk by a controller",
    )
    phase = _phase(label_clip(clip).phase, events)
    done = Done(f"sit on a {thing.name}", "sit", until, actions, contacts, phase, built)
    return told(clip, done, begins, (thing,), generator, seed, source)


def _phase(walking: Array, events: _Events) -> Array:
    """A phase (F) that goes on from strides into sitting down, which ends at 0, and from standing up into strides."""
    phase = np.unwrap(walking, period=1.0)
    down, settled, rises, up = events.down - TURN, events.settled, events.rises, min(events.up, len(walking) - 1)
    end = np.ceil(phase[down] + 0.5)
    result = walking.copy()
    result[down : settled + 1] = np.linspace(phase[down], end, settled + 1 - down)
    result[settled : rises + 1] = 0.0
    target = walking[up] if walking[up] >= 0.5 else walking[up] + 1.0
    result[rises : up + 1] = np.linspace(0.0, target, up + 1 - rises)
    return result % 1.0
