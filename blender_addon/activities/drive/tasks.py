"""Tasks of a drive: the interaction controller uses the clicked objects, and the tasks are recorded."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.control.drive.driven_beats import DoneTask
from ....core.control.drive.driver import Driver
from ....core.control.drive.live_task import STAYING_ACTIONS, LiveTask, rest_ahead
from ....core.control.interaction.pushing import pushed_place
from ....core.control.interaction.putting_down import find_put_down
from ....core.control.interaction.task import InteractionTask, require_known_actions
from ....core.control.runtime.handover import require_same_body
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
from .reach import objects_ahead

LEVEL_M: Final = 0.1
"""Height over the floor, meters, up to which a place is on it."""
MOVING_ACTIONS: Final = {
    "carry": Message("Click where to put '{name}'"),
    "push": Message("Click where to push '{name}'"),
}
"""Actions that move an object, each with the request for where to."""


class DriveTasks:
    """The tasks of one driven character; it keeps no references to data of the file.

    Args:
        armature: the character.
        scale: world meters per controller meter.

    Attributes:
        live: the task in progress.
        done: the tasks that were done, with the names of their objects.
        note: message to show the user.
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
        self._name = self._chosen = self._move = ""
        self._begun = 0
        self._shutting: LiveTask | None = None
        self._moved: dict[str, Matrix] = {}
        self._ghosts: dict[str, GhostMesh] = {}

    def click(
        self, driver: Driver, obj: bpy.types.Object | None, point: Vector, scene: bpy.types.Scene, frame: int
    ) -> None:
        """Use the clicked object, put down the object clicked before, or end the task in progress.

        Args:
            driver: the character.
            obj: the object under the mouse; ``None`` without one.
            point: the clicked point of the object's surface, meters, world.
            scene: the scene.
            frame: frame of the driving session.
        """
        with self._told_or_ended() as may_begin:
            if may_begin and self._chosen:
                self._place(driver, obj, point, scene, frame)
            elif may_begin:
                if obj is None:
                    raise FootfallError("There is nothing under the mouse: click a seat, a box or a door")
                self._use(driver, obj, self._action_of(obj), scene, frame)

    def use_ahead(self, driver: Driver, scene: bpy.types.Scene, frame: int) -> None:
        """Use the nearest object ahead of the character, or end the task in progress."""
        with self._told_or_ended() as may_begin:
            if may_begin:
                obj, action = self._nearest(driver, scene)
                self._use(driver, obj, action, scene, frame)

    def rest(self, driver: Driver, action: str, scene: bpy.types.Scene, frame: int) -> None:
        """Lie or sit down on the ground ahead, depending on the action, or end the task in progress."""
        with self._told_or_ended() as may_begin:
            if may_begin:
                self._load(driver, action)
                task = rest_ahead(action, driver.place[:2], float(driver.runtime.yaw[0]))
                self._begin(driver, None, task, scene, frame)

    @contextmanager
    def _told_or_ended(self) -> Iterator[bool]:
        """End the task in progress, then yield whether the next task may begin; if it may not, report why."""
        if self.live is not None:
            self.end()
            yield False
            return
        self.note = Message()
        try:
            yield True
        except FootfallError as error:
            self.note = error.args[0]

    def end(self) -> None:
        """End the task in progress: the character gets up, puts down what it holds, or leaves the object."""
        if self.live is not None:
            self.live.end()
        if not self._chosen:
            self.note = Message()

    def advance(self, scene: bpy.types.Scene, frame: int) -> None:
        """Update the state of the task after a frame, and let a door behind the character fall shut."""
        if self._shutting is not None:
            self._shutting.sequencer.scene.swing_doors(None)
        if self.live is None:
            return
        is_there = self._is_there(scene)
        if self.live.is_over:
            self.live.hand_back()
            self._finish(self.live, is_there, frame)
        elif not is_there and not self.live.is_ending:
            self.end()
            self.note = Message("'{name}' was deleted, so the character stops using it", name=self._name)

    def recorded(self, scene: bpy.types.Scene, frame: int) -> list[tuple[DoneTask, str]]:
        """Return the tasks done up to a frame, including the one in progress, each with the name of its object."""
        live = self.live
        if live is None or (live.is_ending and not live.is_done) or not self._is_there(scene):
            return self.done
        return [*self.done, (self._done_task(live, frame), self._name)]

    def moved_objects(self) -> Iterator[tuple[GhostMesh, Matrix]]:
        """Yield each object that the character has moved, with its world matrix."""
        moved, acting = dict(self._moved), self.live or self._shutting
        if acting is not None and self._name in self._ghosts:
            moved[self._name] = self._things[0].scene_matrix(acting.sequencer.current_objects[0])
        yield from ((self._ghosts[name], matrix) for name, matrix in moved.items())

    def _action_of(self, obj: bpy.types.Object) -> str:
        """Return the action for which an object is used: the one in the list of tasks, else the default."""
        return self._told.get(obj.name_full) or usual_action_of(obj)

    def _nearest(self, driver: Driver, scene: bpy.types.Scene) -> tuple[bpy.types.Object, str]:
        """Return the nearest object ahead that can be used, and the action for which it is used.

        Raises:
            FootfallError: there is no such object.
        """
        for obj in objects_ahead(scene, self._scale * driver.place, float(driver.runtime.yaw[0]), self._moved):
            with suppress(FootfallError):
                return obj, self._action_of(obj)
        raise FootfallError(
            "There is nothing to use in front of the character: walk up to a seat, a box or a door, or click one"
        )

    def _use(self, driver: Driver, obj: bpy.types.Object, action: str, scene: bpy.types.Scene, frame: int) -> None:
        """Begin to use an object for an action; if the action needs a place to put it, ask for that first."""
        require_usable(obj, action, scene, frame)
        self._load(driver, action)
        floor = self._floor_under(driver)
        if action in MOVING_ACTIONS:
            read_interaction_object(obj, action, self._scale, floor)
            self._chosen, self._move = obj.name_full, action
            self.note = Message(MOVING_ACTIONS[action], name=obj.name)
            return
        duration = np.inf if action in STAYING_ACTIONS else 0.0
        self._begin(driver, obj, InteractionTask(action, 0, duration=duration), scene, frame)

    def _load(self, driver: Driver, action: str) -> None:
        """Load the interaction controller, unless it is loaded.

        Raises:
            FootfallError: the controller cannot be read, moves another body, or has not learned an action.
        """
        if self._acts is None or action not in self._acts[1].taught_goals:
            self._acts = library.load_interaction_controller(self._file, [action])
        name, model = self._acts
        require_same_body(driver.model, model)
        require_known_actions([InteractionTask(action)], model.taught_goals, f"'{name}'")

    def _place(
        self, driver: Driver, support: bpy.types.Object | None, point: Vector, scene: bpy.types.Scene, frame: int
    ) -> None:
        """Begin to carry the chosen object to a point on a support, or to push it to a point on the floor."""
        (name, self._chosen), box, floor = (self._chosen, ""), _find(self._chosen, scene), self._floor_under(driver)
        if box is None:
            raise FootfallError("'{name}' was deleted: click another object", name=name)
        if support == box:
            return
        self._chosen = name
        if support is None:
            raise FootfallError(MOVING_ACTIONS[self._move], name=box.name)
        carried = self._placed(read_interaction_object(box, self._move, self._scale, floor))
        if self._move == "push":
            place = pushed_place(carried, np.array([point.x, point.y, 0.0]) / self._scale)
            self._begin(driver, box, InteractionTask("push", 0, place), scene, frame)
            return
        if point.z - floor < LEVEL_M:
            place = np.array([point.x, point.y, 0.0]) / self._scale
            way = carried.position[:2] - place[:2]
            stand = way / max(float(length(way)), 1e-6)
        else:
            surface = read_interaction_object(support, "", self._scale, floor).interaction_object
            others = [self._placed(one) for one in read_obstacles(scene, [box], self._scale, floor)]
            place, stand = find_put_down(surface, carried, [one.posed_collider for one in others])
        self._begin(driver, box, InteractionTask("carry", 0, place, stand_direction=stand), scene, frame)

    def _begin(
        self, driver: Driver, obj: bpy.types.Object | None, task: InteractionTask, scene: bpy.types.Scene, frame: int
    ) -> None:
        """Begin a task: hand the character's body over to the interaction controller."""
        floor, used = self._floor_under(driver), [obj] if obj is not None else []
        things = [read_interaction_object(one, task.action, self._scale, floor) for one in used]
        things += read_obstacles(scene, used, self._scale, floor)
        assert self._acts is not None
        self.live = LiveTask(driver, self._acts[1], [self._placed(one) for one in things], task)
        self._things, self._begun, self._shutting = things, frame, None
        self._name, self._chosen = "" if obj is None else obj.name_full, ""
        if obj is None:
            self.note = Message("Press a movement key or click to get up")
            return
        if task.action not in STAYING_ACTIONS and self._name not in self._ghosts:
            self._ghosts[self._name] = GhostMesh.of(obj)
        self.note = Message("Press a movement key or click to stop using '{name}'", name=obj.name)

    def _finish(self, live: LiveTask, is_there: bool, frame: int) -> None:
        """End a task whose character walks again; record it if it was done and its object still exists."""
        self.live, self.note = None, Message()
        if live.has_failed and self._name:
            self.note = Message("'{name}' cannot be reached: move it, or choose another object", name=self._name)
        if live.task.action == "open":
            self._shutting = live
        elif live.task.action in MOVING_ACTIONS and is_there:
            self._moved[self._name] = self._things[0].scene_matrix(live.sequencer.current_objects[0])
        if is_there and live.is_done:
            self.done.append((self._done_task(live, frame), self._name))

    def _done_task(self, live: LiveTask, frame: int) -> DoneTask:
        """Return a record of the task in progress, as done up to a frame."""
        return DoneTask(self._begun, frame, live.task, self._begun + live.arrival_frame)

    def _is_there(self, scene: bpy.types.Scene) -> bool:
        """Return whether the object of the task is still in the scene; true for a task without an object."""
        return not self._name or _find(self._name, scene) is not None

    def _placed(self, one: SceneInteractionObject) -> InteractionObject:
        """Return an object at the position to which the drive has moved it."""
        moved = self._moved.get(one.name)
        return one.interaction_object if moved is None else one.object_at(moved)

    def _floor_under(self, driver: Driver) -> float:
        """Return the height of the floor under the character, meters, world.

        Raises:
            FootfallError: it differs from the floor at the start of the drive, where a bake performs all tasks.
        """
        place: Array = driver.place
        floor = float(place[2]) * self._scale
        if abs(floor - self._floor) > LEVEL_M:
            raise FootfallError(
                "You can only use objects on the floor where you started driving, and the character is {height} m "
                "above or below it: return to that floor",
                height=f"{abs(floor - self._floor):.1f}",
            )
        return floor


def _find(name: str, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """Return the object with a full name in a scene; ``None`` if it no longer exists."""
    return next((one for one in scene.objects if one.name_full == name), None)
