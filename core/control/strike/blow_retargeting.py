"""Retargeting of blows: an attack is changed to hit targets near its own target, so that networks learn all directions.

Freda's networks saw targets from few directions and often missed new targets (Freda 2018, section 6). Here the end
effector's path is displaced by the target's offset, growing from the beginning of the blow to its apex and fading to
its end; the body turns, moves its hips toward the target and sinks by a share of the offset, and full-body IK does the
rest. Feet that do not kick keep their paths.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import FootfallError
from ...labelling.semantics.blow_targets import blow_targets
from ...labelling.semantics.blows import LIMBS, MAX_HANDS_APART_M, Blow
from ...motion import Clip
from ...motion.limb_ik import Leg, solve_leg_ik, with_world_rotations
from ...motion.proportions import body_scale
from ...motion.rotations import Array, exp, inverse, log, multiply, normalize, rotate, rotation_about_up, wrap_angle
from ...motion.signals import Mask
from ...motion.weapons import striking_places
from ...scene.full_body_ik import EffectorGoal, solve_full_body_ik
from ...tuning import Tuning, tuned


@dataclass(frozen=True, slots=True)
class BlowRetargetingTuning(Tuning):
    max_turn: float = tuned(np.radians(30.0), "rad", 0.0, np.pi)
    """Largest angle, seen from the hips, between a sampled target and the blow's own target."""
    max_shift: float = tuned(0.25, "m", 0.0, 1.0)
    """Largest difference between the two targets' horizontal distances from the hips, for an adult."""
    heights: tuple[float, float] = tuned((0.6, 1.8), "m", 0.0, 2.5)
    """Range of the sampled targets' heights over the ground, for an adult."""
    ease: float = tuned(0.15, "s", 0.0, 1.0)
    """Time over which the displacement of the end effector's path fades in before a blow, and out after it."""
    turn_share: float = tuned(0.7, "1", 0.0, 1.0)
    """Share of the angle between the two targets by which the whole body turns."""
    advance_share: float = tuned(0.4, "1", 0.0, 1.0)
    """Horizontal displacement of the hips per meter by which a hand's target is farther away than the blow's own."""
    lower_share: float = tuned(0.5, "1", 0.0, 1.0)
    """Drop of the hips per meter by which a hand's target is lower than the blow's own."""
    target_tolerance: float = tuned(1e-3, "m", 1e-5, 0.05)
    """Largest distance between an end effector and its target at which the target counts as reached."""
    foot_tolerance: float = tuned(5e-3, "m", 1e-5, 0.05)
    """Largest distance of a foot that does not kick from its original path."""
    max_flexion: float = tuned(2.7, "rad", 1.0, np.pi)
    """Largest flexion of elbows and knees; 0 is straight."""


TUNING: Final = BlowRetargetingTuning()


@dataclass(frozen=True, eq=False)
class RetargetedBlows:
    """One blow of F frames retargeted to N targets.

    Attributes:
        own: the original clip of the blow, with surrounding frames in which the changes fade in and out.
        blow: first, apex and last frame of the blow in ``own``.
        targets: (N, 3) targets, world, meters.
        root_positions: (N, F, 3) root positions for each target, world, meters.
        rotations: (N, F, J, 4) rotations of the joints relative to their parents.
        misses: (N) distances of the end effector from the targets at the apex, meters.
        foot_errors: (N) largest distances of a foot that does not kick from its own path, meters.
        flexions: (N) largest flexions of elbows and knees, radians; 0 is straight.
    """

    own: Clip
    blow: Blow
    targets: Array
    root_positions: Array
    rotations: Array
    misses: Array
    foot_errors: Array
    flexions: Array

    @property
    def reached(self) -> Mask:
        """Mask (N) of targets that the end effector reaches with feet on their own paths and joints within limits."""
        return (self.misses <= TUNING.target_tolerance) & self.in_place

    @property
    def in_place(self) -> Mask:
        """Mask (N) of targets, reached or not, for which feet stay on their own paths and joints within limits."""
        bent = self.flexions <= np.maximum(TUNING.max_flexion, _flexions(self.own).max())
        return (self.foot_errors <= TUNING.foot_tolerance) & bent

    def clip(self, number: int) -> Clip:
        """Return the motion that hits one target.

        Args:
            number: index of the target.

        Raises:
            FootfallError: the blow does not reach the target, or only with feet off their paths or joints beyond their
                limits.
        """
        if self.misses[number] > TUNING.target_tolerance:
            raise FootfallError(
                "The attack at frame {apex} of the clip {name} falls {miss} cm short of a target: bring the "
                "target closer",
                apex=self.blow.apex,
                name=self.own.name,
                miss=f"{100 * self.misses[number]:.1f}",
            )
        if not self.reached[number]:
            raise FootfallError(
                "The attack at frame {apex} of the clip {name} reaches a target only with feet or joints out "
                "of place: bring the target closer to the point where the captured attack lands",
                apex=self.blow.apex,
                name=self.own.name,
            )
        return Clip(self.own.skeleton, self.own.rate, self.root_positions[number], self.rotations[number])


