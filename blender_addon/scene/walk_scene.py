"""From a scene to the surroundings of a walk in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion.rotations import Array
from ...core.terrain.ground import Plane, Scene
from ...core.terrain.walk_scene import Surroundings
from .ground_choice import Choice, choose
from .ground_tags import AVOID, CEILING, JUMP_OVER, WALKABLE, tag_of
from .mesh_ground import Clock, SceneGround, Scenery

FLOORS: Final = (WALKABLE, JUMP_OVER)
ROOFS: Final = (WALKABLE, JUMP_OVER, CEILING)


@dataclass(frozen=True, slots=True, eq=False)
class OnLevel:
    """Things that stand on level ground: the ground is whatever of both is higher."""

    things: Scene
    level: Plane

    def heights(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`core.terrain.ground.Scene`."""
        return np.fmax(self.things.heights(points, frame), self.level.heights(points, frame))

    def normals(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`core.terrain.ground.Scene`."""
        higher = self.things.heights(points, frame) > self.level.heights(points, frame)
        return np.where(higher[..., None], self.things.normals(points, frame), self.level.normals(points, frame))

    def ceilings(self, points: Array, frame: float = 0.0) -> Array:
        """See :class:`core.terrain.ground.Scene`."""
        return self.things.ceilings(points, frame)

    @property
    def steady(self) -> bool:
        """See :class:`core.terrain.ground.Scene`."""
        return self.things.steady

    def blocked(self, starts: Array, ends: Array, frame: float = 0.0) -> NDArray[np.bool_]:
        """See :class:`core.terrain.ground.Scene`."""
        return self.things.blocked(starts, ends, frame) | self.level.blocked(starts, ends, frame)

    def carried(self, points: Array, since: float, until: float) -> Array:
        """See :class:`core.terrain.ground.Scene`."""
        return self.things.carried(points, since, until)


@dataclass(frozen=True, slots=True)
class SceneSurroundings:
    """What a character's walk has to do with.

    Attributes:
        surroundings: for the walk.
        level: whether the ground is level, nothing being walked on.
        troubles: what cannot be used and why, in sentences.
        moving: the names of what moves.
        key: what stands still, and how; equal where it is the same.
    """

    surroundings: Surroundings
    level: bool
    troubles: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()
    key: tuple = ()


def surroundings_of(
    armature: bpy.types.Object, context: bpy.types.Context, level: float, clock: Clock | None = None
) -> SceneSurroundings:
    """The surroundings of a character, as its settings and the objects' tags say, in the context's scene.

    Args:
        armature: the character.
        context: whose scene and view layer.
        level: the height of the ground where nothing is walked on, metres.
        clock: which of the scene's frames a frame of the walk is.
    """
    choice = choose(armature, context.scene, context.view_layer)
    if not any(choice.counts.values()):
        return SceneSurroundings(Surroundings(Plane(level)), True, tuple(choice.troubles), key=(level,))
    scenery = Scenery(context.scene, context.evaluated_depsgraph_get(), choice.use_of, clock)
    found: Scene = SceneGround(scenery, FLOORS, ROOFS)
    flat = WALKABLE not in scenery.uses
    if flat:
        found = OnLevel(found, Plane(level))
    other = {use: SceneGround(scenery, (use,)) if use in scenery.uses else None for use in (AVOID, JUMP_OVER)}
    surroundings = Surroundings(found, other[AVOID], other[JUMP_OVER])
    troubles = (*choice.troubles, *_troubles(choice, scenery))
    still = tuple((one.use, one.shape, one.matrix.tobytes()) for one in scenery.still)
    key = (level if flat else None, *sorted(still, key=lambda one: (one[0], one[2])))
    return SceneSurroundings(surroundings, flat, troubles, tuple(sorted(scenery.moving)), key)


def _troubles(choice: Choice, scenery: Scenery) -> Iterator[str]:
    for name, why in scenery.troubles.items():
        yield f"'{name}' {why}"
    for thing in bpy.data.objects:
        meant = thing.session_uid in choice.uses and (thing.type == "MESH" or tag_of(thing) is not None)
        if meant and thing.name_full not in scenery.used and thing.name_full not in scenery.troubles:
            yield f"'{thing.name_full}' has no faces: there is nothing to stand on"
