"""Creation of the shipped file of takes of ball play from clips of BallPlay-M.

python -m footfall.tools.ball_takes ../shared/data/mocap/skillmimic_ballplay/basketball presets/ball/takes.npz
"""

import sys
from pathlib import Path
from typing import Final

from ..core.ball.takes import BallTake, BallTakes
from ..core.rig.clip_file import read_clip

SOURCES: Final = {
    "pick_up": ("007pickle_pick_021", 9, 150, 79),
    "pass": ("016pickle_chestpass", 38, 121, 84),
    "catch": ("008pickle_catch_012", 14, 110, 44),
    "shoot": ("011pickle_shot_007", 0, 140, 85),
}
"""Clip, first frame, frame after the last one, and contact frame of each action; all are training clips."""


def make_takes(folder: Path) -> BallTakes:
    """Return the takes of ball play cut from the clips of :data:`SOURCES` in a folder."""
    takes = {}
    for action, (name, start, stop, contact) in SOURCES.items():
        clip = read_clip(folder / f"{name}.bvh").cut(start, stop)
        takes[action] = BallTake(clip, contact - start).centered()
    return BallTakes(takes)


if __name__ == "__main__":
    make_takes(Path(sys.argv[1])).save(Path(sys.argv[2]))
