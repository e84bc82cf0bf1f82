"""A clip's file with its roles: its rig map says which joint is which, else the joints' names do."""

from pathlib import Path
from typing import Final

from ..motion import Clip
from ..motion.bvh import read_bvh
from .rig_map import load_rig_map, mapped

RIG_MAP: Final = "rig.toml"
FOLDERS_UP: Final = 3


def rig_map_of(clip: Path) -> Path | None:
    """The nearest ``rig.toml`` of the clip's folder or the two above; ``None`` where there is none."""
    folders = list(clip.absolute().parents)[:FOLDERS_UP]
    return next((folder / RIG_MAP for folder in folders if (folder / RIG_MAP).is_file()), None)


def read_clip(path: Path) -> Clip:
    """Reads a BVH file, and the rig map that goes with it.

    Raises:
        FootfallError: one of the two cannot be understood.
    """
    clip, rig_map = read_bvh(path), rig_map_of(path)
    if rig_map is None:
        return clip
    return Clip(mapped(clip.skeleton, load_rig_map(rig_map)), clip.rate, clip.root_positions, clip.rotations, clip.name)
