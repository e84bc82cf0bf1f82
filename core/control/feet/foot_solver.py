"""Foot poses that keep heel and ball in place during contacts, and never below the ground."""

from collections.abc import Generator

import numpy as np

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.blending import blend_corrections
from ...motion.limb_ik import Leg
from ...motion.proportions import ADULT_LEG_LENGTH_M
from ...motion.rotations import UP, Array, exp, inverse, multiply, normalize, rotate, rotation_between
from ...motion.signals import runs_of
from ...retarget.contacts import SolePoints
from ...terrain.ground import Scene
from . import sole_solver
from .foot_pose import FootPose, SoleContacts
from .sole_solver import SoleSolver, toe_bend


@Stepwise
def solve_foot(
    clip: Clip, leg: Leg, contacts: SoleContacts, scene: Scene, standing: Clip
) -> Generator[None, None, FootPose]:
    """Return the pose of a foot that is held in place on the ground during contacts, and kept above it elsewhere.

    Args:
        clip: The motion.
        leg: Joints of the leg.
        contacts: Held contacts.
        scene: The ground.
        standing: The same body on level ground, whose flat feet define heels and soles.
    """
    scale = clip.skeleton.leg_length / ADULT_LEG_LENGTH_M
    foot = SoleSolver(clip, leg, contacts, scene, standing, scale)
    if leg.toe is None:
        still = np.tile([1.0, 0.0, 0.0, 0.0], (len(clip), 1))
        return FootPose(foot.solve_ankle(), still, still)
    yield from foot.find_lock_targets()
    ankle, turn = _turned_foot(foot, foot.solve_soles())
    return FootPose(ankle, turn, multiply(toe_bend(foot, turn), turn))


@Stepwise
def solve_planted_ankles(
    clip: Clip, leg: Leg, contacts: SoleContacts, scene: Scene, standing: Clip
) -> Generator[None, None, Array]:
    """Return the ankle positions (F, 3), meters, world, of a foot that is held in place during contacts.

    Quicker than :func:`solve_foot`, since outside contacts the foot may be below the ground.
    """
    foot = SoleSolver(clip, leg, contacts, scene, standing, clip.skeleton.leg_length / ADULT_LEG_LENGTH_M)
    if leg.toe is None:
        return foot.solve_ankle()
    yield from foot.find_lock_targets()
    return _turned_foot(foot, foot.planted_soles())[0]


def _turned_foot(foot: SoleSolver, soles: SolePoints) -> tuple[Array, Array]:
    """Return ankle positions (F, 3), meters, above given soles, and rotations (F, 4) of the foot from its pose."""
    old = foot.original
    turn = rotation_between(old.ball - old.heel, soles.ball - soles.heel)
    turn = multiply(_sole_roll(foot, soles, turn), turn)
    return soles.heel + rotate(turn, foot.clip.positions[:, foot.leg.foot] - old.heel), turn


def _sole_roll(foot: SoleSolver, soles: SolePoints, turn: Array) -> Array:
    """Return the roll (F, 4) of the foot about the line from heel to ball that lays the sole flat on the ground.

    It applies while both heel and ball touch, and fades before and after such contacts.
    """
    assert foot.leg.toe is not None
    runs = runs_of(foot.contacts.heel & foot.contacts.ball)
    standing = foot.standing.world[1][foot.flat_foot_frames, foot.leg.foot]
    axis = normalize(soles.ball - soles.heel)
    if len(runs) == 0 or len(standing) == 0:
        return np.tile([1.0, 0.0, 0.0, 0.0], (len(axis), 1))
    up = np.median(rotate(inverse(standing), np.broadcast_to(UP, (len(standing), 3))), axis=0)
    own = rotate(multiply(turn, foot.clip.world[1][:, foot.leg.foot]), np.broadcast_to(up, axis.shape))
    wanted = foot.lock_targets.normal
    side = np.cross(axis, own)
    angle = np.arctan2(np.sum(wanted * side, axis=-1), np.sum(wanted * own, axis=-1))[:, None]
    correction = np.zeros_like(angle)
    for start, stop in runs:
        correction[start:stop] = angle[start:stop]
    blend_frames = max(round(sole_solver.TUNING.contact_blend * foot.clip.rate), 1)
    return exp(blend_corrections(correction, runs, blend_frames) * axis)
