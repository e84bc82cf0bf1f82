"""What there is to say of the grounds that were fitted to a clip's parts."""

from dataclasses import replace
from typing import Any

from .clip_terrain import SegmentTerrain
from .fitting import fit_terms
from .foot_points import FootPoints, FootTracks
from .ground import Ground, Plane
from .refinement import FittedGround


def terrain_entry(feet: FootTracks, segment: SegmentTerrain) -> dict[str, Any]:
    """What is said of a part: its frames, its patches, and of each how far feet are from it, before and after bending.

    ``patches`` has their numbers, ``"own"`` for the ground that the clip was captured on and ``"level"`` for level
    ground; everything else is in millimetres, a number for each of them.
    """
    points = feet.points(segment.start, segment.stop)
    grounds = [_fit_errors_mm(points, ground) for ground in segment.grounds]
    own = "level" if isinstance(segment.grounds[0], Plane) else "own"
    return {
        "start": segment.start,
        "stop": segment.stop,
        "patches": [own if number < 0 else number for number in segment.patch_indices.tolist()],
        "errors_mm": [round(1e3 * float(error) ** 0.5, 2) for error in segment.errors],
        **{name: [ground[name] for ground in grounds] for name in grounds[0]},
    }


def _fit_errors_mm(points: FootPoints, ground: Ground) -> dict[str, float]:
    """Root mean squares, millimetres, of distances at contacts and of depths of swinging feet, bent and before."""
    before = replace(ground, bend=None) if isinstance(ground, FittedGround) else ground
    result: dict[str, float] = {}
    for name, one in (("fitted", before), ("bent", ground)):
        terms = fit_terms(points, one)
        result[f"contacts_{name}_mm"] = round(1e3 * terms.down**0.5, 2)
        result[f"swings_{name}_mm"] = round(1e3 * terms.up**0.5, 2)
    return result
