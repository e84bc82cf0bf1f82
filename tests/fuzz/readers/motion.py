"""Readers of clips, of their labels and of what lies beside them, of rigs and of controllers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from footfall.core.ball.ball_track import BallTrack, read_ball, write_ball
from footfall.core.ball.cue_model import load_cue_model
from footfall.core.ball.takes import BallTakes
from footfall.core.control.edit.body_response import BodyResponse
from footfall.core.control.pair.dance_figures import DanceFigures
from footfall.core.labelling.labels import Labels
from footfall.core.labelling.presets import load_preset
from footfall.core.models.generator_file import load_generator, save_generator
from footfall.core.models.generator_kinds import DENOISER
from footfall.core.models.model_file import load_model
from footfall.core.motion.bvh import read_bvh
from footfall.core.rig.clip_file import read_clip
from footfall.core.rig.clip_pair import read_pairs
from footfall.core.rig.rig_map.file import load_rig_map
from footfall.tests.support.generators import random_generator

from ..reader import Reader
from .corpus import PRESETS, ROOT, contents, files, real_clips, walk, walk_bvh, walk_labels, written

SMALL_BVH: Final = b"""HIERARCHY
ROOT hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 10 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 90 0 0 0 0 1 2 3
0 90 1 0 0 0 1 2 3
0 90 2 0 0 0 1 2 3
"""


def _clips(_folder: Path) -> Sequence[bytes]:
    return [SMALL_BVH, walk_bvh(), *real_clips("*/*.bvh")]


def _pairs(folder: Path) -> Sequence[bytes]:
    for name in ("a", "b"):
        (folder / f"{name}.bvh").write_bytes(walk_bvh())
    return [b"file_a,file_b\na.bvh,b.bvh\n"]


def _ball() -> bytes:
    frames = len(walk())
    height = 0.5 + 0.5 * np.abs(np.sin(np.arange(frames) / 10))
    centers = np.column_stack([np.zeros((frames, 2)), height])
    track = BallTrack(walk().rate, 0.12, centers, np.tile([1.0, 0, 0, 0], (frames, 1)), np.zeros((frames, 2), bool))
    return written(lambda path: write_ball(path, track), "walk.ball.csv")


def _generator() -> bytes:
    return written(lambda path: save_generator(path, random_generator(DENOISER)), "small.safetensors")


def _labels(path: Path) -> Labels:
    return Labels.load(path)


READERS: Final = (
    Reader("bvh", "clip.bvh", "bvh", _clips, read_bvh),
    Reader("clip", "clip.bvh", "bvh", _clips, read_clip),
    Reader("labels", "walk.labels.npz", "npz", contents(lambda: written(walk_labels().save, "a.npz")), _labels),
    Reader(
        "labeling-preset", "preset.toml", "toml", files(*sorted((PRESETS / "labelling").glob("*.toml"))), load_preset
    ),
    Reader("rig-map", "rig.toml", "toml", files(*sorted((PRESETS / "rigs").glob("*.toml"))), load_rig_map),
    Reader("pairs", "pairs.csv", "csv", _pairs, read_pairs),
    Reader("ball", "walk.ball.csv", "csv", contents(_ball), lambda path: read_ball(path, walk())),
    Reader("ball-cues", "cues.npz", "npz", files(PRESETS / "ball" / "basketball.npz"), load_cue_model),
    Reader("ball-takes", "takes.npz", "npz", files(PRESETS / "ball" / "takes.npz"), BallTakes.load),
    Reader("dance-figures", "dance.npz", "npz", files(PRESETS / "dances" / "salsa.npz"), DanceFigures.load),
    Reader("body-response", "response.npz", "npz", files(PRESETS / "poses" / "body_response.npz"), BodyResponse.load),
    Reader(
        "controller",
        "model.safetensors",
        "safetensors",
        files(ROOT / "tests" / "data" / "models" / "tiny.safetensors"),
        load_model,
    ),
    Reader("generator", "generator.safetensors", "safetensors", contents(_generator), load_generator),
)
