"""Hero: paths are drawn, and one bake takes the character up stairs, onto a chair, down, and out through a door."""

from typing import Final

import bpy
import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...blender_addon.scene.path_reader import read_path
from ...core.motion.polyline import arc_lengths_of
from ...core.motion.rotations import Array
from ..camera import calm_middles, led
from ..render import Quality
from ..shot import bake_shot, build_stairs, heights, shown_frames
from ..walk import Baked
from .drawn_line import add_drawn_line
from .film import RATE, Film, Shot, empty_stage
from .footprints import add_footprints

QUALITY: Final = Quality(640, 360, 4)
DRAWN: Final = (("up", 0.9), ("down", 0.7))
"""Paths, and the seconds of drawing each."""
BREATH_S, BAKED_S = 0.15, 0.8
"""Pause after drawing, and duration of the appearance of footprints."""
BEATS: Final = ("up", "sit", "down", "open", "away")
"""Names of the shot's beats here."""
CAPTIONS: Final = ("Draw paths", "Walk up stairs", "Sit down", "Walk down", "Open the door", "Walk away")
"""Before the beats, and of each."""
SPACING_M: Final = 0.02
"""Distance between a drawn line's points."""
AFTER_S: Final = 2.1
"""Time from the passage through the door to the end of the film."""
SUN_TURN: Final = 0.6
"""Turn of the sun about Z, radians: it comes from the left of the camera."""
SUN_STRENGTH: Final = 4.2
FILL: Final = 0.4
"""Strength of the sky's light; it looks brighter than that."""
RIM_TILT: Final = (1.05, 0.0, -1.95)
RIM_STRENGTH: Final = 1.6
WIDE: Final = (0.0, 0.1, 0.75)
"""Middle of the whole scene, meters."""
LAST_AIM_M: Final = 4.5
"""Where the camera stays behind, along Y."""
VIEWS: Final = (
    ("up", 0.0, 76.0, 13.0, 16.6, 0.0),
    ("up", 2.2, 88.0, 10.0, 7.0, 1.0),
    ("sit", 0.0, 76.0, 9.0, 6.2, 1.0),
    ("down", 0.0, 72.0, 9.0, 6.0, 1.0),
    ("open", -1.2, 70.0, 9.0, 6.2, 1.0),
    ("open", 1.6, 34.0, 11.0, 6.2, 1.0),
    ("open", 3.6, 10.0, 13.0, 6.4, 1.0),
)
"""The way of the camera: a beat, seconds from its start, degrees about Z and from above, meters, and the share of the
character in its aim; the rest is the scene's middle."""
CALM_S: Final = 0.7


def build() -> Film:
    """Return the film."""
    scene, _ = empty_stage()
    _light(scene)
    things = build_stairs(scene)
    frame = 1
    for name, seconds in DRAWN:
        path, last = things[name], frame + round(seconds * RATE)
        add_drawn_line(scene, _on_ground(read_path(path).points), frame, last)
        path.hide_render = True
        frame = last
    scene.frame_start = begins = frame + round(BREATH_S * RATE)
    baked = bake_shot(scene, things)
    add_footprints(scene, baked, begins, begins + round(BAKED_S * RATE), heights)
    beats = [beat.first_frame for beat in baked.armature.footfall.interaction_tasks]

    def caption(frame: int) -> str:
        return CAPTIONS[np.searchsorted(beats, frame, side="right")]

    last = shown_frames(baked, 2)[-1] + round(AFTER_S * RATE)
    return Film(scene, (Shot(_camera(scene, baked, beats), 1, last, caption),), 0.26, QUALITY)


def _on_ground(corners: Array) -> Array:
    """Return closely spaced points (N, 3) on the ground along a polyline (K, 2), meters."""
    lengths = arc_lengths_of(corners)
    at = np.arange(0.0, lengths[-1], SPACING_M)
    points = np.column_stack([np.interp(at, lengths, corners[:, axis]) for axis in range(2)])
    return np.column_stack([points, heights(points)])


def _camera(scene: bpy.types.Scene, baked: Baked, beats: list[int]) -> bpy.types.Object:
    """Return the camera, which is led from a view of everything along with the character to the door."""
    ways = calm_middles(baked.clip)
    ways = np.concatenate([np.repeat(ways[:1], baked.first - 1, axis=0), ways])
    ways[:, 1] = np.minimum(ways[:, 1], LAST_AIM_M)
    starts: dict[str, int] = dict(zip(BEATS, beats, strict=True))
    keyed = [starts[beat] + seconds * RATE for beat, seconds, *_ in VIEWS]
    columns = np.array([values for _, _, *values in VIEWS]).T
    frames = np.arange(1, len(ways) + 1)
    moves = np.column_stack([np.interp(frames, keyed, column) for column in columns])
    moves = gaussian_filter1d(moves, CALM_S * RATE, axis=0, mode="nearest")
    aims = WIDE + moves[:, 3:] * (ways - WIDE)
    return led(scene, gaussian_filter1d(aims, CALM_S * RATE, axis=0, mode="nearest"), moves[:, :3], 1)


def _light(scene: bpy.types.Scene) -> None:
    """Let the sun come from the side of the camera, add a rim light behind the character, and dim the sky's light."""
    sun = bpy.data.objects["Sun"]
    sun.rotation_euler.z, sun.data.energy = SUN_TURN, SUN_STRENGTH
    data = bpy.data.lights.new("Rim", "SUN")
    data.energy, data.angle = RIM_STRENGTH, 0.3
    rim = bpy.data.objects.new("Rim", data)
    rim.rotation_euler = RIM_TILT
    scene.collection.objects.link(rim)
    tree = scene.world.node_tree
    rays, strength = tree.nodes.new("ShaderNodeLightPath"), tree.nodes.new("ShaderNodeMapRange")
    background = next(node for node in tree.nodes if node.type == "BACKGROUND").inputs["Strength"]
    strength.inputs["To Min"].default_value, strength.inputs["To Max"].default_value = FILL, background.default_value
    tree.links.new(rays.outputs["Is Camera Ray"], strength.inputs["Value"])
    tree.links.new(strength.outputs["Result"], background)