def sample_targets(clip: Clip, blow: Blow, ground: float, count: int, generator: np.random.Generator) -> Array:
    """Return N random targets (N, 3) near a blow's own target, world, meters.

    Args:
        clip: the motion.
        blow: the blow.
        ground: height of the ground, meters.
        count: number of targets, N.
        generator: generator of the random numbers.
    """
    hips = clip.positions[blow.apex, clip.skeleton.joint("hips")]
    own, scale = striking_places(clip, blow.effector)[blow.apex] - hips, body_scale(clip)
    angles = np.arctan2(own[1], own[0]) + generator.uniform(-TUNING.max_turn, TUNING.max_turn, count)
    distances = np.hypot(own[0], own[1]) + scale * generator.uniform(-TUNING.max_shift, TUNING.max_shift, count)
    heights = ground + scale * generator.uniform(*TUNING.heights, count)
    return np.stack([hips[0] + distances * np.cos(angles), hips[1] + distances * np.sin(angles), heights], axis=1)


def retarget_blow(clip: Clip, blow: Blow, targets: Array) -> RetargetedBlows:
    """Return a blow retargeted to each of N targets (N, 3), meters, world, solved together.

    Raises:
        FootfallError: a target is not finite, or the skeleton has no arms or legs.
    """
    if not np.isfinite(targets).all():
        raise FootfallError(
            "A target of the attack at frame {apex} has no valid position: move the target", apex=blow.apex
        )
    ease = round(TUNING.ease * clip.rate)
    first, stop = max(blow.start - ease, 0), min(blow.stop + ease, len(clip))
    own = clip.cut(first, stop)
    blow = Blow(blow.effector, blow.start - first, blow.apex - first, blow.stop - first)
    poses = _apex_poses(own, blow, targets)
    made = _displaced(own, _weights(len(own), blow.apex), poses)
    for side in "LR":
        if f"foot.{side}" != blow.effector:
            made = _with_foot_on_path(made, _repeated(own, len(targets)), side)
    ends = made.positions.reshape(len(targets), len(own), -1, 3)[:, blow.apex, own.skeleton.joint(blow.effector)]
    return RetargetedBlows(
        own,
        blow,
        targets,
        made.root_positions.reshape(len(targets), *own.root_positions.shape),
        made.rotations.reshape(len(targets), *own.rotations.shape),
        np.linalg.norm(ends - targets, axis=-1),
        _foot_errors(made, _repeated(own, len(targets)), blow).reshape(len(targets), -1).max(axis=1),
        _flexions(made).reshape(len(targets), -1).max(axis=1),
    )


def _repeated(clip: Clip, count: int) -> Clip:
    """Return a clip that plays `count` times in a row."""
    return Clip(
        clip.skeleton, clip.rate, np.tile(clip.root_positions, (count, 1)), np.tile(clip.rotations, (count, 1, 1))
    )


