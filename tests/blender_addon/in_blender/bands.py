"""In Blender 5.2, which draws off-screen without a window: the bands in the timeline. Argument: a BVH file."""

import sys
from pathlib import Path
from types import SimpleNamespace

import bpy
import gpu
import numpy as np
from mathutils import Matrix

import footfall
from footfall.blender_addon import timeline_bands

sys.path.insert(0, str(Path(__file__).parent))
from armatures import import_bvh
from harness import run_checks

CLIP = sys.argv[1]
WIDTH, HEIGHT = 343, 60


def check_bands_are_drawn_where_the_labels_are() -> None:
    armature = import_bvh(CLIP)
    bpy.ops.footfall.label_action()
    view = SimpleNamespace(view_to_region=lambda x, y, clip: (x - 1, y))  # one pixel a frame
    context = SimpleNamespace(
        object=armature,
        region=SimpleNamespace(view2d=view, width=WIDTH, height=HEIGHT),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
    )
    screen = gpu.types.GPUOffScreen(WIDTH, HEIGHT)
    with screen.bind():
        frame = gpu.state.active_framebuffer_get()
        frame.clear(color=(0.0, 0.0, 0.0, 1.0))
        with gpu.matrix.push_pop():
            to_screen = Matrix.Diagonal((2 / WIDTH, 2 / HEIGHT, 1, 1))
            gpu.matrix.load_matrix(Matrix.Translation((-1, -1, 0)) @ to_screen)
            gpu.matrix.load_projection_matrix(Matrix.Identity(4))
            timeline_bands.draw(context)
        pixels = np.array(frame.read_color(0, 0, WIDTH, HEIGHT, 4, 0, "FLOAT").to_list()).reshape(HEIGHT, WIDTH, 4)
    screen.free()
    left = [s for s in armature.animation_data.action.footfall.segments if s.name == "foot.L"]
    down = np.zeros(WIDTH, dtype=bool)
    for segment in left:
        down[segment.start - 1 : segment.end] = True
    drawn = pixels[9 + 6, :, 2] > 0.3  # the blue band of the left foot, above the toe's thin line
    assert 0.2 < down.mean() < 0.9 and (drawn == down).mean() > 0.97, (drawn == down).mean()
    assert pixels[18 + 4, :, 1].max() > 0.3, "the gait's band"
    assert pixels[40].max(axis=0)[:3].max() == 0.0, "nothing above the bands"


try:
    gpu.init()
except (SystemError, RuntimeError) as error:
    print(error)
    sys.exit(77)
footfall.register()
run_checks(globals())
