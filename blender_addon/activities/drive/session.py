"""A drive in progress: held keys become requested motion, and that becomes frames."""

from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ....core.actions import actions_that
from ....core.body import bone_ends, forward_direction
from ....core.control.ball.dribble import plays_ball
from ....core.control.drive.driven_ball import DrivenBall
from ....core.control.drive.driven_beats import DrivenBeat, beats_of
from ....core.control.drive.driver import DriveMoment, Driver
from ....core.control.drive.recording import DrivenPath, path_of
from ....core.control.drive.wish import DriveWish
from ....core.control.interaction.task import InteractionTask
from ....core.control.walk.performers import performer_shares
from ....core.errors import FootfallError
from ....core.motion import Clip
from ....core.motion.proportions import ADULT_LEG_LENGTH_M, scale_between
from ....core.motion.root_frame import facing_direction, yaw_of
from ....core.motion.rotations import Array
from ...rig.chosen_controller import load_chosen
from ...rig.store import calibrate_to_model
from ...scene.walk_scene import read_walk_scene
from ..walk.request import make_clock, next_start_frame
from .tasks import DriveTasks

RUN_SPEED_M_S: Final = 3.0
"""Speed of a running adult."""
SLOW_RATIO: Final = 0.5
"""Speed of a slow walk, as a share of the usual one."""
MOVES: Final = ("FORWARD", "BACKWARD", "LEFT", "RIGHT")
"""Actions that move a character, and end its task."""
RESTS: Final = {name.upper(): name for name in actions_that(lambda one: one.rests and not one.object_kind)}
"""Actions of an interaction controller on the ground, by their keys' actions."""
CROUCH: Final = "crouch"
MAX_FRAMES: Final = 6
"""Most frames that are made at once: a window that was late does not catch up."""
MAX_SECONDS: Final = 1800.0
"""Longest drive."""


