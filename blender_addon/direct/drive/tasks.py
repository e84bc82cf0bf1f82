"""Tasks of a drive: what is clicked is used by the interaction controller, and recorded."""

from collections.abc import Iterator
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.control.drive.driven_tasks import DoneTask
from ....core.control.drive.driver import Driver
from ....core.control.drive.handover import require_same_body
from ....core.control.drive.live_task import LiveTask
from ....core.control.interaction.putting_down import find_put_down
from ....core.control.interaction.task import InteractionTask, require_known_actions
from ....core.errors import FootfallError
from ....core.message import Message
from ....core.models.model_file import ControllerModel
from ....core.motion.rotations import Array, length
from ....core.scene.interaction_object import InteractionObject
from ....core.scene.usual_action import ACTIONS
from ...controllers import library
from ...scene.declared_motion import require_usable
from ...scene.ghost_mesh import GhostMesh
from ...scene.objects import SceneInteractionObject, read_interaction_object, read_obstacles, usual_action_of

LEVEL_M: Final = 0.1
"""Height over the floor, meters, up to which a place is on it."""


class DriveTasks:
    """The tasks of one driven character; it keeps no references to data of the file.

    Args:
        armature: the character.
        scale: meters of the world per meter of the controllers.

    Attributes:
        live: the task in progress.
        done: the tasks that were done, with the names of their objects.
        note: what is to be told.
    """

    def __init__(self, armature: bpy.types.Object, scale: float) -> None:
        settings = armature.footfall
        self._file, self._scale = str(settings.interaction_controller_file), scale
        self._floor = float(armature.matrix_world.translation.z)
        items = [item for item in settings.interaction_tasks if item.object is not None and item.type in ACTIONS]
        self._told = {item.object.name_full: str(item.type) for item in items}
        self.live: LiveTask | None = None
        self.done = list[tuple[DoneTask, str]]()
        self.note = Message()
        self._acts: tuple[str, ControllerModel] | None = None
        self._things: list[SceneInteractionObject] = []
        self._chosen = ""
        self._begun = 0
        self._shutting: LiveTask | None = None
        self._moved: dict[str, Matrix] = {}
        self._ghosts: dict[str, GhostMesh] = {}

    def click(
        self, driver: Driver, obj: bpy.types.Object | None, point: Vector, context: bpy.types.Context, frame: int
    ) -> None:
        """Use what is clicked, put down what was clicked before, or end the task in progress.

        Args:
            driver: the character.
            obj: the object under the mouse; ``None`` without one.
            point: the point of its surface, meters, world.
            context: the context.
            frame: frame of the drive.
        """
        if self.live is not None:
            self.end()
            return
        self.note = Message()
        try:
            if self._chosen:
                self._put(driver, obj, point, context.scene, frame)
            else:
                self._use(driver, obj, context.scene, frame)
        except FootfallError as error:
            self.note = error.args[0]

    def end(self) -> None:
        """End the task in progress: the character gets up, puts down what it holds, or leaves."""
        if self.live is not None:
            self.live.end()
        if not self._chosen:
            self.note = Message()

    def advance(self, scene: bpy.types.Scene, frame: int) -> None:
        """Note what has become of the task after a frame, and let the door behind the character fall shut."""
        if self._shutting is not None:
            self._shutting.sequencer.scene.swing_doors(None)
        if self.live is None:
            return
        name = self._things[0].name
        is_there = _find(name, scene) is not None
        if self.live.is_over:
            self.live.hand_back()
            self._finish(self.live, name if is_there else "", frame)
        elif not is_there and not self.live.is_ending:
            self.end()
            self.note = Message("'{name}' is gone: its task ends", name=name)

    def recorded(self, scene: bpy.types.Scene, frame: int) -> list[tuple[DoneTask, str]]:
        """Return the tasks that were done, and the one in progress, up to a frame, with the names of their objects."""
        live = self.live
        if live is None or (live.is_ending and not live.is_done) or _find(self._things[0].name, scene) is None:
            return self.done
        return [*self.done, (DoneTask(self._begun, frame, live.task), self._things[0].name)]

    def moved_objects(self) -> Iterator[tuple[GhostMesh, Matrix]]:
        """Yield the objects that the character has moved, with their world matrices."""
        moved, acting = dict(self._moved), self.live or self._shutting
        if acting is not None and self._things[0].name in self._ghosts:
            moved[self._things[0].name] = self._things[0].scene_matrix(acting.sequencer.current_objects[0])
        yield from ((self._ghosts[name], matrix) for name, matrix in moved.items())

    def _use(self, driver: Driver, obj: bpy.types.Object | None, scene: bpy.types.Scene, frame: int) -> None:
        """Begin to use an object, or ask where it is to be put."""
        if obj is None:
            raise FootfallError("There is nothing under the mouse: click a seat, a box or a door")
        action = self._told.get(obj.name_full) or usual_action_of(obj)
        require_usable(obj, action, scene, frame)
        if self._acts is None:
            self._acts = library.load_interaction_controller(self._file)
        name, model = self._acts
        require_same_body(driver.model, model)
        require_known_actions([InteractionTask(action)], model.taught_goals, f"'{name}'")
        floor = self._floor_under(driver)
        if action == "carry":
            read_interaction_object(obj, action, self._scale, floor)
            self._chosen = obj.name_full
            self.note = Message("Click where '{name}' is to be put", name=obj.name)
            return
        duration = np.inf if action == "sit" else 0.0
        self._begin(driver, obj, InteractionTask(action, 0, duration=duration), scene, frame)

    def _put(
        self, driver: Driver, support: bpy.types.Object | None, point: Vector, scene: bpy.types.Scene, frame: int
    ) -> None:
        """Begin to carry the chosen object to a point of a surface."""
        (name, self._chosen), box, floor = (self._chosen, ""), _find(self._chosen, scene), self._floor_under(driver)
        if box is None:
            raise FootfallError("'{name}' is gone: click another object", name=name)
        if support == box:
            return
        self._chosen = name
        if support is None:
            raise FootfallError("Click where '{name}' is to be put", name=box.name)
        carried = self._placed(read_interaction_object(box, "carry", self._scale, floor))
        if point.z - floor < LEVEL_M:
            place = np.array([point.x, point.y, 0.0]) / self._scale
            way = carried.position[:2] - place[:2]
            stand = way / max(float(length(way)), 1e-6)
        else:
            surface = read_interaction_object(support, "", self._scale, floor).interaction_object
            others = [self._placed(one) for one in read_obstacles(scene, [box], self._scale, floor)]
            place, stand = find_put_down(surface, carried, [one.posed_collider for one in others])
        self._begin(driver, box, InteractionTask("carry", 0, place, stand_direction=stand), scene, frame)
        self._chosen = ""

    def _begin(
        self, driver: Driver, obj: bpy.types.Object, task: InteractionTask, scene: bpy.types.Scene, frame: int
    ) -> None:
        """Give the body to the interaction controller."""
        floor = self._floor_under(driver)
        used = read_interaction_object(obj, task.action, self._scale, floor)
        things = [used, *read_obstacles(scene, [obj], self._scale, floor)]
        assert self._acts is not None
        self.live = LiveTask(driver, self._acts[1], [self._placed(one) for one in things], task)
        self._things, self._begun, self._shutting = things, frame, None
        if task.action != "sit" and used.name not in self._ghosts:
            self._ghosts[used.name] = GhostMesh.of(obj)
        self.note = Message("'{name}': a movement key or a click ends its use", name=obj.name)

    def _finish(self, live: LiveTask, name: str, frame: int) -> None:
        """Record a task whose character walks again, if it was done and its object is there still."""
        self.live, self.note = None, Message()
        if live.has_failed:
            self.note = Message("'{name}' cannot be reached", name=self._things[0].name)
        if live.task.action == "open":
            self._shutting = live
        elif live.task.action == "carry" and name:
            self._moved[name] = self._things[0].scene_matrix(live.sequencer.current_objects[0])
        if name and live.is_done:
            self.done.append((DoneTask(self._begun, frame, live.task), name))

    def _placed(self, one: SceneInteractionObject) -> InteractionObject:
        """Return an object where the drive has left it."""
        moved = self._moved.get(one.name)
        return one.interaction_object if moved is None else one.object_at(moved)

    def _floor_under(self, driver: Driver) -> float:
        """Return the height of the floor under the character, meters, world.

        Raises:
            FootfallError: it is not that on which the drive began, on which a bake does its tasks.
        """
        place: Array = driver.place
        floor = float(place[2]) * self._scale
        if abs(floor - self._floor) > LEVEL_M:
            raise FootfallError(
                "Tasks are done on the floor on which the drive began: this one is {height} m higher or lower",
                height=f"{abs(floor - self._floor):.1f}",
            )
        return floor


def _find(name: str, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """Return the object of a scene with a full name; ``None`` if it is gone."""
    return next((one for one in scene.objects if one.name_full == name), None)
