"""Detection of animal takes prepared by ``training.quadruped``, among other clips of animals."""

from pathlib import Path
from typing import Final

from ...core.jobs.bounded_files import read_bytes
from ...core.rig.clip_file import RIG_MAP_FILE_NAME

NETWORK_MAP_NAME: Final = "Quadruped of a training run"
"""Name of the rig map that lies beside prepared takes and marks them."""


def is_prepared(path: Path) -> bool:
    """Return whether a BVH file is a prepared animal take, already on the network body."""
    rig_map = path.with_name(RIG_MAP_FILE_NAME)
    return rig_map.is_file() and f'"{NETWORK_MAP_NAME}"'.encode() in read_bytes(rig_map)
