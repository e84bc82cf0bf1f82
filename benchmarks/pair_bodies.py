"""A dance on other bodies: distance of palms and depth on skeletons of different bones and size."""

from typing import Final

import numpy as np

from ..cli.dance import SHIPPED_CONTROLLER, SHIPPED_FIGURES
from ..cli.walk import SHIPPED_CONTROLLER as SHIPPED_WALKER
from ..core.control.pair.choreography import compose_dance
from ..core.control.pair.dance_figures import DanceFigures
from ..core.control.pair.dance_refinement import refine_dance
from ..core.control.pair.fitted_dance import fit_dance
from ..core.control.pair.joined_hands import palm_distances
from ..core.control.pair.partner_dance import Dance, PartnerDance
from ..core.control.path.path import Path
from ..core.models.model_file import load_model
from ..core.motion import Skeleton
from ..core.motion.proportions import ADULT_LEG_LENGTH_M, ANKLE_JOINT_HEIGHT_M, TOE_JOINT_HEIGHT_M, leg_length
from ..core.retarget.calibration import calibrate
from ..core.scene.body_overlap import deepest_overlap
from .tables import Table, table

SEEDS: Final = (1, 2)
COURSE: Final = Path(np.array([[0.0, 0.0], [3.0, 0.0]]))
SPEED_M_S: Final = 0.2
SIZES: Final = ((1.0, 1.0), (1.15, 1.0), (1.0, 1.15), (1.3, 0.9))
"""Sizes of leader and follower, as shares of the locomotion controller's skeleton."""
MAX_DEPTH_M, NEAR_M = 0.02, 0.05
"""Largest allowed depth of bodies; largest distance of palms that hold each other."""
HEAD: Final = (
    *("leader's size", "follower's size", "palms median, cm", "palms 95 %", "held frames beyond 5 cm, %"),
    "frames deeper than 2 cm, %",
)


def measure_bodies() -> Table:
    """Return the part of the section on dances of bodies other than the controller's."""
    model, figures = load_model(SHIPPED_CONTROLLER), DanceFigures.load(SHIPPED_FIGURES)
    body = load_model(SHIPPED_WALKER).skeleton
    dances = []
    for seed in SEEDS:
        rollout = PartnerDance(model, compose_dance(figures, COURSE, SPEED_M_S, seed, model.rate), seed)
        rollout.advance(rollout.total_frames)
        dances.append(rollout.finish())
    rows = []
    for sizes in SIZES:
        leader, follower = (calibrate(model.skeleton, _sized(body, size)) for size in sizes)
        rises = _rise(leader.target), _rise(follower.target)
        fitted = [refine_dance(fit_dance(dance, (leader, follower), rises)) for dance in dances]
        rows.append([*sizes, *_row(fitted)])
    return table(list(HEAD), rows, "On other bodies, as Blender bakes them")


def _row(dances: list[Dance]) -> list[float]:
    """Return median and 95th percentile of holding palms, cm, the share beyond :data:`NEAR_M`, and of deep frames."""
    clips = [(dance.leader.clip, dance.follower.clip, dance.holds) for dance in dances]
    palms = np.concatenate([palm_distances(first, second)[holds] for first, second, holds in clips])
    depths = np.concatenate([deepest_overlap(first, second, holds) for first, second, holds in clips])
    beyond, deep = 100 * float(np.mean(palms > NEAR_M)), 100 * float(np.mean(depths > MAX_DEPTH_M))
    return [100 * float(np.median(palms)), 100 * float(np.percentile(palms, 95)), beyond, deep]


def _rise(skeleton: Skeleton) -> float:
    """Return the height, meters, by which the ankles of a flat foot exceed the usual one."""
    usual = (ANKLE_JOINT_HEIGHT_M - TOE_JOINT_HEIGHT_M) * leg_length(skeleton) / ADULT_LEG_LENGTH_M
    return -float(skeleton.offsets[skeleton.joint("toe.L"), 2]) - usual


def _sized(skeleton: Skeleton, size: float) -> Skeleton:
    """Return a skeleton of another size."""
    return Skeleton(skeleton.names, skeleton.parents, skeleton.offsets * size, skeleton.tips * size)
