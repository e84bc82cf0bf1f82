"""Long shots: time and memory of a bake of 15, 30 and 60 beats, the longest of ten minutes."""

import multiprocessing
import resource
import time
from dataclasses import replace
from typing import Final

import numpy as np

from ..core.control.interaction.task import InteractionTask
from ..core.control.shot.beats import Beat, TaskBeat, WaitBeat, WalkBeat
from ..core.control.shot.memo import ShotMemo
from ..core.control.shot.request import ShotRequest
from ..core.motion.rotations import rotation_about_up
from ..core.scene.collider import Collider
from ..core.scene.interaction_object import InteractionObject
from ..core.terrain.walk_scene import WalkScene
from ..training.interactions.props.seats import Chair
from ..training.interactions.props.tables import Box
from .setup import Setup
from .shots import made_shot
from .tables import Part, table

TITLE = "Long shots"
BEATS: Final = (15, 30, 60)
ROW: Final = 8
"""Number of places in a row; rows are walked to and fro."""
SPACING_M: Final = 4.0
CARRIED_M: Final = 1.3
STAY_S: Final = 2.0
NOTES = """\
Walks, seats, boxes to carry and waits in turn, over a floor of places 4 m apart, each shot in a process of its own.
*Memory* is what the process takes beyond the one of 0 beats, which has read controllers and modules; *again* is the
bake after the last beat was changed, which a stay or task before it leaves in another direction."""
UPDATED: Final = (5, 6, 7)
SAME: Final = 1e-9
"""Difference of quaternion components up to which frames count as unchanged."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's table."""
    del setup
    base = _alone(0)[3]
    rows: list[list[object]] = []
    for count in BEATS:
        done, seconds, spent, memory = _alone(count)
        rows.append([count, f"{done} of {count}", seconds, spent, spent / seconds, memory - base])
    head = ["beats", "done", "length s", "bake s", "bake s a second", "memory MB"]
    updates = ["beats", "bake s", "again s", "share %", "last beat from frame", "changed from frame"]
    return [table(head, rows), table(updates, [_updated(count) for count in UPDATED]), NOTES]


def _updated(count: int) -> list[object]:
    """Return the row of a shot of a number of beats that is baked again after its last beat was changed."""
    request, memo = replace(long_shot(count), scene_key="floor"), ShotMemo()
    aside = WalkBeat(np.array([[0.5 * SPACING_M, SPACING_M]]))
    spent, made = [], []
    for one in (request, replace(request, beats=[*request.beats[:-1], aside])):
        begun = time.process_time()
        made.append(made_shot(one, memo))
        spent.append(time.process_time() - begun)
    before, after = (one.performance.clip.rotations for one in made)
    frames = min(len(before), len(after))
    changed = np.abs(before[:frames] - after[:frames]).max(axis=(1, 2)) > SAME
    first = int(np.argmax(np.append(changed, True)))
    return [count, *spent, 100 * spent[1] / spent[0], made[0].beats[-1].first, first]


def _alone(count: int) -> tuple[int, float, float, float]:
    """Return the figures of a shot made in a process of its own: see :func:`figures`."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(figures, (count,))


def figures(count: int) -> tuple[int, float, float, float]:
    """Return the done beats of a shot, its length, seconds, the processor time, seconds, and the peak memory, MB."""
    if count == 0:
        made_shot(ShotRequest([WaitBeat(1.0)], np.zeros(3), 0.0, WalkScene()))
        return 0, 1.0, 0.0, _peak()
    begun = time.process_time()
    made = made_shot(long_shot(count))
    spent = time.process_time() - begun
    return sum(one.status == "done" for one in made.beats), made.performance.clip.duration, spent, _peak()


def _peak() -> float:
    """Return the peak memory of this process, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def long_shot(count: int) -> ShotRequest:
    """Return a shot of a number of beats."""
    beats: list[Beat] = []
    objects: list[InteractionObject] = []
    turn = rotation_about_up(np.array(np.pi))
    for number in range(count):
        row, column = divmod(number, ROW)
        column = column if row % 2 == 0 else ROW - 1 - column
        place = np.array([SPACING_M * column, SPACING_M * (row + 1), 0.0])
        kind = number % 4
        if kind == 0:
            beats.append(WalkBeat(place[None, :2]))
        elif kind == 3:
            beats.append(WaitBeat(STAY_S))
        else:
            mesh = (Chair() if kind == 1 else Box()).mesh()
            name = "seat" if kind == 1 else "box"
            objects.append(InteractionObject(f"{name} {number}", name, Collider.from_mesh(*mesh), place, turn))
            there = None if kind == 1 else place - np.array([0.0, CARRIED_M, 0.0])
            action = "sit" if kind == 1 else "carry"
            beats.append(TaskBeat(InteractionTask(action, len(objects) - 1, duration=STAY_S, position=there)))
    return ShotRequest(beats, np.zeros(3), 0.0, WalkScene(), objects)