class DriveSession:
    """The driving session of one character; it keeps no references to data of the file.

    Args:
        armature: the character.
        context: the context.

    Attributes:
        held: actions whose keys are held.
        moments: the driving session so far, frame by frame, in controller meters.
        tasks: the tasks that follow from clicks.
        pose: the last pose, in controller meters; ``None`` before the first frame.
        ball: (3) center of the ball then, in controller meters; ``None`` without one.
        scale: world meters per controller meter.

    Raises:
        FootfallError: the controller or the rig map is missing.
    """

    def __init__(self, armature: bpy.types.Object, context: bpy.types.Context) -> None:
        settings = armature.footfall
        self.armature_name = armature.name_full
        _, self.model = load_chosen(settings)
        calibration = calibrate_to_model(armature, self.model)
        self.scale = scale_between(self.model.skeleton, calibration.target)
        place = np.array(armature.matrix_world.translation, dtype=float)
        clock = make_clock(next_start_frame(armature, context.scene), context.scene, self.model)
        self._clock = clock
        around = read_walk_scene(armature, context, place[None], clock).walk_scene.scaled(1 / self.scale)
        heads, _ = bone_ends(calibration.target)
        self.yaw = float(yaw_of(forward_direction(calibration.target, heads)[:2]))
        shares = performer_shares(self.model, settings.performer, 0.0, 0)
        self.tasks = DriveTasks(armature, self.scale)
        ball = None
        if settings.ball != "NONE" and plays_ball(self.model):
            ball = DrivenBall(self.model, settings.ball.lower(), float(settings.ball_radius) / self.scale)
        bias = float(settings.responsiveness)
        self.driver = Driver(self.model, place / self.scale, self.yaw, around, bias, shares, ball)
        self.speed, self.style = float(settings.speed), str(settings.style)
        self.held = set[str]()
        self.moments = list[DriveMoment]()
        self.pose: Clip | None = None
        self.follows = True
        self.ball: Array | None = None
        self._wants_jump, self._wants_hand, self._due = False, False, 0.0

    @property
    def seconds(self) -> float:
        """Length of the driving session so far, seconds."""
        return len(self.moments) / self.model.rate

    @property
    def scene_frame(self) -> int:
        """Scene frame at the current end of the driving session; a bake of the session begins at its first frame."""
        return int(self._clock.at(len(self.moments)) + 1e-6)

    def press(self, action: str) -> None:
        """Record that the key of an action was pressed."""
        if action == "CAMERA":
            self.follows = not self.follows
        elif action == "JUMP":
            self._wants_jump = "jump" in self.model.gaits
        elif action == "HAND":
            self._wants_hand = True
        elif action == "USE":
            self.tasks.use_ahead(self.driver, bpy.context.scene, len(self.moments))
        elif action in RESTS:
            self.tasks.rest(self.driver, RESTS[action], bpy.context.scene, len(self.moments))
        else:
            self.held.add(action)
            if action in MOVES:
                self.tasks.end()

    def release(self, action: str) -> None:
        """Record that the key of an action was released."""
        self.held.discard(action)

    def wish(self, view_yaw: float) -> DriveWish:
        """Return the motion requested by the held keys, in controller meters.

        Args:
            view_yaw: viewing direction of the viewport, yaw, radians.
        """
        ahead, right = facing_direction(np.array(view_yaw)), facing_direction(np.array(view_yaw - np.pi / 2))
        way = ahead * (("FORWARD" in self.held) - ("BACKWARD" in self.held))
        way = way + right * (("RIGHT" in self.held) - ("LEFT" in self.held))
        speed = self.speed / self.scale
        if "FASTER" in self.held:
            speed = max(RUN_SPEED_M_S * np.sqrt(self.model.skeleton.leg_length / ADULT_LEG_LENGTH_M), speed)
        elif "SLOWER" in self.held:
            speed *= SLOW_RATIO
        size = float(np.linalg.norm(way))
        crouches = "CROUCH" in self.held and CROUCH in self.model.gaits
        jumps, changes, self._wants_jump, self._wants_hand = self._wants_jump, self._wants_hand, False, False
        return DriveWish(
            way * (speed / size) if size > 0 else np.zeros(2),
            view_yaw if "STRAFE" in self.held else None,
            CROUCH if crouches else self.style,
            jumps,
            changes,
        )

    def advance(self, seconds: float, view_yaw: float) -> bool:
        """Continue the driving session for a time in seconds; return whether there are new frames.

        Raises:
            FootfallError: the driving session is too long.
        """
        if self.seconds > MAX_SECONDS:
            raise FootfallError("A drive can last half an hour at most: start the next one where this one ended")
        self._due = min(self._due + seconds * self.model.rate, MAX_FRAMES)
        made = int(self._due)
        for _ in range(made):
            wish, live = self.wish(view_yaw), self.tasks.live
            frame = self.driver.step(wish) if live is None else live.step(wish.velocity)
            self.moments.append(frame.moment)
            self.pose, self.ball = frame.pose, frame.ball
            self.tasks.advance(bpy.context.scene, len(self.moments))
        self._due -= made
        return made > 0

    @property
    def place(self) -> Array:
        """Position (3) of the root on the ground, world meters."""
        return self.scale * (self.driver.place if self.tasks.live is None else self.moments[-1].root)

    def click(self, obj: bpy.types.Object | None, point: Vector, context: bpy.types.Context) -> None:
        """Use the object clicked at a point (3), meters, world; ``obj`` is ``None`` if the click hit nothing."""
        self.tasks.click(self.driver, obj, point, context.scene, len(self.moments))

    def path(self) -> DrivenPath:
        """Return the driving session so far as a path, in controller meters."""
        return path_of(self.moments, self.model.rate)

    def beats(self) -> list[tuple[DrivenBeat, str]]:
        """Return the driving session so far as beats in controller meters, each with the name of its object.

        The name is empty for a beat without an object. The list is empty if the user clicked nothing.
        """
        done = self.tasks.recorded(bpy.context.scene, len(self.moments))
        if not done:
            return []
        names = iter([name for _, name in done if name])
        beats = beats_of(self.moments, [one for one, _ in done], self.model)
        return [
            (beat, next(names) if isinstance(beat, InteractionTask) and beat.object_index >= 0 else "")
            for beat in beats
        ]
