"""From a scene to the surroundings of a walk."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np

from ...core.message import Message
from ...core.motion.rotations import Array
from ...core.terrain.ground import Plane, Scene, Together
from ...core.terrain.walk_scene import WalkScene
from .ground_choice import GroundChoice, choose_ground
from .ground_tags import CEILING, JUMP_OVER, OBSTACLE, WALKABLE, tag_of
from .mesh_ground import Clock, SceneGeometry, SceneGround

FLOOR_USES: Final = (WALKABLE, JUMP_OVER)
HIGHEST_RISE_M: Final = 1.0
"""Height above a path up to which its ground is looked for."""
CEILING_USES: Final = (WALKABLE, JUMP_OVER, CEILING)


@dataclass(frozen=True, slots=True)
class CharacterWalkScene:
    """The surroundings of a character's walk.

    Attributes:
        walk_scene: ground, obstacles and objects to jump over, world, meters.
        is_level: whether the ground is level because there is no object to walk on.
        warnings: objects that cannot be used and the reasons, in sentences.
        moving_names: full names of the objects that may move, sorted.
        scene_key: key of the level ground's height and of the objects that do not move; equal where these are the same.
    """

    walk_scene: WalkScene
    is_level: bool
    warnings: tuple[str, ...] = ()
    moving_names: tuple[str, ...] = ()
    scene_key: tuple = ()


def read_walk_scene(
    armature: bpy.types.Object, context: bpy.types.Context, way: Array, clock: Clock | None = None
) -> CharacterWalkScene:
    """Return the surroundings of a character in the context's scene, according to its settings and the tags.

    Args:
        armature: the character.
        context: the context of the scene and view layer.
        way: (N, 3), points along the way of the character, meters, world; if none of them has ground below, the ground
            is
            level at their mean height.
        clock: clock that maps frames of the walk to frames of the scene.
    """
    choice, level_height = choose_ground(armature, context.scene, context.view_layer), float(way[:, 2].mean())
    if not any(choice.counts.values()):
        return CharacterWalkScene(
            WalkScene(Plane(level_height)), True, tuple(choice.warnings), scene_key=(level_height,)
        )
    scenery = SceneGeometry(context.scene, context.evaluated_depsgraph_get(), choice.use_of, clock)
    found: Scene = SceneGround(scenery, FLOOR_USES, CEILING_USES)
    above = way + np.array([0.0, 0.0, HIGHEST_RISE_M])
    flat = WALKABLE not in scenery.uses or not np.isfinite(found.heights(above)).any()
    if flat:
        found = Together(Plane(level_height), found)
    other = {use: SceneGround(scenery, (use,)) if use in scenery.uses else None for use in (OBSTACLE, JUMP_OVER)}
    surroundings = WalkScene(found, other[OBSTACLE], other[JUMP_OVER])
    troubles = (*choice.warnings, *_geometry_warnings(choice, scenery))
    still = tuple((one.use, one.shape, one.matrix.tobytes()) for one in scenery.static_instances)
    key = (level_height if flat else None, *sorted(still, key=lambda one: (one[0], one[2])))
    return CharacterWalkScene(surroundings, flat, troubles, tuple(sorted(scenery.moving_names)), key)


def _geometry_warnings(choice: GroundChoice, geometry: SceneGeometry) -> Iterator[str]:
    for name, why in geometry.warnings.items():
        yield Message("'{name}' cannot be used as it is: {reason}", name=name, reason=why)
    for thing in bpy.data.objects:
        meant = thing.session_uid in choice.object_uses and (thing.type == "MESH" or tag_of(thing) is not None)
        if meant and thing.name_full not in geometry.used_names and thing.name_full not in geometry.warnings:
            yield Message(
                "'{name}' has no faces to walk on: choose another object, or set its walk surface to Ignored",
                name=thing.name_full,
            )
