"""Drawing the profile of the ground along a path in the 3D viewport."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import bpy
import gpu
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gpu_extras.batch import batch_for_shader

from ....core.message import Message
from ....core.motion.rotations import Array
from ....core.motion.signals import runs_of
from ...ui.colors import DARK, Color, with_opacity
from ...ui.gpu_drawing import draw_line_batch, draw_tag, line_batch
from ...ui.memo import Memo
from ...ui.operator_base import active_armature
from ...ui.translations import translate_interface
from ...units import to_units
from .finding import get_profile
from .profile import GroundProfile

PATH_COLOR: Final = (0.95, 0.85, 0.35, 0.95)
GROUND_COLOR: Final = (0.92, 0.94, 0.96, 0.8)
MISSING_GROUND_COLOR: Final = (1.0, 0.22, 0.18, 0.95)
JUMP_COLOR: Final = (1.0, 0.55, 0.10, 1.0)
CEILING_COLOR: Final = (0.72, 0.55, 1.0, 0.9)
LINE_HEIGHT_M: Final = 0.01
"""Height of lines above the ground, meters, so that it does not hide them."""
POINT_SIZE_PX: Final = 5.0
LINE_WIDTH_PX: Final = 2.0
OCCLUDED_OPACITY_RATIO: Final = 0.25
"""Opacity of lines hidden by objects, as a share."""
TEXT_SIZE_PX: Final = 12.0


@dataclass(frozen=True, eq=False)
class _GpuProfile:
    """A profile on the graphics card: its lines, faint and solid, and its points."""

    faint_lines: gpu.types.GPUBatch
    lines: gpu.types.GPUBatch
    points: gpu.types.GPUBatch


_gpu_profiles: Memo[_GpuProfile] = Memo()


def free_gpu_resources() -> None:
    """Free the resources in GPU memory."""
    _gpu_profiles.clear()


def visible_profile(context: bpy.types.Context) -> tuple[GroundProfile | None, str]:
    """Return the profile to draw now (``None`` if it is switched off), or the reason why there is none."""
    armature = active_armature(context)
    if armature is None or not context.scene.footfall_show_ground or not context.space_data.overlay.show_overlays:
        return None, ""
    return get_profile(armature)


def line_segments(profile: GroundProfile) -> Iterator[tuple[Array, Color]]:
    """Yield the profile's line segments (M, 2, 3), each batch with its color."""
    raised = profile.samples + np.array([0.0, 0.0, LINE_HEIGHT_M])
    rungs = np.concatenate([raised[:, :2], raised[:, 1:]])
    both = np.concatenate([profile.has_ground[:, :2].all(axis=1), profile.has_ground[:, 1:].all(axis=1)])
    yield rungs[both], with_opacity(GROUND_COLOR, 0.45)
    for column in (0, 2):
        pieces = np.stack([raised[:-1, column], raised[1:, column]], axis=1)
        yield pieces[profile.has_ground[:-1, column] & profile.has_ground[1:, column]], with_opacity(GROUND_COLOR, 0.35)
    way = np.stack([raised[:-1, 1], raised[1:, 1]], axis=1)
    jumped = profile.jumps[:-1] | profile.jumps[1:]
    firm = profile.has_ground[:-1, 1] & profile.has_ground[1:, 1]
    yield way[firm & ~jumped], PATH_COLOR
    yield way[firm & jumped], JUMP_COLOR
    yield way[~firm], MISSING_GROUND_COLOR
    yield profile.unwalked_segments + np.array([0.0, 0.0, LINE_HEIGHT_M]), MISSING_GROUND_COLOR
    low = np.isfinite(profile.ceilings)
    ends = profile.samples[:, 1].copy()
    ends[:, 2] = profile.ceilings
    yield np.stack([raised[low, 1], ends[low]], axis=1)[::4], with_opacity(CEILING_COLOR, 0.6)
    roof = low[:-1] & low[1:]
    yield np.stack([ends[:-1][roof], ends[1:][roof]], axis=1), CEILING_COLOR


def sample_points(profile: GroundProfile) -> tuple[Array, Array]:
    """Return sample points (P, 3) and colors (P, 4): left of the path, on it, right of it, and without ground."""
    colours = np.tile(np.array([DARK.left, GROUND_COLOR, DARK.right], np.float32), (len(profile.samples), 1, 1))
    colours[~profile.has_ground] = MISSING_GROUND_COLOR
    places = profile.samples + np.array([0.0, 0.0, LINE_HEIGHT_M])
    return places.reshape(-1, 3), colours.reshape(-1, 4)


def draw_on_ground(context: bpy.types.Context) -> None:
    """Draw the ground heights and the path in the 3D scene."""
    lie, _ = visible_profile(context)
    if lie is None:
        return
    batches = _gpu_profiles.get(
        lie, lambda: _GpuProfile(_line_batch(lie, OCCLUDED_OPACITY_RATIO), _line_batch(lie, 1.0), _point_batch(lie))
    )
    scale = context.preferences.system.ui_scale
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_mask_set(False)
    # Lines shine through objects in front of them: on stairs, they cut through the edges of steps.
    for lines, test in ((batches.faint_lines, "NONE"), (batches.lines, "LESS_EQUAL")):
        gpu.state.depth_test_set(test)
        draw_line_batch(lines, LINE_WIDTH_PX * scale)
    gpu.state.point_size_set(POINT_SIZE_PX * scale)
    batches.points.draw(gpu.shader.from_builtin("FLAT_COLOR"))
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


def _line_batch(profile: GroundProfile, strength: float) -> gpu.types.GPUBatch:
    pieces, colours = [], []
    for stroke, colour in line_segments(profile):
        pieces.append(stroke.reshape(-1, 3))
        colours.append(np.tile(np.array(with_opacity(colour, strength), np.float32), (2 * len(stroke), 1)))
    return line_batch(np.concatenate(pieces), np.concatenate(colours))


def _point_batch(profile: GroundProfile) -> gpu.types.GPUBatch:
    places, colours = sample_points(profile)
    content = {"pos": places.astype(np.float32), "color": colours}
    return batch_for_shader(gpu.shader.from_builtin("FLAT_COLOR"), "POINTS", content)


def texts(profile: GroundProfile) -> Iterator[tuple[str, Array]]:
    """Yield texts with their positions (3): the result for the path, low ceilings, and obstacles to jump over."""
    yield from profile.notes
    for start, stop in runs_of(np.isfinite(profile.ceilings)):
        lowest = start + int(np.argmin((profile.ceilings - profile.samples[:, 1, 2])[start:stop]))
        room = profile.ceilings[lowest] - profile.samples[lowest, 1, 2]
        yield (
            Message("{height} m of headroom", height=f"{room:.2f}"),
            np.array([*profile.samples[lowest, 1, :2], profile.ceilings[lowest]]),
        )
    for start, stop in runs_of(profile.jumps):
        highest = start + int(np.argmax(profile.samples[start:stop, 1, 2]))
        yield Message("jump"), profile.samples[highest, 1]


def draw_texts(context: bpy.types.Context) -> None:
    """Draw the texts in the region."""
    lie, trouble = visible_profile(context)
    size = TEXT_SIZE_PX * context.preferences.system.ui_scale
    if trouble:
        draw_tag(translate_interface(trouble), 3 * size, 3 * size, size)
    if lie is None:
        return
    for text, place in texts(lie):
        at = location_3d_to_region_2d(context.region, context.region_data, to_units(place))
        if at is not None:
            draw_tag(translate_interface(text), at.x + size, at.y + size, size)
