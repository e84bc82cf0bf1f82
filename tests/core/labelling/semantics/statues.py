"""Statues: bodies that hold one pose exactly, face -Y and are carried along, for the limits of detectors.

Joints are placed where they are told. The bones are an adult's: legs of 0.84 m, and arms of 1 m, whose elbows stick out
as far as they must, so that distances in arm lengths are those in meters.
"""

from collections.abc import Mapping

import numpy as np

from footfall.core.labelling.semantics.body_measures import BodyMeasures
from footfall.core.labelling.semantics.gaits import GAIT_NAMES, centre_of_mass
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.rotations import Array
from footfall.core.motion.signals import Mask

Point = tuple[float, float, float]
Joints = Mapping[str, Point]

FRAMES = 121
STANDING: Joints = {
    "hips": (0.0, 0.0, 1.0),
    "thigh.L": (0.1, 0.0, 0.94),
    "thigh.R": (-0.1, 0.0, 0.94),
    "shin.L": (0.1, 0.0, 0.52),
    "shin.R": (-0.1, 0.0, 0.52),
    "foot.L": (0.1, 0.0, 0.1),
    "foot.R": (-0.1, 0.0, 0.1),
    "chest": (0.0, 0.0, 1.3),
    "neck": (0.0, 0.0, 1.5),
    "head": (0.0, 0.0, 1.7),
    "upper_arm.L": (0.2, 0.0, 1.4),
    "upper_arm.R": (-0.2, 0.0, 1.4),
    "hand.L": (0.2, 0.0, 0.8),
    "hand.R": (-0.2, 0.0, 0.8),
}
PARENTS = {
    "thigh": "hips",
    "shin": "thigh",
    "foot": "shin",
    "chest": "hips",
    "neck": "chest",
    "head": "neck",
    "upper_arm": "chest",
    "forearm": "upper_arm",
    "hand": "forearm",
}


def elbow(shoulder: Point, hand: Point) -> Point:
    """Return the place of an elbow that is half a meter from shoulder and hand, to the outside."""
    start, end = np.array(shoulder), np.array(hand)
    along = end - start
    outward = np.array([np.sign(shoulder[0]), 0.0, 0.0])
    outward -= along * (along @ outward) / (along @ along)
    place = (start + end) / 2 + outward / np.linalg.norm(outward) * np.sqrt(0.25 - along @ along / 4)
    return float(place[0]), float(place[1]), float(place[2])


def statue(
    joints: Joints, velocity: Point = (0.0, 0.0, 0.0), scale: float = 1.0, frames: int = FRAMES, rate: float = 60.0
) -> Clip:
    """Return a clip of a body whose joints are at some points, and elsewhere as in standing.

    Lengths of ``joints`` and speeds of ``velocity`` are those of an adult, which ``scale`` turns into the body's.
    """
    placed = {**STANDING, **joints}
    for side in "LR":
        placed[f"forearm.{side}"] = elbow(placed[f"upper_arm.{side}"], placed[f"hand.{side}"])
    names = ["hips", *(name for part in PARENTS for name in (part, f"{part}.L", f"{part}.R") if name in placed)]
    above = [
        "",
        *(
            PARENTS[part] + (dot + side if PARENTS[part] not in names else "")
            for part, dot, side in (name.partition(".") for name in names[1:])
        ),
    ]
    places = np.array([placed[name] for name in names])
    parents = tuple(names.index(name) if name else -1 for name in above)
    offsets = np.array([places[j] - places[parents[j]] if j else np.zeros(3) for j in range(len(names))]) * scale
    skeleton = Skeleton(
        tuple(names), parents, offsets, np.zeros_like(offsets), {name: j for j, name in enumerate(names)}
    )
    way = np.arange(frames)[:, None] / rate * np.array(velocity) * np.sqrt(scale)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(names), 1))
    return Clip(skeleton, rate, places[0] * scale + way, still)


def measured(
    joints: Joints,
    *,
    velocity: Point = (0.0, 0.0, 0.0),
    scale: float = 1.0,
    gaits: Mapping[str, float | Array] | None = None,
    contacts: Mapping[str, Mask] | None = None,
    speed: float | None = None,
) -> BodyMeasures:
    """Return the measures of a statue on level ground.

    Args:
        joints: see :func:`statue`.
        velocity: see :func:`statue`.
        scale: see :func:`statue`.
        gaits: shares of gaits.
        contacts: (F) contacts by sensor.
        speed: horizontal speed of the hips, of an adult, if the hands do not go with them.
    """
    shares = np.zeros((FRAMES, len(GAIT_NAMES)))
    for name, share in (gaits or {}).items():
        shares[:, GAIT_NAMES.index(name)] = share
    body = BodyMeasures(statue(joints, velocity, scale), shares, np.zeros((FRAMES, 2)), dict(contacts or {}))
    if speed is not None:
        vars(body)["speed"] = np.full(FRAMES, speed * np.sqrt(scale))
    return body


def leaning(cosine: float, hips: Point = STANDING["hips"]) -> dict[str, Point]:
    """Return the neck of a trunk that leans ahead."""
    return {"neck": (hips[0], hips[1] - 0.5 * float(np.sqrt(1 - cosine**2)), hips[2] + 0.5 * cosine)}


def with_mass(joints: Joints, ahead: float) -> dict[str, Point]:
    """Return the joints with the chest moved so that the center of mass is ahead of the origin, meters."""
    x, y, z = joints.get("chest", STANDING["chest"])
    clip = statue(joints, frames=1)
    lever = centre_of_mass(statue({**joints, "chest": (x, y + 1.0, z)}, frames=1))[0, 1] - centre_of_mass(clip)[0, 1]
    return {**joints, "chest": (x, y - (ahead + centre_of_mass(clip)[0, 1]) / lever, z)}


def between(start: int, stop: int) -> Mask:
    """Return a mask (F) that is true from a frame up to another."""
    frames = np.arange(FRAMES)
    return (frames >= start) & (frames < stop)


def hands(left: Point, right: Point) -> dict[str, Point]:
    return {"hand.L": left, "hand.R": right}


def shoulders(left: Point, right: Point) -> dict[str, Point]:
    return {"upper_arm.L": left, "upper_arm.R": right}


LEAN: Joints = {
    **hands((0.2, -0.6, 1.0), (-0.2, -0.6, 1.0)),
    **shoulders((0.2, -0.3, 1.2), (-0.2, -0.3, 1.2)),
}


def lean(joints: Joints, mass: float = 0.2) -> dict[str, Point]:
    return with_mass({**LEAN, **joints}, mass)


PUSH: Joints = {
    **hands((0.2, -0.95, 1.4), (-0.2, -0.95, 1.4)),
    **shoulders((0.2, 0.0, 1.4), (-0.2, 0.0, 1.4)),
    **leaning(0.9),
}


HOLD: Joints = hands((0.2, -0.4, 1.2), (-0.2, -0.4, 1.2))


TOUCH: Joints = hands((0.2, -0.1, 1.2), (-0.2, 0.0, 0.8))
