#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration, made in the Python of a Blender wheel: `python demo/make.py --out demo/out`.

Bakes a walk along a drawn path with the add-on and writes `walk.blend`, `metrics.md`, `filmstrip.png` and `walk.mp4`.
With `--scene NAME` it walks over one of presets/scenes instead, into a folder of that name.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import bpy
import numpy as np

import footfall
from footfall.blender_addon.scene.ground_tags import WALKABLE, set_tag
from footfall.blender_addon.scene.path_reader import read_path
from footfall.core.errors import FootfallError
from footfall.demo import camera, court, dance, duel, poses, rig_sheet, room, shot, stage, variations
from footfall.demo.metrics import write_metrics
from footfall.demo.render import Quality, prepare, render_frame, render_frames, write_sheet, write_strip, write_video
from footfall.demo.scene import build_scene
from footfall.demo.scene_file import SceneFile, names, read_scene
from footfall.demo.trials import try_scene, whole, write_trials
from footfall.demo.walk import Baked, bake_walk

RATE = 30
POSES = 12
PICTURE_POSES = 22
VIDEO = Quality(480, 270, 4)
CELL = Quality(170, 400, 48)
SHEET_POSES, SHEET_COLUMNS = 16, 4
SHEET_CELL = Quality(320, 200, 40)
PICTURE = Quality(1000, 438, 64)
SAMPLES = 48


def main() -> int:
    options = parse()
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        if options.scene in OWN_SCENES:
            OWN_SCENES[options.scene](options)
        elif options.scene:
            make_scene(read_scene(options.scene), options)
        else:
            make(options)
    except (FootfallError, RuntimeError, OSError) as error:
        print(f"demo: {str(error).strip().removeprefix('Error: ')}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\ndemo: stopped; what is finished is in {options.out}", file=sys.stderr)
        return 130
    return 0


def parse() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("demo/out"), metavar="DIR", help="default: %(default)s")
    parser.add_argument("--draft", action="store_true", help="small coarse pictures and two seconds of video, quickly")
    parser.add_argument("--picture", type=Path, metavar="PNG", help="only a picture of the whole walk, to this file")
    parser.add_argument("--scene", metavar="NAME", help=f"one of these: {', '.join([*OWN_SCENES, *names()])}")
    parser.add_argument("--seeds", type=int, metavar="N", help="of a scene: N variations, measured and not rendered")
    parser.add_argument("--no-video", action="store_true", help="of a scene: everything but the video")
    options = parser.parse_args()
    if options.scene:
        options.out /= options.scene
    return options


def make(options: argparse.Namespace) -> None:
    """Make everything, the fast files first."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    footfall.register()
    scene = bpy.context.scene
    scene.render.fps = RATE
    path = stage.draw_path()
    stage.build_set(scene)
    print("[walk] baking", flush=True)
    baked = bake_walk(scene, path)
    print(f"[walk] {len(baked.clip)} frames: {baked.said}", flush=True)
    prepare(scene)
    if options.picture:
        write_picture(scene, baked, path, options)
        return
    scene.camera = camera.follow(scene, baked.clip, baked.first)
    write_blend(scene, baked, options.out / "walk.blend")
    write_metrics(scene, baked, path, options.out / "metrics.md")
    with tempfile.TemporaryDirectory(prefix="footfall_demo_") as folder:
        write_filmstrip(scene, baked, Path(folder), options)
        write_walk_video(scene, baked, Path(folder), options)
    for name in ("walk.blend", "metrics.md", "filmstrip.png", "walk.mp4"):
        print(f"[demo] {options.out / name}", flush=True)


def make_scene(described: SceneFile, options: argparse.Namespace) -> None:
    """Make a walk over a scene: the file, the numbers, the filmstrip from the side and the video."""
    if options.picture:
        scene, path = set_up(described)
        prepare(scene)
        baked = bake_walk(scene, path, described.speed, controller=described.controller)
        write_side(scene, baked, described, options, options.picture)
        return
    if options.seeds:
        measure_scene(described, options)
        return
    scene, path = set_up(described)
    baked = bake_walk(scene, path, described.speed, controller=described.controller)
    print(f"[{described.name}] {len(baked.clip)} frames: {baked.said}", flush=True)
    prepare(scene)
    scene.camera = camera.along(scene, baked.clip, baked.first, described.view)
    write_blend(scene, baked, options.out / "walk.blend")
    write_metrics(scene, baked, path, options.out / "metrics.md", described.speed)
    if not options.no_video:
        with tempfile.TemporaryDirectory(prefix="footfall_demo_") as folder:
            write_walk_video(scene, baked, Path(folder), options)
    write_side(scene, baked, described, options, options.out / "filmstrip.png")
    print(f"[demo] {options.out}: {', '.join(sorted(file.name for file in options.out.iterdir()))}", flush=True)


def make_room(options: argparse.Namespace) -> None:
    """Make a living room with a character: the file, pictures at even times and the video."""
    scene = empty_set()
    baked = room.bake_room(scene, room.build_room(scene))
    write_sheets(scene, baked, room.overlook(scene), room.NAME, options, room.shown_frames(baked, SHEET_POSES))


def make_shot(options: argparse.Namespace) -> None:
    """Make a shot of climbing, resting and leaving, in one action: the file, pictures at even times and the video."""
    scene = empty_set()
    baked = shot.bake_shot(scene, shot.build_stairs(scene))
    write_sheets(scene, baked, shot.overlook(scene), shot.NAME, options, shot.shown_frames(baked, SHEET_POSES))


def make_dance(options: argparse.Namespace) -> None:
    """Make a dance of two characters: the file, pictures at even times and the video."""
    scene = empty_set()
    baked = dance.bake_dance(scene)
    write_sheets(scene, baked, dance.overlook(scene), dance.NAME, options)


def make_duel(options: argparse.Namespace) -> None:
    """Make a fight of two characters: the file, pictures around the beats and the video."""
    scene = empty_set()
    baked = duel.bake_duel(scene)
    write_sheets(scene, baked, duel.overlook(scene), duel.NAME, options, duel.shown_frames())


def empty_set() -> bpy.types.Scene:
    """Return a new file with only the floor, which is the ground of walks."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Object, "footfall"):
        footfall.register()
    scene = bpy.context.scene
    scene.render.fps = RATE
    set_tag(stage.build_set(scene), WALKABLE)
    return scene