def _apex_poses(own: Clip, blow: Blow, targets: Array) -> Clip:
    """Return a clip of N frames, the apex poses that reach the targets, solved by full-body IK."""
    many, every = _repeated(own.cut(blow.apex, blow.apex + 1), len(targets)), np.ones(len(targets))
    turns, steps = _body_changes(own, blow, targets)
    body = _moved(many, _pivot(own, blow), turns, steps)
    ends = _ends(own, blow)
    goals = [EffectorGoal(role, targets + rotate(rotation_about_up(turns), ends[role]), every) for role in ends]
    solved = solve_full_body_ik(body, [*_foot_goals(many, blow), *goals], consecutive=False)
    rotations = solved.rotations.copy()
    for end in map(own.skeleton.joint, ends):
        rotations[:, end] = many.rotations[:, end]  # Fists and soles turn with their limbs.
    return Clip(own.skeleton, own.rate, solved.root_positions, rotations)


def _ends(own: Clip, blow: Blow) -> dict[str, Array]:
    """Return the offset (3), meters, from the target of each end effector that takes part, by role.

    The other hand takes part if both hands hold one weapon.
    """
    part, _, side = blow.effector.partition(".")
    other = f"hand.{'L' if side == 'R' else 'R'}"
    ends: dict[str, Array] = {blow.effector: np.zeros(3)}
    if part == "hand" and {other, other.replace("hand", "upper_arm")} <= set(own.skeleton.roles):
        first, second = (own.positions[:, own.skeleton.joint(role)] for role in (blow.effector, other))
        apart = np.linalg.norm(second - first, axis=-1)[blow.start : blow.stop]
        if apart.max() < MAX_HANDS_APART_M * body_scale(own):
            ends[other] = (second - first)[blow.apex]
    return ends


def _displaced(own: Clip, weights: Array, poses: Clip) -> Clip:
    """Return N blows, each displaced from the original toward one of the apex `poses` (N), by weights (F).

    Displacement mapping (Witkin and Popovic 1995, *Motion warping*): the blow keeps its own detail, and the
    displacement is as smooth as the weights.
    """
    apex = int(np.argmax(weights))
    root = own.root_positions + weights[:, None] * (poses.root_positions - own.root_positions[apex])[:, None]
    change = multiply(inverse(own.rotations[apex]), poses.rotations)
    change[:, 0] = multiply(poses.rotations[:, 0], inverse(own.rotations[apex, 0]))
    change = exp((weights[:, None] * _room_to_bend(own, weights, poses))[..., None] * log(change)[:, None])
    rotations = multiply(np.broadcast_to(own.rotations, change.shape), change)
    rotations[:, :, 0] = multiply(change[:, :, 0], np.broadcast_to(own.rotations[:, 0], change[:, :, 0].shape))
    return Clip(own.skeleton, own.rate, root.reshape(-1, 3), normalize(rotations).reshape(-1, *own.rotations.shape[1:]))


def _with_foot_on_path(made: Clip, own: Clip, side: str) -> Clip:
    """Return the clip `made` with one foot placed and rotated as in the clip `own`, as far as the leg reaches."""
    leg = Leg.of(made.skeleton, side)
    positions, rotations = (values.copy() for values in made.world)
    rotations[:, leg.foot] = own.world[1][:, leg.foot]
    solve_leg_ik(made.skeleton, positions, rotations, leg, own.positions[:, leg.foot])
    solved = with_world_rotations(made, made.root_positions, rotations)
    solved.rotations[:, leg.foot + 1 :] = made.rotations[:, leg.foot + 1 :]  # toes turn with the foot, others do not
    return solved


def _weights(frames: int, apex: int) -> Array:
    """Return weights (F) that grow smoothly from 0 at the first frame to 1 at the apex and fall to 0 at the last."""
    last = max(frames - 1, apex + 1)
    at = np.arange(frames, dtype=float)
    share = np.where(at <= apex, at / max(apex, 1), (last - at) / (last - apex))
    return share**3 * (10 - 15 * share + 6 * share**2)


