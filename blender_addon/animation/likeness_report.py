"""Likeness of the last bake to people, stored with its character: figures, and sentences about faults."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import isfinite
from typing import Final

import bpy
import numpy as np

from ...core.evaluation.findings import FAULT_TEMPLATES, describe_fault
from ...core.evaluation.likeness import LikenessFigure, level_frames, measure_likeness
from ...core.evaluation.usual_ranges import LIKENESS_MEASURES
from ...core.jobs.bounded_files import ContentError
from ...core.jobs.typed_json import parse_rows
from ...core.message import Message
from ...core.motion import Clip
from ...core.motion.rotations import Array
from ...core.motion.signals import Mask
from ...core.terrain.ground import Scene
from .output import make_destination

PLAIN_GAITS: Final = ("stand", "walk", "run")
"""Gaits compared with people's; styles and jumps may differ on purpose."""
MIN_PLAIN_SHARE: Final = 0.9
"""Share of plain gaits above which a frame is judged."""


@dataclass(frozen=True, slots=True)
class LikenessRow:
    """One figure of a bake; see :class:`core.evaluation.likeness.LikenessFigure`.

    Attributes:
        measure: one of :data:`core.evaluation.usual_ranges.LIKENESS_MEASURES`.
        value: value of the measure, in ``unit``.
        low, high: range of people with a body of this size; ``None`` without a limit.
        unit: unit of the values.
        frame: the scene's frame at the time of the bake; ``None`` for means over strides.
        speed_m_s: speed of the figure, if it depends on speed.
        template, fields: sentence about a fault; empty without one.
    """

    measure: str
    value: float
    low: float | None
    high: float | None
    unit: str
    frame: int | None
    speed_m_s: float | None
    template: str
    fields: dict[str, str]

    @property
    def finding(self) -> Message | None:
        """Message about the fault; ``None`` if there is none."""
        return Message(self.template, **self.fields) if self.template else None


def plain_frames(clip: Clip, gaits: Array, gait_names: Sequence[str], ground: Scene) -> Mask:
    """Return a mask (F) of frames in which a character just stands, walks or runs on level ground.

    Args:
        clip: the motion, world.
        gaits: (F, G) commanded gaits.
        gait_names: names of the gaits.
        ground: the ground of the walk.
    """
    plain = [gait_names.index(name) for name in PLAIN_GAITS if name in gait_names]
    return (np.sum(gaits[:, plain], axis=1) > MIN_PLAIN_SHARE) & level_frames(clip, ground)


def store_likeness(
    armature: bpy.types.Object, clip: Clip, frames: Mask, start_frame: int, frame_count: int, scene_rate: float
) -> None:
    """Measure the likeness of a bake to human motion, and store the result with the character.

    Args:
        armature: the character.
        clip: the motion, world.
        frames: (F), mask of frames to judge.
        start_frame: scene frame of the clip's first frame.
        frame_count: number of scene frames generated; frames outside the bake's destination are ignored.
        scene_rate: frames per second of the scene.
    """
    _, last = make_destination(armature.footfall.output, start_frame, frame_count).frame_range(start_frame, frame_count)
    kept, step = last - start_frame + 1, scene_rate / clip.rate
    seen = min(int((kept - 1) / step) + 1, len(clip))
    rows = [
        _row(figure, None if figure.frame is None else start_frame + min(round(figure.frame * step), kept - 1))
        for figure in measure_likeness(clip.cut(0, seen), frames[:seen]).values()
    ]
    armature.footfall.likeness_report = json.dumps([asdict(row) for row in rows])


def likeness_rows(armature: bpy.types.Object) -> tuple[LikenessRow, ...]:
    """Return the likeness to human motion of an armature's last bake; an empty tuple if there is none."""
    settings = armature.footfall
    return parse_likeness_rows(settings.likeness_report) if settings.baked_action is not None else ()


def _row(figure: LikenessFigure, frame: int | None) -> LikenessRow:
    low, high = (limit if isfinite(limit) else None for limit in (figure.usual.low, figure.usual.high))
    said = describe_fault(figure) if figure.is_fault else Message()
    return LikenessRow(
        figure.measure, figure.value, low, high, figure.usual.unit, frame, figure.speed_m_s, said.template, said.fields
    )


@lru_cache(maxsize=64)
def parse_likeness_rows(text: str) -> tuple[LikenessRow, ...]:
    """Parse stored likeness rows; return none if they are unreadable, such as rows of another version."""
    try:
        rows = parse_rows(text or "[]", LikenessRow)
    except ContentError:
        return ()
    # A template from an untrusted file could request gigabytes of blanks.
    known = all(row.measure in LIKENESS_MEASURES and row.template in ("", *FAULT_TEMPLATES) for row in rows)
    return rows if known else ()
