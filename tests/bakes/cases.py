"""Random scenes, each with what bakes it: walks, crowds, interactions and strikes, from one seed each."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, radians, sin
from typing import Final

import bpy

from footfall.blender_addon.scene.ground_tags import OBSTACLE, WALKABLE, set_tag
from footfall.tests.addon.support.scenes import add_box, add_curve, add_mesh, add_plane

CONTROLLERS: Final = ("locomotion", "locomotion_small", "phase_system")
"""Shipped controllers that walk on two legs."""
FRAME_RATES: Final = (24, 25, 30, 60)
POINT_SPACING_M: Final = 0.5
MAX_TURN_DEG: Final = 175.0
SPEEDS_M_S: Final = (0.4, 5.0)


@dataclass(frozen=True, slots=True)
class Case:
    """A scene that is made, and its bake.

    Attributes:
        kind: the key of :data:`MAKERS`.
        told: what was drawn, in words.
        characters: names of the armatures whose bake is looked at.
        bake: bakes them; the result of the operator.
    """

    kind: str
    told: str
    characters: tuple[str, ...]
    bake: Callable[[], set[str]]


def make_case(seed: int) -> Case:
    """Return the case of a seed, whose scene is made in the open file; the kinds take turns."""
    chance, kinds = random.Random(seed), tuple(MAKERS)
    bpy.context.scene.render.fps = chance.choice(FRAME_RATES)
    return MAKERS[kinds[seed % len(kinds)]](chance)


def _turns(chance: random.Random) -> Case:
    """Return a walk with a turn at every half meter, on level ground."""
    return _walk(chance, "turns", _winding(chance, chance.randint(4, 24), MAX_TURN_DEG), chance.uniform(*SPEEDS_M_S))


def _stairs(chance: random.Random) -> Case:
    """Return a walk up a flight of stairs, or down it."""
    rise, going, count = chance.uniform(0.1, 0.22), chance.uniform(0.24, 0.4), chance.randint(3, 12)
    set_tag(add_plane(60.0), WALKABLE)
    for number in range(count):
        length = 3.0 + going * (count - number)
        middle = (2.0 + going * number + length / 2, 0.0, rise * (number + 0.5))
        set_tag(add_box(f"Step {number}", middle, (length, 4.0, rise)), WALKABLE)
    top = 2.0 + going * count + 2.0
    points = [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (top - 2.0, 0.0, rise * count), (top, 0.0, rise * count)]
    told = f"{count} steps of {100 * rise:.0f} cm"
    return _walk(chance, "stairs", points[:: chance.choice((1, -1))], chance.uniform(0.5, 2.5), told)


def _rubble(chance: random.Random) -> Case:
    """Return a walk over uneven ground."""
    cells, size, height = 60, 0.25, chance.uniform(0.03, 0.18)
    points = [
        ((x - cells / 2) * size, (y - cells / 2) * size, chance.uniform(0.0, height))
        for y in range(cells)
        for x in range(cells)
    ]
    corners = [(y * cells + x, y * cells + x + 1) for y in range(cells - 1) for x in range(cells - 1)]
    ground = add_mesh("Rubble", points, [(a, b, b + cells, a + cells) for a, b in corners])
    set_tag(ground, WALKABLE)
    way = _winding(chance, chance.randint(4, 10), 60.0)
    return _walk(chance, "rubble", way, chance.uniform(0.5, 2.0), f"rubble of {100 * height:.0f} cm")


def _moving(chance: random.Random) -> Case:
    """Return a walk over a platform that moves."""
    set_tag(add_plane(60.0), WALKABLE)
    platform = add_box("Platform", (2.5, 0.0, 0.05), (3.0, 3.0, 0.1))
    set_tag(platform, WALKABLE)
    axis, reach, frames = chance.choice((0, 1, 2)), chance.uniform(0.2, 1.0), chance.randint(60, 240)
    for frame, share in ((1, 0.0), (frames, 1.0), (2 * frames, 0.0)):
        platform.location[axis] = (2.5, 0.0, 0.05)[axis] + share * reach
        platform.keyframe_insert("location", frame=frame)
    told = f"a platform that moves {reach:.1f} m along {'XYZ'[axis]} in {frames} frames"
    points = [(0.0, 0.0, 0.0), (2.5, chance.uniform(-0.5, 0.5), 0.1), (6.0, 0.0, 0.0)]
    return _walk(chance, "moving ground", points, chance.uniform(0.5, 1.6), told)


def _walls(chance: random.Random) -> Case:
    """Return a walk between things that block it."""
    set_tag(add_plane(60.0), WALKABLE)
    count = chance.randint(1, 8)
    for number in range(count):
        place = (chance.uniform(1.0, 7.0), chance.uniform(-2.0, 2.0), 0.6)
        size = chance.uniform(0.2, 1.5), chance.uniform(0.2, 1.5), 1.2
        set_tag(add_box(f"Block {number}", place, size), OBSTACLE)
    return _walk(
        chance, "walls", [(0, 0, 0), (8, chance.uniform(-2, 2), 0)], chance.uniform(0.5, 2.5), f"{count} blocks"
    )


def _crowd(chance: random.Random) -> Case:
    """Return a crowd whose paths cross."""
    count, controller, names = chance.randint(2, 8), chance.choice(CONTROLLERS[:2]), []
    for number in range(count):
        angle, length = chance.uniform(0.0, 2 * pi), chance.uniform(4.0, 10.0)
        person = _add_person(controller)
        person.footfall.speed = chance.uniform(0.8, 1.6)
        ends = [(side * length / 2 * cos(angle) + number % 3, side * length / 2 * sin(angle), 0.0) for side in (-1, 1)]
        person.footfall.path = add_curve("POLY", ends, name=f"Path {number}")
        names.append(person.name)

    def bake() -> set[str]:
        for name in names:
            bpy.data.objects[name].select_set(True)
        return bpy.ops.footfall.bake_crowd()

    return Case("crowd", f"{count} characters", tuple(names), bake)


def _interaction(chance: random.Random) -> Case:
    """Return a character that sits, carries or opens."""
    place = (chance.uniform(-1.0, 1.0), chance.uniform(2.0, 4.0))
    turn = chance.uniform(-pi, pi)
    kind = chance.choice(("sit", "carry"))
    if kind == "sit":
        size = chance.uniform(0.35, 0.7), chance.uniform(0.35, 0.6), chance.uniform(0.3, 0.6)
    else:
        size = tuple(chance.uniform(0.2, 0.5) for _ in range(3))
    thing = add_box("Thing", (*place, size[2] / 2), size)
    thing.rotation_euler.z = turn
    person = _add_person("locomotion")
    target = bpy.data.objects.new("Target", None)
    target.location = (chance.uniform(-3.0, 3.0), chance.uniform(4.5, 6.0), 0.0)
    bpy.context.collection.objects.link(target)
    task = person.footfall.interaction_tasks.add()
    task.type, task.object, task.target, task.duration = kind, thing, target, chance.uniform(0.5, 3.0)
    bpy.context.view_layer.update()
    told = f"{kind} {' x '.join(f'{100 * one:.0f}' for one in size)} cm"
    return Case("interaction", told, (person.name,), lambda: bpy.ops.footfall.bake_shot())


def _strikes(chance: random.Random) -> Case:
    """Return a character that strikes some targets."""
    person, frame, rate = _add_person("locomotion"), 0.0, bpy.context.scene.render.fps
    count = chance.randint(1, 4)
    for number in range(count):
        frame += chance.uniform(5.0, 9.0) * rate
        target = bpy.data.objects.new(f"Target {number}", None)
        angle = chance.uniform(-pi / 2, pi / 2)
        target.location = (sin(angle), -cos(angle) * chance.uniform(0.7, 2.0), chance.uniform(0.7, 1.7))
        bpy.context.collection.objects.link(target)
        strike = person.footfall.interaction_tasks.add()
        strike.type, strike.target, strike.has_end, strike.end_frame = "strike", target, True, round(frame)
        strike.effector = chance.choice(("HAND_L", "HAND_R", "FOOT_L", "FOOT_R"))
    bpy.context.view_layer.update()
    return Case("strikes", f"{count} strikes", (person.name,), lambda: bpy.ops.footfall.bake_shot())


MAKERS: Final[dict[str, Callable[[random.Random], Case]]] = {
    "turns": _turns,
    "stairs": _stairs,
    "rubble": _rubble,
    "moving ground": _moving,
    "walls": _walls,
    "crowd": _crowd,
    "interaction": _interaction,
    "strikes": _strikes,
}
"""Functions that make the scene of each kind."""


def _winding(chance: random.Random, count: int, most: float) -> list[tuple[float, float, float]]:
    """Return points that are :data:`POINT_SPACING_M` apart, with turns of up to some degrees at each."""
    yaw, points = 0.0, [(0.0, 0.0, 0.0)]
    for _ in range(count):
        x, y, z = points[-1]
        points.append((x + POINT_SPACING_M * sin(yaw), y + POINT_SPACING_M * cos(yaw), z))
        yaw += radians(chance.uniform(-most, most))
    return points


def _walk(chance: random.Random, kind: str, points: list, speed: float, told: str = "") -> Case:
    """Return a walk along points at a speed, m/s."""
    person = _add_person(chance.choice(CONTROLLERS))
    person.footfall.path = add_curve("POLY", points)
    person.footfall.speed, person.footfall.seed = speed, chance.randint(0, 9)
    words = [told or f"{len(points)} points", f"{speed:.1f} m/s", person.footfall.controller]
    return Case(kind, ", ".join(words), (person.name,), lambda: bpy.ops.footfall.bake_shot())


def _add_person(controller: str) -> bpy.types.Object:
    """Return a new character, which is active."""
    bpy.ops.footfall.add_character(controller=f"preset:{controller}")
    return bpy.context.object
