"""A sheet of rigs: each of them walks, and sits on a stool, from the side and from the front."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import bpy
import numpy as np
from mathutils import Vector

from ..benchmarks.scripted_rigs.characters import BODIES, CHARACTERS, put_character
from ..blender_addon.rig.clip_reader import read_mapped_action
from ..core.motion import Clip
from ..training.interactions.props.seats import Stool
from . import stage
from .render import Quality, prepare, render_frame
from .room import WOOD, add_thing
from .walk import SPEED

NAME: Final = "rigs"
CELL: Final = Quality(150, 258, 12)
SEAT_HEIGHT: Final = 0.45
SEATED_S: Final = 1.5
STOOL_AT: Final = (0.0, -2.0, 0.0)
WALK: Final = ((0.0, 0.0, False), (0.0, -3.0, False))
VIEWS: Final = {"side": np.radians(90.0), "front": np.radians(35.0)}
"""Angles, radians, between a character's facing and the direction to the camera."""
FRAME_HEIGHT: Final = 2.35
EYE_HEIGHT: Final = 1.06
"""Height of the camera's target, meters."""
LABEL_SIZE: Final = 0.16
SKIN: Final[stage.Colour] = (0.66, 0.60, 0.54, 1.0)


@dataclass(frozen=True, slots=True)
class Shot:
    """A baked character at one frame.

    Attributes:
        clip: its motion at the scene's rate.
        index: the frame of the clip.
        first: the scene's frame at the start of the clip.
    """

    clip: Clip
    index: int
    first: int

    @property
    def frame(self) -> int:
        """The frame of the scene."""
        return self.first + self.index

    @property
    def hips(self) -> tuple[float, float]:
        """Place of the hip joints on the ground, meters."""
        x, y, _ = np.mean([self._place(f"thigh.{side}") for side in "LR"], axis=0)
        return float(x), float(y)

    @property
    def facing(self) -> float:
        """Direction in which the pelvis looks, radians from +X."""
        across = self._place("thigh.L") - self._place("thigh.R")
        return float(np.arctan2(-across[0], across[1]))

    def _place(self, role: str) -> np.ndarray:
        return self.clip.positions[self.index, self.clip.skeleton.roles[role]]


def walk(scene: bpy.types.Scene, armature: bpy.types.Object) -> Shot:
    """Bake a walk; return a shot of the longest step in its middle."""
    armature.footfall.path, armature.footfall.speed = stage.draw_path(WALK), SPEED
    bpy.ops.footfall.bake_shot()
    clip, first = read_mapped_action(armature, armature.animation_data.action, scene)
    feet = [clip.positions[:, clip.skeleton.roles[f"foot.{side}"], :2] for side in "LR"]
    start, stop = len(clip) // 3, 2 * len(clip) // 3
    apart = np.linalg.norm(feet[0] - feet[1], axis=-1)[start:stop]
    return Shot(clip, start + int(apart.argmax()), first)


def sit(scene: bpy.types.Scene, armature: bpy.types.Object) -> Shot:
    """Bake a walk to a stool that ends seated."""
    stool = Stool(seat_height=SEAT_HEIGHT, size=0.36, is_round=False)
    thing = add_thing(scene, "Stool", stool.mesh(), STOOL_AT, 0.0, WOOD)
    errand = armature.footfall.interaction_tasks.add()
    errand.type, errand.object, errand.duration = "sit", thing, SEATED_S
    bpy.ops.footfall.bake_shot()
    clip, first = read_mapped_action(armature, armature.animation_data.action, scene)
    return Shot(clip, len(clip) - 1, first)


ACTS: Final[tuple[Callable[[bpy.types.Scene, bpy.types.Object], Shot], ...]] = (walk, sit)


def characters_to_show() -> list[str]:
    """Return the names of the characters; without the shared data, only those independent of it."""
    return [name for name in CHARACTERS if BODIES.is_dir() or not name.startswith("Rocketbox")]


def picture_rig(new_scene: Callable[[], bpy.types.Scene], rig: str, quality: Quality, folder: Path) -> list[Path]:
    """Render a rig that walks and sits; return the files, from top to bottom.

    Args:
        new_scene: empties the file and returns its scene.
        rig: name of one of :data:`CHARACTERS`.
        quality: quality of each picture.
        folder: folder of the files.
    """
    files: list[Path] = []
    for act in ACTS:
        scene = new_scene()
        prepare(scene)
        armature = put_character(CHARACTERS[rig])
        dress(armature)
        shot = act(scene, armature)
        for view, turn in VIEWS.items():
            label = "" if files else rig
            files.append(folder / f"{rig}_{act.__name__}_{view}.png")
            look(scene, shot, turn, label)
            render_frame(scene, shot.frame, quality, files[-1])
        print(f"[{NAME}] {rig}: {act.__name__}, {armature.footfall.quality_summary}", flush=True)
    return files


def dress(armature: bpy.types.Object) -> None:
    """Give the skin of a character one color, if it is not the add-on's own."""
    skins = [one for one in bpy.data.objects if one.type == "MESH" and one.find_armature() == armature]
    for skin in skins:
        if not any(slot.material and slot.material.name.startswith("Footfall") for slot in skin.material_slots):
            skin.data.materials.clear()
            skin.data.materials.append(stage.plain_material("Skin", SKIN))
            if "custom_normal" in skin.data.attributes:
                skin.data.attributes.remove(skin.data.attributes["custom_normal"])
            skin.data.shade_smooth()


def look(scene: bpy.types.Scene, shot: Shot, turn: float, label: str) -> None:
    """Aim the camera at a character, with a label over it."""
    for old in [one for one in scene.objects if one.type in ("CAMERA", "FONT")]:
        bpy.data.objects.remove(old)
    data = bpy.data.cameras.new("Rig")
    data.type, data.sensor_fit, data.ortho_scale = "ORTHO", "VERTICAL", FRAME_HEIGHT
    camera = bpy.data.objects.new("Rig", data)
    scene.collection.objects.link(camera)
    angle = shot.facing - turn
    away = Vector((np.cos(angle), np.sin(angle), 0.12))
    camera.location = Vector((*shot.hips, EYE_HEIGHT)) + 5.0 * away
    camera.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    scene.camera = camera
    if label:
        text = bpy.data.curves.new("Label", "FONT")
        text.body, text.size, text.align_x = label, LABEL_SIZE, "CENTER"
        text.materials.append(stage.plain_material("Label", (0.05, 0.05, 0.05, 1.0)))
        written = bpy.data.objects.new("Label", text)
        written.parent, written.location = camera, (0.0, FRAME_HEIGHT / 2 - 1.2 * LABEL_SIZE, -1.0)
        scene.collection.objects.link(written)
