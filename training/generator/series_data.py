"""Control series of labeled clips, as training data of generators."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...core.errors import FootfallError
from ...core.features.control_series import clip_control_series, mirror_series, pack_series
from ...core.features.locomotion import FEATURE_RATE_HZ
from ...core.labelling import label_clip
from ...core.models.network import Float32
from ...core.motion.roles import LOCOMOTION_ROLES, is_quadruped
from ...core.rig.clip_file import read_clip
from ..config.reporting import ProgressCallback
from ..data.clip_cache import labels_beside
from ..data.sources import source_of

FRAME_STRIDE: Final = 2
"""Number of frames from one sampled frame to the next, since neighboring frames are nearly equal."""


@dataclass(frozen=True, eq=False)
class SeriesData:
    """Control series of clips.

    Attributes:
        x: (N, n) control series, including mirrored ones.
        actions: names of the actions.
        sources: name, license, credit, clips and minutes of each source.
        skipped: reason for each clip that was not used, by its path.
    """

    x: Float32
    actions: tuple[str, ...]
    sources: Sequence[dict[str, Any]]
    skipped: dict[Path, str]


def read_series(clips: Sequence[Path], progress: ProgressCallback | None = None) -> SeriesData:
    """Return the control series of clips; unusable clips are skipped.

    Args:
        clips: motion files.
        progress: called with finished clips, total clips and the clip's name.

    Raises:
        FootfallError: no clip can be used.
    """
    rows: list[Float32] = []
    actions: tuple[str, ...] = ()
    sources: dict[str, dict[str, Any]] = {}
    skipped: dict[Path, str] = {}
    for number, path in enumerate(clips):
        if progress:
            progress(number, len(clips), path.name)
        try:
            x, found = _clip_series(path)
        except (FootfallError, OSError) as error:
            skipped[path] = str(error)
            continue
        if actions and found != actions:
            skipped[path] = "Its labels have different gaits than those of the clips before it."
            continue
        actions = found
        rows.append(x)
        source = source_of(path)
        entry = {"name": source.name, "licence": source.licence, "credit": source.credit, "clips": 0, "minutes": 0.0}
        entry = sources.setdefault(source.name, entry)
        entry["clips"] += 1
        entry["minutes"] = round(entry["minutes"] + len(x) * FRAME_STRIDE / FEATURE_RATE_HZ / 60, 3)
    if not rows:
        reason = next(iter(skipped.values()), "there are no clips")
        raise FootfallError(
            "None of the {count} clips can be used. The reason for the first one: {reason}",
            count=len(clips),
            reason=reason,
        )
    both = np.concatenate([*rows, *(mirror_series(x, actions) for x in rows)])
    return SeriesData(both, actions, tuple(sources.values()), skipped)


def _clip_series(path: Path) -> tuple[Float32, tuple[str, ...]]:
    """Return every second control series (N, n) of a clip, and the names of its actions."""
    original = read_clip(path)
    if is_quadruped(original.skeleton.roles):
        raise FootfallError("The clip shows an animal, but generators are trained on people")
    original.skeleton.require_roles(LOCOMOTION_ROLES)
    clip = original.resampled(FEATURE_RATE_HZ)
    own = labels_beside(path, original, clip)
    series, actions = clip_control_series(clip, label_clip(clip) if own is None else own)
    return pack_series(series, actions, clip.skeleton.leg_length)[::FRAME_STRIDE], actions
