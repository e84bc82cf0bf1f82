"""Grounds for a whole clip: for each stride segment, the best fitting patches, refined until its feet stand on them."""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..labelling import Labels
from ..motion import Clip
from ..motion.rotations import Array
from .fitting import DEFAULT_WEIGHTS, FitWeights, fit_patches, fit_terms
from .foot_points import FootPoints, FootTracks
from .ground import Ground, Plane
from .ground_from_contacts import ground_from_contacts
from .heightfield import Heightfield
from .patches import HEIGHT_UNIT_M, PatchDatabase
from .refinement import FittedGround, bend_plane, refine_ground
from .stride_segments import stride_segments

CaptureGroundKind = Literal["flat", "rough", "beam"]
"""Kinds of ground on which clips are captured."""

SWING_SAMPLE_INTERVAL_S: Final = 0.05
"""Sampling interval of swinging feet for the comparison of patches; the refinement uses all points."""
FLAT_TOLERANCE_M: Final = 0.12
"""Largest distance of contacts on flat ground from a plane, leaving out the worst twentieth.

In clips on level floors, without toes or captured with errors, it is up to 11 cm; on low boxes and stairs, 13 cm.
"""
MAX_FLOOR_TILT_RATIO: Final = 0.03
"""Largest slope of a level floor in a capture, about two degrees."""
NO_PATCH_INDEX: Final = -1
"""Index of a ground that is not a patch."""


@dataclass(frozen=True, eq=False)
class SegmentTerrain:
    """Terrains fitted to the frames [start, stop) of a clip.

    Attributes:
        start: first frame.
        stop: frame after the last.
        grounds: K terrains, as many for each segment of a clip: patches, the best first, and the captured ground last.
        errors: (K) fit error E_fit of each ground before the refinement, square meters (PFNN section 4.2).
        patch_indices: (K) indices of the patches in their database; -1 for a ground that is not a patch.
        centre: (3) mean of the contacts in the world, meters.
    """

    start: int
    stop: int
    grounds: tuple[Ground, ...]
    errors: Array
    patch_indices: NDArray[np.intp]
    centre: Array


def fit_clip_terrain(
    clip: Clip,
    labels: Labels,
    patches: PatchDatabase,
    count: int = 10,
    kind: CaptureGroundKind | None = None,
    include_captured: bool = True,
    weights: FitWeights = DEFAULT_WEIGHTS,
) -> list[SegmentTerrain]:
    """Fit terrains to the stride segments of a clip, which are returned in order and cover every frame.

    A clip on flat ground has one segment with one ground, a :class:`Plane`. The terrains can be pickled and do not
    refer to the database.

    Args:
        clip: the motion, at the labels' rate.
        labels: labels with the foot contacts of the clip.
        patches: the database of patches to fit.
        count: number of patches to keep per segment.
        kind: ground of the capture: level without jumps, rough, or a beam with its surroundings far below; detected by
            default, except for beams.
        include_captured: whether each segment also gets the captured ground, derived from the contacts.
        weights: weights of the terms of the fit.

    Raises:
        FootfallError: the clip has no feet, or the labels have no foot contacts.
    """
    feet = FootTracks.of(clip, labels)
    flat = _flat_segment(feet, kind)
    if flat is not None:
        return [flat]
    captured = FittedGround(ground_from_contacts(feet), np.zeros(3)) if include_captured else None
    every = max(round(SWING_SAMPLE_INTERVAL_S * clip.rate), 1)
    result: list[SegmentTerrain] = []
    for start, stop in stride_segments(labels).tolist():
        beside = feet.off_beam_points(start, stop) if kind == "beam" else np.zeros((0, 3))
        points = replace(feet.points(start, stop), off_beam=beside)
        thinned = replace(feet.points(start, stop, every), off_beam=beside)
        grounds, errors, numbers = find_best_patches(thinned, patches, count, weights)
        if captured is not None:
            grounds.append(captured)
            errors = np.append(errors, fit_terms(points, captured, weights).error(weights))
            numbers = np.append(numbers, NO_PATCH_INDEX)
        refined = tuple(refine_ground(ground, points) for ground in grounds)
        result.append(SegmentTerrain(start, stop, refined, errors, numbers, points.centre))
    return result