def _body_changes(own: Clip, blow: Blow, targets: Array) -> tuple[Array, Array]:
    """Return, for each target, how far the body turns (N), radians, and its pivot moves (N, 3), meters, at the apex."""
    pivot = own.positions[blow.apex, _pivot(own, blow)]
    was, now = blow_targets(own, [blow])[0] - pivot, targets - pivot
    turns = TUNING.turn_share * wrap_angle(np.arctan2(now[:, 1], now[:, 0]) - np.arctan2(was[1], was[0]))
    steps = np.zeros_like(targets)
    if blow.effector.startswith("hand"):
        distance = np.linalg.norm(now[:, :2], axis=1, keepdims=True)
        farther = distance - np.linalg.norm(was[:2])
        steps[:, :2] = TUNING.advance_share * farther * now[:, :2] / np.maximum(distance, 1e-6)
        steps[:, 2] = TUNING.lower_share * np.minimum(now[:, 2] - was[2], 0.0)
    return turns, steps


def _pivot(clip: Clip, blow: Blow) -> int:
    """Return the joint about which the body turns: the standing foot in a kick, else the hips."""
    part, _, side = blow.effector.partition(".")
    return clip.skeleton.joint(f"foot.{'L' if side == 'R' else 'R'}" if part == "foot" else "hips")


def _moved(many: Clip, pivot: int, turns: Array, steps: Array) -> Clip:
    """Return poses (N) turned by angles (N), radians, about the vertical through a joint, then moved (N, 3), meters."""
    turn, place = rotation_about_up(turns), many.positions[:, pivot]
    rotations = many.rotations.copy()
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    return Clip(many.skeleton, many.rate, place + steps + rotate(turn, many.root_positions - place), rotations)


def _foot_goals(many: Clip, blow: Blow) -> list[EffectorGoal]:
    """Return IK goals that keep each foot that does not kick on its own path."""
    every, world = np.ones(len(many)), many.world[1]
    joints = {role: many.skeleton.joint(role) for role in LIMBS if role.startswith("foot") and role != blow.effector}
    return [EffectorGoal(role, many.positions[:, joint], every, world[:, joint]) for role, joint in joints.items()]


def _foot_errors(made: Clip, many: Clip, blow: Blow) -> Array:
    """Return, for each frame (M), the largest distance of a foot that does not kick from its own path, meters."""
    feet = [many.skeleton.joint(role) for role in LIMBS if role.startswith("foot") and role != blow.effector]
    return np.linalg.norm(made.positions[:, feet] - many.positions[:, feet], axis=-1).max(axis=1)


def _flexions(clip: Clip) -> Array:
    """Return the flexion (M, L) of each elbow and knee that the skeleton has, radians; 0 is straight."""
    bends = []
    for first, middle, end in _limbs(clip):
        upper, lower = (clip.positions[:, b] - clip.positions[:, a] for a, b in ((first, middle), (middle, end)))
        cosine = np.sum(normalize(upper) * normalize(lower), axis=-1)
        bends.append(np.arccos(np.clip(cosine, -1.0, 1.0)))
    return np.stack(bends, axis=1)


def _room_to_bend(own: Clip, weights: Array, poses: Clip) -> Array:
    """Return the factors (N, F, J) that reduce the displacement of each joint toward the apex poses (N).

    Factors are below 1 for elbows and knees that would otherwise bend too far; the more a joint is already bent, the
    lower its factor.
    """
    flexions, apex = _flexions(own), int(np.argmax(weights))
    limit = np.maximum(TUNING.max_flexion, flexions.max(axis=0))
    room = np.minimum((limit - flexions) / np.maximum(limit - flexions[apex], 1e-6), 1.0)
    added = _flexions(poses) - flexions[apex]
    too_far = (flexions + weights[:, None] * added[:, None]).max(axis=1) > limit
    shares = np.ones((len(poses), *own.rotations.shape[:2]))
    shares[:, :, [middle for _, middle, _ in _limbs(own)]] = np.where(too_far[:, None], room, 1.0)
    return shares


def _limbs(clip: Clip) -> list[tuple[int, int, int]]:
    """Return the first, middle and last joint of each limb that the skeleton has."""
    roles = clip.skeleton.roles
    return [(roles[a], roles[b], roles[end]) for end, (a, b) in LIMBS.items() if {end, a, b} <= set(roles)]
