"""Captured sitting and carrying, adapted to objects of other sizes in other places (NSM section 5.2)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..core.errors import FootfallError
from ..core.evaluation.bending import HINGE_ROLES, flexion_angles, hinge_axes
from ..core.labelling import label_clip
from ..core.labelling.presets import find_preset
from ..core.labelling.semantics.actions import ACTION_NAMES
from ..core.motion import Clip
from ..core.motion.floor import estimate_floor_height
from ..core.motion.rotations import Array
from ..core.rig.clip_file import read_clip
from ..core.scene.affordances import Seat, find_grips
from ..core.scene.collider import Collider
from ..core.scene.collider_pose import AnimatedCollider
from ..core.scene.contact_points import (
    ContactPoint,
    find_contact_points,
    nearest_surface_point,
    retarget_key_joints,
)
from ..core.scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ..core.scene.object_fitting import (
    ObjectFit,
    find_static_frame,
    hips_yaw,
    place_collider,
    seat_position,
)
from ..core.scene.object_retargeting import mean_jerk, moves_with_object, retarget_to_object
from ..core.scene.seat_detection import find_seat
from ..training.interactions.props.prop_sampling import sample_prop
from ..training.interactions.props.seats import Bench, Chair, Stool
from .fitted_props import fit_proxy_object, transfer_contact_points
from .setup import Setup
from .tables import Part, table

TITLE = "Clips adapted to other objects"
CARRIED: Final = "accad_male1/carry/Male1_A5_PickUpBox.bvh"
RATE: Final = 60.0
OBJECTS: Final = 20
SEATS: Final = ("chair", "stool", "bench")
SCALES: Final = (0.8, 1.25)
HEIGHTS: Final = (0.35, 0.6)
"""Heights of other seats, meters."""
FARTHEST: Final = 0.1
"""Largest displacement of an object over the floor, meters."""
HIGH: Final = 0.55
"""Height above which a seat is high, meters."""
EVERY: Final = 20
"""Interval of the frames processed by the plain loop."""
MOST: Final = 160.0
"""Human range of knees and elbows, degrees."""
HEAD: Final = [
    *("clips", "adapted", "refused", "contacts off mm", "at most", "feet off mm", "jerk", "largest", "jump", "largest"),
    *("bones mm", "knees deg", "elbows deg", "frames beyond", "ms a frame", "loop"),
]

NOTES = """\
A stool or box made to measure is put under each clip where the body rests, then 20 others in its place. Nothing is
learned from any."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A captured clip, with an object made to measure in it.

    Attributes:
        clip: the motion.
        fit: the object and its place.
        moving: place of the object at each frame.
        contacts: contacts that follow the object, by role.
    """

    clip: Clip
    fit: ObjectFit
    moving: AnimatedCollider
    contacts: dict[str, ContactPoint]

    @staticmethod
    def of(path: Path, action: str) -> "Source":
        """Return a clip of a file as a source; raise :class:`FootfallError` if the action does not occur in it."""
        clip = read_clip(path).resampled(RATE)
        shares = label_clip(clip, find_preset("interaction")).actions[:, ACTION_NAMES.index(action)]
        fit = fit_proxy_object(clip, action, find_static_frame(clip, shares, action))
        moving = fit.animated_collider(clip)
        found = find_contact_points(clip, moving)
        return Source(
            clip, fit, moving, {role: one for role, one in found.items() if moves_with_object(clip, role, one)}
        )

    @property
    def height(self) -> float:
        """Height of the object, meters."""
        return float(np.ptp(self.fit.posed_collider.collider.bounds, axis=0)[2])


Other = tuple[AnimatedCollider, Mapping[str, Array]]
"""Another object and its place, and the places of contact points (3) on it."""
Making = Callable[[Source, int], Other]
"""Function from a number to another object for a clip; raises :class:`FootfallError` if the action is impossible with
it."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """An adapted clip, with its source.

    Attributes:
        off: (N) distances of key joints from their goals, meters, in each frame with a contact.
        feet: largest displacement of a foot, meters.
        jerk, jump: ratios.
        bones: largest change of a bone's length, meters.
        flexions: by hinge, (F, 2) degrees, left and right.
        milliseconds: a frame.
        alone: milliseconds of a single frame.
    """

    off: Array
    feet: float
    jerk: float
    jump: float
    bones: float
    flexions: dict[str, Array]
    milliseconds: float
    alone: float


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    box = setup.data / CARRIED
    paths = [*setup.clips("sit")]
    if not box.is_file() or not paths:
        raise FootfallError(f"There is no '{box}', or no sitting beside it: name their folder with --data.")
    sat, carried = [Source.of(path, "sit") for path in paths], [Source.of(box, "carry")]
    rows = [
        *_rows("sit, low", [source for source in sat if source.height <= HIGH], other_seat),
        *_rows("sit, high", [source for source in sat if source.height > HIGH], other_seat),
        *_rows("carry", carried, other_box),
    ]
    return [table(HEAD, rows), NOTES]


def _rows(name: str, sources: Sequence[Source], other: Making) -> list[list[object]]:
    """Return the rows of some clips: as captured, on the same objects, and on other objects."""
    bends = [flexion_angles(source.clip, hinge_axes(source.clip)) for source in sources]
    same = [
        adapted(source, (source.moving, {role: contact.point for role, contact in source.contacts.items()}))
        for source in sources
    ]
    captured = f"{name}, captured ({len(sources)})"
    return [
        [captured, *[None] * 5, 1.0, None, 1.0, None, None, *_bends(bends), None, None],
        row(f"{name}, the same", same, 0),
        row(f"{name}, others", *_others(sources, other)),
    ]


def _others(sources: Sequence[Source], other: Making) -> tuple[list[Outcome], int]:
    """Return the results of clips on other objects, and the number of refused objects."""
    outcomes: list[Outcome] = []
    refused = 0
    for source in sources:
        for number in range(OBJECTS):
            try:
                outcomes.append(adapted(source, other(source, number)))
            except FootfallError:
                refused += 1
    return outcomes, refused


def row(name: str, outcomes: Sequence[Outcome], refused: int) -> list[object]:
    """Return the cells of some adapted clips."""
    if not outcomes:
        return [name, 0, refused, *[None] * (len(HEAD) - 3)]
    off = 1000 * np.concatenate([one.off for one in outcomes])
    ratios = [[getattr(one, part) for one in outcomes] for part in ("jerk", "jump")]
    milliseconds = float(np.mean([one.milliseconds for one in outcomes]))
    return [
        *(name, len(outcomes), refused, float(off.mean()), float(off.max())),
        1000 * max(one.feet for one in outcomes),
        *(float(figure(values)) for values in ratios for figure in (np.mean, np.max)),
        1000 * max(one.bones for one in outcomes),
        *_bends([one.flexions for one in outcomes]),
        *(milliseconds, float(np.mean([one.alone for one in outcomes])) / milliseconds),
    ]


def _bends(clips: Sequence[Mapping[str, Array]]) -> list[object]:
    """Return the cells of knee and elbow ranges, and of the frames beyond human range."""
    ranges: list[object] = []
    for hinge in HINGE_ROLES:
        bent = np.concatenate([clip[hinge] for clip in clips])
        ranges.append(f"{bent.min():.0f} to {bent.max():.0f}".replace("-0 ", "0 "))
    past = np.concatenate([beyond(clip) for clip in clips])
    return [*ranges, f"{past.sum()} of {len(past)}"]


# Other objects.


def other_seat(source: Source, number: int) -> Other:
    """Return a different seat; raise :class:`FootfallError` if sitting on it is impossible."""
    generator = np.random.default_rng([number, 21])
    piece = sample_prop(SEATS[number % len(SEATS)], generator)
    assert isinstance(piece, Chair | Stool | Bench)
    scale, height = float(generator.uniform(*SCALES)), float(generator.uniform(*HEIGHTS))
    vertices, triangles = replace(piece, seat_height=height / scale).mesh()
    collider = Collider.from_mesh(scale * vertices, triangles)
    seat, fit = find_seat(collider), source.fit
    if seat is None:
        raise FootfallError("Nobody can sit on it.")
    assert isinstance(fit.affordance, Seat)
    place = seat_position(source.clip, fit.frame)
    place[:2] += _aside(generator)
    place[2] = estimate_floor_height(source.clip) + seat.position[2] - float(collider.lower[:, 2].min())
    # Its front is +Y, like the stool's; without a back it can be used from all sides.
    placed = place_collider(collider, seat.position, fit.affordance.direction, place, hips_yaw(source.clip, fit.frame))
    by = seat.position - fit.affordance.position
    points = {role: nearest_surface_point(collider, contact.point + by) for role, contact in source.contacts.items()}
    return AnimatedCollider.static(placed, len(source.clip)), points


def other_box(source: Source, number: int) -> Other:
    """Return a different box; raise :class:`FootfallError` if carrying it is impossible."""
    generator = np.random.default_rng([number, 22])
    vertices, triangles = sample_prop("box", generator).mesh()
    collider = Collider.from_mesh(float(generator.uniform(*SCALES)) * vertices, triangles)
    grips = find_grips(collider)
    if grips is None:
        raise FootfallError("Nobody can hold it.")
    across = np.abs(grips.hands[0] - grips.hands[1])
    if across[1] > across[0]:  # a box made to measure is held at its sides -X and +X
        collider = collider.rotate_quarter_turns(1)
    shift = np.append(_aside(generator), source.moving.collider.bounds[0][2] - collider.bounds[0][2])
    moving = AnimatedCollider(collider, source.moving.positions + shift, source.moving.rotations)
    return moving, transfer_contact_points(source.contacts, source.moving.collider, collider)


def _aside(generator: np.random.Generator) -> Array:
    """Return a horizontal offset (2), uniformly distributed in a circle."""
    angle, away = generator.uniform(-np.pi, np.pi), FARTHEST * np.sqrt(generator.uniform())
    return away * np.array([np.sin(angle), np.cos(angle)])


# The result of a clip.


def adapted(source: Source, other: Other) -> Outcome:
    """Return a clip adapted to another object."""
    moving, points = other
    began = perf_counter()
    made = retarget_to_object(source.clip, source.contacts, points, moving)
    milliseconds = 1000 * (perf_counter() - began) / len(made)
    clip = source.clip
    feet = [clip.skeleton.joint(f"foot.{side}") for side in "LR"]
    return Outcome(
        contacts_off(made, source.contacts, points, moving),
        float(np.linalg.norm(made.positions[:, feet] - clip.positions[:, feet], axis=-1).max()),
        mean_jerk(made) / mean_jerk(clip),
        jump(made) / jump(clip),
        float(np.abs(lengths(made) - lengths(clip)).max()),
        flexion_angles(made, hinge_axes(clip)),
        milliseconds,
        _alone(source, other),
    )


def _alone(source: Source, other: Other) -> float:
    """Return the milliseconds per frame of bringing a body to its key joints one frame at a time."""
    clip, (moving, points) = source.clip, other
    tracks = retarget_key_joints(clip, source.contacts, points, moving)
    frames = range(0, len(clip), EVERY)
    began = perf_counter()
    for frame in frames:
        now = slice(frame, frame + 1)
        one = replace(clip, root_positions=clip.root_positions[now], rotations=clip.rotations[now])
        solve_full_body_ik(
            one, [EffectorGoal(role, where[now], weights[now]) for role, (where, weights) in tracks.items()]
        )
    return 1000 * (perf_counter() - began) / len(frames)


def contacts_off(
    made: Clip, contacts: Mapping[str, ContactPoint], points: Mapping[str, Array], moving: AnimatedCollider
) -> Array:
    """Return the distances (N), meters, of key joints from their contact points, in frames of contact."""
    off = [np.zeros(0)]
    for role, contact in contacts.items():
        wanted = moving.to_world(points[role] + contact.offsets)
        missed = np.linalg.norm(made.positions[:, made.skeleton.joint(role)] - wanted, axis=-1)
        off.append(missed[contact.in_contact])
    return np.concatenate(off)


def jump(clip: Clip) -> float:
    """Return the largest change of a joint's velocity from one frame to the next, m/s."""
    return float(np.linalg.norm(np.diff(clip.positions, n=2, axis=0), axis=-1).max()) * clip.rate


def lengths(clip: Clip) -> Array:
    """Return the bone lengths (F, B), meters: the distances of joints from their parents."""
    parents = np.array(clip.skeleton.parents)
    joints = np.flatnonzero(parents >= 0)
    return np.linalg.norm(clip.positions[:, joints] - clip.positions[:, parents[joints]], axis=-1)


def beyond(bent: Mapping[str, Array]) -> NDArray[np.bool_]:
    """Return whether a knee or an elbow is bent beyond human range in each frame (F)."""
    every = np.concatenate([*bent.values()], axis=-1)
    return np.any((every < 0) | (every > MOST), axis=-1)
