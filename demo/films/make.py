#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendering of a film, in the Python of a Blender wheel: `python demo/films/make.py curve FOLDER`.

Writes frames as `0000.png` and so on, `still.png`, and `NAME.mp4`. With `--every N` only each Nth frame is rendered.
"""

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import footfall
from footfall.core.errors import FootfallError
from footfall.demo.films import curve, hero, interaction, own_mocap, own_rig, rough_ground, waypoint
from footfall.demo.films.caption import Caption
from footfall.demo.films.film import RATE, Film, grade
from footfall.demo.render import prepare, render_frame, write_video

FILMS: Final[Mapping[str, Callable[[], Film]]] = {
    "hero": hero.build,
    "curve": curve.build,
    "rough_ground": rough_ground.build,
    "interaction": interaction.build,
    "waypoint": waypoint.build,
    "own_rig": own_rig.build,
    "own_mocap": own_mocap.build,
}


def main() -> int:
    """Render the requested film; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=FILMS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="render only each Nth frame; default: all")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    footfall.register()
    try:
        film = FILMS[options.name]()
        files = render(film, options.folder.resolve(), options.every)
    except (FootfallError, RuntimeError, OSError) as error:
        print(f"films: {str(error).strip().removeprefix('Error: ')}", file=sys.stderr)
        return 1
    shutil.copy(files[round(film.still * (len(files) - 1))], options.folder / "still.png")
    write_video(files, film.quality, RATE, options.folder.resolve() / f"{options.name}.mp4")
    return 0


def render(film: Film, folder: Path, every: int) -> list[Path]:
    """Render every n-th frame of a film into a folder; return the files in order."""
    prepare(film.scene)
    grade(film.scene)
    caption = Caption(film.scene)
    files = []
    for number, (shot, frame) in enumerate(film.frames()):
        if number % every:
            continue
        film.scene.camera = shot.camera
        caption.show(shot.caption(frame), shot.camera, film.quality.width / film.quality.height)
        files.append(folder / f"{number:04d}.png")
        render_frame(film.scene, frame, film.quality, files[-1])
    return files


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # Blender 4.5's module hangs when the interpreter ends with classes registered
