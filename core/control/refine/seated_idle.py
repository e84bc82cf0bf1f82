"""Idling of seated characters: they lean back, breathe, shift their weight, glance around, and rest their hands.

Idling is added to trunk, head and arms, while hips and feet stay. It fades in once the character sits, and out before
it gets up. A seed selects its timing and sides.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...jobs.steps import Stepwise
from ...motion import Clip
from ...motion.blending import smooth_falloff
from ...motion.limb_ik import rotate_joint
from ...motion.rotations import Array, exp
from ...scene.collider_pose import AnimatedCollider
from ...tuning import Tuning, tuned
from ..interaction.actions import ACTION_SPECS
from ..interaction.recording import InteractionRecording
from .resting_hands import rest_hands
from .seated_posture import level_head, settle_trunk, turn_axes, turn_trunk


@dataclass(frozen=True, slots=True)
class SeatedIdle(Tuning):
    """Tuned numbers of seated idling."""

    fade: float = tuned(1.0, "s", 0.05, 5.0)
    """Time in which the idling fades in and out."""
    breaths: tuple[float, float] = tuned((0.22, 0.3), "Hz", 0.05, 1.0)
    """Least and greatest frequency of breathing at rest."""
    breath: float = tuned(np.radians(0.9), "rad", 0.0, 0.1)
    """Pitch amplitude of the chest in breathing."""
    shift_pauses: tuple[float, float] = tuned((3.0, 7.0), "s", 0.2, 60.0)
    """Shortest and longest pause between shifts of weight."""
    shift_durations: tuple[float, float] = tuned((1.0, 1.6), "s", 0.2, 5.0)
    """Shortest and longest duration of a shift of weight."""
    shifts: tuple[float, float, float] = tuned(tuple(np.radians((1.6, 2.6, 2.2))), "rad", 0.0, 0.3)
    """Largest pitch, roll and yaw of the trunk in a shift of weight."""
    glance_pauses: tuple[float, float] = tuned((2.0, 6.0), "s", 0.2, 60.0)
    """Shortest and longest pause between glances."""
    glance_holds: tuple[float, float] = tuned((0.8, 2.2), "s", 0.0, 20.0)
    """Shortest and longest time for which the head stays turned in a glance."""
    glance_durations: tuple[float, float] = tuned((0.4, 0.6), "s", 0.1, 3.0)
    """Shortest and longest duration of the head's turn to a glance, or back."""
    glances: tuple[float, float] = tuned(tuple(np.radians((10.0, 34.0))), "rad", 0.0, 1.2)
    """Smallest and largest angle of a glance."""
    head_level_share: float = tuned(0.75, "1", 0.0, 1.0)
    """Share of the trunk's rotations that neck and head counter-rotate."""


TUNING: Final = SeatedIdle()


@dataclass(frozen=True, slots=True, eq=False)
class Sitting:
    """The idling of a character on a seat, over a recording of F frames.

    Attributes:
        weights: (F) weights of the idling, 0 to 1.
        start: frame at which the body has settled.
        seat_index: index of the seat among the objects.
        seed: seed of the random variation.
    """

    weights: Array
    start: int
    seat_index: int
    seed: tuple[int, int]


@Stepwise
def idle_on_seats(
    recording: InteractionRecording,
    clip: Clip,
    colliders: list[AnimatedCollider],
    standing: Clip | None = None,
    scale: float = 1.0,
) -> Generator[None, None, Clip]:
    """Return the motion with idling added to trunk, head and arms while the character sits.

    Args:
        recording: the recorded interaction, F frames.
        clip: the motion with hips on their seats, F frames.
        colliders: colliders of all objects, in meters at the clip's scale.
        standing: standing pose of the same skeleton; ``None`` to leave the head's pitch as it is.
        scale: clip meters per recording meter.
    """
    if not {"spine", "chest", "neck", "head"} <= set(clip.skeleton.roles):
        return clip
    for sitting in _sittings(recording, len(clip), clip.rate):
        turns, glances = _trunk_turns(sitting, clip.rate), _glances(sitting, clip.rate)
        settled = min(sitting.start + round(TUNING.fade * clip.rate), len(clip) - 1)
        clip = yield from settle_trunk.steps(clip, sitting.weights, settled, colliders[sitting.seat_index])
        yield
        if standing is not None:
            clip = level_head(clip, sitting.weights, standing)
            yield
        clip = _turned(clip, sitting.weights[:, None] * turns, sitting.weights * glances)
        yield
        seat = recording.object_states[sitting.start][sitting.seat_index]
        clip = rest_hands(clip, sitting.weights, seat, scale, [*sitting.seed, 3])
        yield
    return clip