def write_sheets(
    scene: bpy.types.Scene,
    baked: Baked,
    camera: bpy.types.Object,
    name: str,
    options: argparse.Namespace,
    shown: Sequence[int] = (),
) -> None:
    """Write the file, a sheet of pictures at even or given times, and the video of a fixed camera."""
    print(f"[{name}] {len(baked.clip)} frames", flush=True)
    prepare(scene)
    scene.camera = camera
    write_blend(scene, baked, options.out / f"{name}.blend")
    with tempfile.TemporaryDirectory(prefix="footfall_demo_") as folder:
        frames = shown or even_frames(baked, SHEET_POSES)
        quality = Quality(SHEET_CELL.width // 2, SHEET_CELL.height // 2, 4) if options.draft else SHEET_CELL
        files = render_frames(scene, frames, quality, Path(folder), name)
        write_sheet(files, options.picture or options.out / f"{name}.png", SHEET_COLUMNS)
        if not (options.no_video or options.picture):
            write_walk_video(scene, baked, Path(folder), options)
    print(f"[demo] {options.out}: {', '.join(sorted(file.name for file in options.out.iterdir()))}", flush=True)


def make_court(options: argparse.Namespace) -> None:
    """Make a ball that is picked up, dribbled, passed and shot: the file, pictures at even times and the video."""
    scene = empty_set()
    baked = court.bake_court(scene, court.build_court(scene))
    write_sheets(scene, baked, court.overlook(scene), court.NAME, options)


def make_variations(options: argparse.Namespace) -> None:
    """Make five seeds on one path: the file, a picture of the middle of their walks and the video."""
    scene = empty_set()
    walks = variations.bake_variations(scene)
    apart = 100 * variations.largest_difference(walks)
    print(f"[variations] {len(walks)} walks, up to {apart:.0f} cm apart within their lanes", flush=True)
    prepare(scene)
    scene.camera = variations.overlook(scene)
    write_blend(scene, walks[0], options.out / "variations.blend")
    quality = Quality(PICTURE.width // 4, PICTURE.height // 4, 4) if options.draft else PICTURE
    picture = (options.picture or options.out / "variations.png").resolve()
    picture.parent.mkdir(parents=True, exist_ok=True)
    render_frame(scene, (scene.frame_start + scene.frame_end) // 2, quality, picture)
    if not (options.no_video or options.picture):
        longest = max(walks, key=lambda walk: walk.last)
        with tempfile.TemporaryDirectory(prefix="footfall_demo_") as folder:
            write_walk_video(scene, longest, Path(folder), options)
    print(f"[demo] {options.out}: {', '.join(sorted(file.name for file in options.out.iterdir()))}", flush=True)


def make_rigs(options: argparse.Namespace) -> None:
    """Make a sheet of rigs that walk and sit, side by side: only the picture."""
    quality = Quality(rig_sheet.CELL.width // 2, rig_sheet.CELL.height // 2, 4) if options.draft else rig_sheet.CELL
    picture = (options.picture or options.out / "rigs.png").resolve()
    picture.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="footfall_demo_") as folder:
        columns = [
            rig_sheet.picture_rig(empty_set, name, quality, Path(folder)) for name in rig_sheet.characters_to_show()
        ]
        write_sheet([file for row in zip(*columns, strict=True) for file in row], picture, len(columns))
    print(f"[demo] {picture}", flush=True)


OWN_SCENES: Mapping[str, Callable[[argparse.Namespace], None]] = {
    room.NAME: make_room,
    shot.NAME: make_shot,
    dance.NAME: make_dance,
    variations.NAME: make_variations,
    court.NAME: make_court,
    duel.NAME: make_duel,
    rig_sheet.NAME: make_rigs,
}
"""Scenes beyond a walk over parts, by name."""


def measure_scene(described: SceneFile, options: argparse.Namespace) -> None:
    """Measure many walks over a scene."""
    trials = []
    for measures in try_scene(described, options.seeds, lambda: set_up(described)[1]):
        trials.append(measures)
        print(f"[{described.name}] {', '.join(f'{key} {value:.4g}' for key, value in measures.items())}", flush=True)
    write_trials(described, trials, options.out / "trials.json")
    print(f"[{described.name}] {', '.join(f'{key} {value:.4g}' for key, value in whole(trials).items())}", flush=True)


def set_up(described: SceneFile) -> tuple[bpy.types.Scene, bpy.types.Object]:
    """Return a new file with the scene and its floor, and the path."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Object, "footfall"):
        footfall.register()
    scene = bpy.context.scene
    scene.render.fps = RATE
    path = build_scene(scene, described)
    set_tag(stage.build_set(scene), WALKABLE)
    return scene, path


def write_side(
    scene: bpy.types.Scene, baked: Baked, described: SceneFile, options: argparse.Namespace, file: Path
) -> None:
    """Write the whole walk in one picture from the side, with poses at intervals."""
    poses.leave_copies(scene, baked, baked.frames_apart(described.view.apart))
    parts = [solid.points for part in described.parts for solid in part.solids]
    framing = camera.beside(scene, np.concatenate([baked.clip.positions.reshape(-1, 3), *parts]), described.view)
    scene.camera = framing.camera
    pixels, samples = (described.view.pixels / 4, 4) if options.draft else (described.view.pixels, SAMPLES)
    quality = Quality(round(pixels * framing.width), round(pixels * framing.height), samples)
    file.parent.mkdir(parents=True, exist_ok=True)
    render_frame(scene, baked.first, quality, file.resolve())


def write_blend(scene: bpy.types.Scene, baked: Baked, file: Path) -> None:
    """Save the scene at its first frame, with the character selected."""
    scene.frame_set(baked.first)
    render = scene.render
    render.resolution_x, render.resolution_y = VIDEO.width, VIDEO.height
    scene.cycles.samples = VIDEO.samples
    bpy.context.preferences.filepaths.save_version = 0
    bpy.ops.wm.save_as_mainfile(filepath=str(file.resolve()), compress=True)


def write_filmstrip(scene: bpy.types.Scene, baked: Baked, folder: Path, options: argparse.Namespace) -> None:
    """Write poses at even times from the first step to the last, side by side."""
    frames = even_frames(baked, POSES)
    quality = Quality(CELL.width // 2, CELL.height // 2, 4) if options.draft else CELL
    write_strip(render_frames(scene, frames, quality, folder, "filmstrip"), options.out / "filmstrip.png")


def write_walk_video(scene: bpy.types.Scene, baked: Baked, folder: Path, options: argparse.Namespace) -> None:
    """Write the whole walk; for a draft the second second, at a quarter of the frames."""
    frames = range(baked.first, baked.last + 1)
    quality, rate = VIDEO, RATE
    if options.draft:
        frames, quality, rate = frames[RATE : 3 * RATE : 6], Quality(160, 90, 2), RATE // 6
    write_video(render_frames(scene, frames, quality, folder, "video"), quality, rate, options.out / "walk.mp4")


def write_picture(scene: bpy.types.Scene, baked: Baked, path: bpy.types.Object, options: argparse.Namespace) -> None:
    """Write all of the walk in one picture: copies of the mannequin along the path."""
    poses.leave_copies(scene, baked, even_frames(baked, PICTURE_POSES))
    scene.camera = camera.overlook(scene, read_path(path).points)
    quality = Quality(PICTURE.width // 4, PICTURE.height // 4, 4) if options.draft else PICTURE
    options.picture.parent.mkdir(parents=True, exist_ok=True)
    render_frame(scene, baked.first, quality, options.picture.resolve())
    print(f"[demo] {options.picture}", flush=True)


def even_frames(baked: Baked, count: int) -> list[int]:
    """Return frames at even times over the walk, standing at both ends."""
    return np.linspace(baked.first, baked.last, count).round().astype(int).tolist()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # Blender 4.5's module hangs when the interpreter ends with classes registered