def find_best_patches(
    points: FootPoints, patches: PatchDatabase, count: int, weights: FitWeights = DEFAULT_WEIGHTS
) -> tuple[list[FittedGround], Array, NDArray[np.intp]]:
    """Return the ``count`` patches that fit the feet best, the best first, without refinement.

    With them are their fit errors (K), square meters, and indices in the database (K).
    """
    fit = fit_patches(points, patches, weights)
    best = fit.best(count)
    grids = (patches.heights[:, best].T * HEIGHT_UNIT_M).reshape(-1, patches.points_per_side, patches.points_per_side)
    grounds = [
        FittedGround(Heightfield.centred(grid, patches.cell_size), np.append(points.centre[:2], offset))
        for grid, offset in zip(grids, fit.offsets[best], strict=True)
    ]
    return grounds, fit.errors[best].astype(float), best


def mesh_edit_clip_terrain(clip: Clip, labels: Labels, kind: CaptureGroundKind | None = None) -> list[SegmentTerrain]:
    """Make one ground per stride segment by bending a plane to the footsteps: PFNN's baseline, mesh editing.

    Args:
        clip: the motion, at the labels' rate.
        labels: labels with the foot contacts of the clip.
        kind: ground of the capture; detected by default.
    """
    feet = FootTracks.of(clip, labels)
    flat = _flat_segment(feet, kind)
    if flat is not None:
        return [flat]
    result: list[SegmentTerrain] = []
    for start, stop in stride_segments(labels).tolist():
        points = feet.points(start, stop)
        error = fit_terms(points, Plane(float(points.centre[2]))).error()
        result.append(
            SegmentTerrain(
                start, stop, (bend_plane(points),), np.array([error]), np.array([NO_PATCH_INDEX]), points.centre
            )
        )
    return result


def _flat_segment(feet: FootTracks, kind: CaptureGroundKind | None) -> SegmentTerrain | None:
    """Return a clip on flat ground as one segment on a plane; ``None`` for any other clip."""
    level = flat_level(feet)
    if kind == "flat" and level is None:
        level = float(np.median(feet.contact_points[:, 2]))
    if level is None or kind not in (None, "flat"):
        return None
    centre = np.append(feet.sole_points[..., :2].mean(axis=(0, 1)), level)
    return SegmentTerrain(0, len(feet.sole_points), (Plane(level),), np.zeros(1), np.array([NO_PATCH_INDEX]), centre)


def flat_level(feet: FootTracks) -> float | None:
    """Return the height of the ground, meters, for a clip without jumps on level ground; ``None`` for other clips.

    Without contacts, the ground is assumed at the lowest point of the feet.
    """
    if len(feet.contact_points) == 0:
        return float(feet.sole_points[..., 2].min())
    if feet.jumping.any():
        return None
    level = float(np.median(feet.contact_points[:, 2]))
    about = feet.contact_points - [*feet.contact_points[:, :2].mean(axis=0), level]
    slope = np.linalg.lstsq(about[:, :2], about[:, 2], rcond=None)[0]
    slope *= min(1.0, MAX_FLOOR_TILT_RATIO / max(float(np.linalg.norm(slope)), 1e-9))
    strays = np.abs(about[:, 2] - about[:, :2] @ slope)
    return level if np.quantile(strays, 0.95) <= FLAT_TOLERANCE_M else None


def terrain_entry(feet: FootTracks, segment: SegmentTerrain) -> dict[str, Any]:
    """Return the entry of a segment in a report: its frames, patches, and errors before and after refinement.

    ``patches`` has the patches' indices, ``"original"`` for the captured ground and ``"level"`` for level ground; all
    errors are in millimeters, one for each ground.
    """
    points = feet.points(segment.start, segment.stop)
    grounds = [_fit_errors_mm(points, ground) for ground in segment.grounds]
    own = "level" if isinstance(segment.grounds[0], Plane) else "original"
    return {
        "start": segment.start,
        "stop": segment.stop,
        "patches": [own if number == NO_PATCH_INDEX else number for number in segment.patch_indices.tolist()],
        "errors_mm": [round(1e3 * float(error) ** 0.5, 2) for error in segment.errors],
        **{name: [ground[name] for ground in grounds] for name in grounds[0]},
    }


def _fit_errors_mm(points: FootPoints, ground: Ground) -> dict[str, float]:
    """Return root mean squares, mm, of distances at contacts and of depths in swings, after and before refinement."""
    before = replace(ground, bend=None) if isinstance(ground, FittedGround) else ground
    result: dict[str, float] = {}
    for name, one in (("fitted", before), ("deformed", ground)):
        terms = fit_terms(points, one)
        result[f"contacts_{name}_mm"] = round(1e3 * terms.down**0.5, 2)
        result[f"swings_{name}_mm"] = round(1e3 * terms.up**0.5, 2)
    return result
