"""Root depenetration: the whole body is moved horizontally out of obstacles; feet must be locked again afterward."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.blending import blend_corrections
from ...motion.rotations import Array
from ...motion.signals import runs_of
from ...scene.body_capsules import BodyCapsules
from ...scene.collider_pose import AnimatedCollider
from ...tuning import Tuning, tuned
from .depenetration import HORIZONTAL_DIRECTIONS, MAX_ITERATIONS, BodyPart, depenetrate
from .local_smoothing import smooth_where


@dataclass(frozen=True, slots=True)
class RootDepenetration(Tuning):
    max_shift: float = tuned(0.3, "m", 0.0, 1.0)
    """Largest horizontal displacement of the body."""
    min_stance: float = tuned(0.3, "s", 0.05, 2.0)
    """Shortest time on both feet that counts as a stance, throughout which the displacement is constant.

    The double supports of a walk are shorter.
    """
    max_pause: float = tuned(0.5, "s", 0.0, 3.0)
    """Longest gap between two stances that share one displacement, since there is no time to change it."""
    max_shift_speed: float = tuned(1.4, "m/s", 0.1, 5.0)
    """Largest speed of the displacement, for example between stances displaced to opposite sides."""
    max_shifted_walk: tuple[float, float] = tuned((0.8, 1.75), "m/s", 0.0, 5.0)
    """Displacement speed from which the speed of the displaced body is limited as well, and that limit."""
    max_shift_acceleration: float = tuned(20.0, "m/s^2", 1.0, 100.0)
    """Largest acceleration of the displacement."""
    pacing: tuple[float, ...] = tuned((0.06, 0.1, 0.15, 0.2, 0.3), "s", 0.01, 1.0)
    """Standard deviations of the Gaussians to try, in order, until the displacement is within its limits."""
    step_blend: float = tuned(1.2, "s", 0.05, 4.0)
    """Time before and after a stance over which its displacement fades in and out."""


TUNING: Final = RootDepenetration()


@Stepwise
def depenetrate_root(
    clip: Clip,
    obstacles: Sequence[AnimatedCollider],
    collision_masks: Sequence[NDArray[np.bool_]],
    stands: NDArray[np.bool_],
) -> Generator[None, None, Clip]:
    """Return the motion with the body moved horizontally so that it penetrates no obstacle.

    Args:
        clip: The motion, F frames.
        obstacles: Animated colliders.
        collision_masks: For each obstacle, mask (F, S) of spheres of :class:`BodyCapsules` that it lets through.
        stands: (F) whether both feet stand; the displacement is constant meanwhile, so that the body does not glide.
    """
    body = BodyCapsules.from_skeleton(clip.skeleton)
    count = len(body.radii)
    whole = BodyPart(np.arange(count), np.ones((len(clip), count)), HORIZONTAL_DIRECTIONS, TUNING.max_shift)
    # One obstacle after the other, standing ones first: a body out of a table is out of the box on it, too.
    in_turn = sorted(
        zip(obstacles, collision_masks, strict=True), key=lambda pair: np.ptp(pair[0].positions, axis=0).any()
    )
    own = clip.root_positions
    for _ in range(MAX_ITERATIONS):
        before = clip
        for obstacle, collision_mask in in_turn:
            yield
            displacement = depenetrate(body, clip, [obstacle], [collision_mask], whole)
            if displacement is not None:
                displacement = _hold_while_standing(displacement, stands, clip.rate)
                clip = replace(clip, root_positions=clip.root_positions + displacement)
        if clip is before:
            break
    yield
    shift = clip.root_positions - own
    paced = _paced(shift, own, clip.rate)
    return clip if paced is shift else replace(clip, root_positions=own + paced)


def _paced(displacement: Array, own: Array, rate: float) -> Array:
    """Return displacements (F, 3), meters, smoothed where they change faster than a body can move.

    Between two stances displaced to opposite sides, the body would otherwise move by both within half a second.

    Args:
        displacement: (F, 3) displacements, meters.
        own: (F, 3) root positions before the displacement, meters.
        rate: frames per second.
    """
    return smooth_where(displacement, lambda track: _is_fast(track, own, rate), TUNING.pacing, rate)


def _is_fast(displacement: Array, own: Array, rate: float) -> NDArray[np.bool_]:
    """Return a mask (F) of the frames at which displacements change too fast; arguments are those of :func:`_paced`."""
    velocity, walk = (np.diff(track, axis=0, prepend=track[:1]) * rate for track in (displacement, own))
    acceleration = np.diff(velocity, axis=0, append=velocity[-1:]) * rate
    speed, together = np.linalg.norm(velocity, axis=1), np.linalg.norm(velocity + walk, axis=1)
    shifted, bound = TUNING.max_shifted_walk
    fast = (speed > TUNING.max_shift_speed) | ((speed > shifted) & (together > bound))
    return fast | (np.linalg.norm(acceleration, axis=1) > TUNING.max_shift_acceleration)


def _hold_while_standing(displacement: Array, stands: NDArray[np.bool_], rate: float) -> Array:
    """Return displacements (F, 3), meters, held at the largest of each stance and blended in between."""
    runs = _stances(stands, rate)
    if not len(runs):
        return displacement
    added = np.zeros_like(displacement)
    for start, stop in runs:
        within = displacement[start:stop]
        added[start:stop] = within[int(np.linalg.norm(within, axis=1).argmax())] - within
    return displacement + blend_corrections(added, runs, round(TUNING.step_blend * rate))


def _stances(stands: NDArray[np.bool_], rate: float) -> NDArray[np.intp]:
    """Return the frame ranges (R, 2), first and end, of the stances, including short pauses."""
    runs = runs_of(stands)
    runs = runs[runs[:, 1] - runs[:, 0] >= TUNING.min_stance * rate]
    apart = runs[1:, 0] - runs[:-1, 1] >= TUNING.max_pause * rate
    first, last = (np.ones(len(runs), dtype=bool) for _ in range(2))
    first[1:], last[:-1] = apart, apart
    return np.column_stack([runs[first, 0], runs[last, 1]])
