"""The paper's baseline: a flat plane bent to the footsteps, without any patch (PFNN section 8, figure 13)."""

from typing import Final

import numpy as np

from .foot_points import FootPoints
from .heightfield import Heightfield
from .refinement import FittedGround, refine_ground

FLAT_PATCH: Final = Heightfield.centred(np.zeros((2, 2)), 1.0)


def bend_plane(points: FootPoints) -> FittedGround:
    """Level ground at the mean of the contacts, bent until feet stand on it and swing over it."""
    return refine_ground(FittedGround(FLAT_PATCH, points.centre), points)
