"""Readers of what is written for the commands: paths, lists of clips, scenes, beats, scenes of demonstrations."""

import json
from pathlib import Path
from typing import Final

from footfall.cli.beats import read_beats
from footfall.cli.clips import find_clips, find_tags
from footfall.cli.points import read_points
from footfall.cli.scene_file import read_scene
from footfall.demo import scene_file
from footfall.demo.scene_file import read_scene as read_demo

from ..reader import Reader
from .corpus import PRESETS, contents, files, walk_bvh
from .scene import WAVEFRONT

POINTS: Final = b"x, y\n0, 0\n2, 0\n# corner\n2, 3\n"
BEATS: Final = {
    "characters": [
        {"name": "Anna", "start": [0, 0], "end": [1, 0], "weapon": {"length": 0.9}},
        {"name": "Ben", "start": [2, 0]},
    ],
    "beats": [
        {"frame": 60, "striker": "Anna", "receiver": "Ben", "part": "head", "effector": "hand", "side": "R"},
        {"frame": 120, "striker": "Ben", "receiver": "Anna", "part": "chest", "answer": "duck"},
    ],
}
SCENE: Final = {
    "character": {"position": [0, 0], "direction": 90},
    "objects": [
        {"name": "Chair", "file": "box.obj", "position": [2, 0, 0], "rotation": 90, "scale": 0.5},
        {"name": "Box", "size": [0.3, 0.3, 0.3], "position": [0, 2, 0.5]},
    ],
    "tasks": [
        {"action": "walk", "target": [1, 1]},
        {"action": "sit", "object": "Chair", "duration": 2},
        {"action": "carry", "object": "Box", "target": [3, 3, 0.5]},
    ],
}


def _scene(folder: Path) -> list[bytes]:
    (folder / "box.obj").write_bytes(WAVEFRONT)
    return [json.dumps(SCENE).encode()]


def _list(folder: Path) -> list[bytes]:
    (folder / "walk.bvh").write_bytes(walk_bvh())
    clip = str(folder / "walk.bvh").encode()
    return [clip + b" performer=anna style=sad paces=0.5,0.75  # slow\n\n" + clip + b" bends=0.1\n"]


def _read_list(path: Path) -> object:
    return find_clips([path]), find_tags([path])


def _demo(path: Path) -> object:
    scene_file.SCENES = path.parent
    return read_demo(path.stem)


READERS: Final = (
    Reader("points", "path.csv", "csv", contents(lambda: POINTS), read_points),
    Reader("beats", "beats.json", "json", contents(lambda: json.dumps(BEATS).encode()), read_beats),
    Reader("scene", "scene.json", "json", _scene, read_scene),
    Reader("clip-list", "clips.txt", "text", _list, _read_list),
    Reader("demo-scene", "stairs.toml", "toml", files(*sorted((PRESETS / "scenes").glob("*.toml"))), _demo),
)