def _sittings(recording: InteractionRecording, count: int, rate: float) -> list[Sitting]:
    """Return the spans in which the character sits."""
    found, frames, ease = [], np.arange(count), TUNING.fade * rate
    for interval in recording.task_intervals():
        _, stop, task_index = interval
        task = recording.tasks[task_index]
        contact = ACTION_SPECS[task.action].seat_contact(recording, interval)
        if contact is None:
            continue
        weights = smooth_falloff((contact.start + ease - frames) / ease)
        if stop < count:  # At the end of the recording it continues to sit.
            weights *= smooth_falloff((frames - (stop - 1 - ease)) / ease)
        found.append(Sitting(weights, contact.start, task.object_index, (recording.seed, task_index)))
    return found


def _trunk_turns(sitting: Sitting, rate: float) -> Array:
    """Return the trunk's forward pitch, roll and yaw (F, 3), radians, from shifts of weight and breathing."""
    generator, count = np.random.default_rng([*sitting.seed, 1]), len(sitting.weights)
    turns, frame = np.zeros((count, 3)), float(sitting.start)
    before = np.zeros(3)
    while frame < count:
        frame += generator.uniform(*TUNING.shift_pauses) * rate * (0.4 if not before.any() else 1.0)
        after = TUNING.shifts * generator.uniform(-1.0, 1.0, 3)
        duration = generator.uniform(*TUNING.shift_durations) * rate
        risen = 1.0 - smooth_falloff((np.arange(count) - frame) / duration)
        turns += risen[:, None] * (after - before)
        before, frame = after, frame + duration
    breath = 2 * np.pi * (generator.uniform(*TUNING.breaths) * np.arange(count) / rate + generator.uniform())
    turns[:, 0] -= TUNING.breath * np.sin(breath)
    return turns


def _glances(sitting: Sitting, rate: float) -> Array:
    """Return the yaw (F) of the head, radians, with occasional glances aside."""
    generator, count = np.random.default_rng([*sitting.seed, 2]), len(sitting.weights)
    yaws, frame = np.zeros(count), float(sitting.start)
    frames = np.arange(count)
    while frame < count:
        frame += generator.uniform(*TUNING.glance_pauses) * rate
        angle = generator.uniform(*TUNING.glances) * generator.choice((-1.0, 1.0))
        duration = generator.uniform(*TUNING.glance_durations) * rate
        hold = generator.uniform(*TUNING.glance_holds) * rate
        away = smooth_falloff((frames - frame) / duration)
        back = smooth_falloff((frames - frame - duration - hold) / (1.3 * duration))
        yaws += angle * (back - away)
        frame += 2.3 * duration + hold
    return yaws


def _turned(clip: Clip, turns: Array, glances: Array) -> Clip:
    """Return a motion with the trunk turned, and the head leveled and turned for glances.

    Args:
        clip: the motion, F frames.
        turns: (F, 3) pitch ahead, roll and yaw of the trunk, radians.
        glances: (F) yaw of the head, radians.
    """
    axes = turn_axes(clip)
    turn, aside = np.einsum("fk,kfi->fi", turns, axes), glances[:, None] * axes[2]
    clip = rotate_joint(turn_trunk(clip, turns), clip.skeleton.joint("chest"), exp(0.1 * aside))
    for role in ("neck", "head"):
        clip = rotate_joint(clip, clip.skeleton.joint(role), exp(0.45 * aside - TUNING.head_level_share / 2 * turn))
    return clip
