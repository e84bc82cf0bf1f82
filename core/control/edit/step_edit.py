"""Edited steps of a finished motion: moved, turned, held longer, or released earlier.

A moved step displaces its foot for the whole contact, and the swings before and after lead to and from the new place.
The body smoothly follows the mean displacement of its feet. A longer contact leaves less time for the next swing, which
follows the same path through space at another pace.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from ...errors import FootfallError
from ...message import Message
from ...motion import Clip
from ...motion.blending import blend_corrections
from ...motion.contacts import FootContacts
from ...motion.rotations import Array, exp, length, multiply, rotate, slerp
from ...terrain.ground import Scene
from ...tuning import Tuning, tuned
from ..performance import Performance
from .foot import Foot, feet_of, foot_named
from .foot_placement import place_feet


@dataclass(frozen=True, slots=True)
class StepEditTuning(Tuning):
    swing_fade: float = tuned(1.0, "s", 0.1, 5.0)
    """Longest time in which a swing leads to a moved step, or away from it; a shorter swing limits it."""
    shortest_swing: float = tuned(0.12, "s", 0.02, 1.0)
    """Shortest swing that a longer contact may leave before or after it."""
    shortest_contact: float = tuned(0.05, "s", 0.0, 1.0)
    """Shortest contact that an edit may leave."""
    near: float = tuned(0.25, "s", 0.0, 2.0)
    """Largest time between an edit's frame and a contact that still belongs to it, for instance after the path has
    changed.
    """
    highest_rise: float = tuned(0.4, "m", 0.05, 2.0)
    """Height above the ankle from which the ground under a moved step is searched downward."""
    body_smoothing: float = tuned(0.12, "s", 0.0, 2.0)
    """Standard deviation of the Gaussian that smooths how the body follows its displaced feet."""
    reach_tolerance: float = tuned(0.01, "m", 0.0, 0.2)
    """Distance of a foot from its target above which it is reported as out of reach."""
    max_body_shift: float = tuned(0.3, "m", 0.0, 2.0)
    """Sideways displacement of the body by a step above which the step is reported."""


TUNING: Final = StepEditTuning()

SIDES: Final = {
    "L": Message("left"),
    "R": Message("right"),
    "front_L": Message("left front"),
    "front_R": Message("right front"),
}
"""Words for each foot in messages, by the foot's name."""


@dataclass(frozen=True, slots=True, eq=False)
class StepEdit:
    """A change of one contact of a foot.

    Attributes:
        side: name of the foot, such as ``"L"`` or ``"front_L"``.
        frame: a frame of the motion in which the foot stands.
        shift: (2) horizontal displacement of the foot, meters, world; its height follows the ground.
        turn: turn of the foot about the vertical, radians; ignored for a paw without a toe, which turns with its leg.
        earlier: time by which the foot lands earlier, seconds; negative for later.
        later: time by which the foot leaves the ground later, seconds; negative for earlier.
    """

    side: str
    frame: int
    shift: Array
    turn: float = 0.0
    earlier: float = 0.0
    later: float = 0.0


def find_step(contacts: FootContacts, foot: Foot, frame: int, rate: float) -> int | None:
    """Return the index of a foot's contact at a frame or within ``TUNING.near`` of it; ``None`` if there is no contact.

    Args:
        contacts: contacts of the feet.
        foot: the foot.
        frame: the frame.
        rate: frames per second.
    """
    runs = foot.runs(contacts)
    if not len(runs):
        return None
    away = np.maximum(np.maximum(runs[:, 0] - frame, frame - (runs[:, 1] - 1)), 0)
    nearest = int(away.argmin())
    return nearest if away[nearest] <= TUNING.near * rate else None


def edit_steps(
    performance: Performance, edits: Sequence[StepEdit], ground: Scene
) -> tuple[Performance, dict[int, Message]]:
    """Return a motion with edited steps, and a message for each edit out of reach, by the edit's index.

    Args:
        performance: the motion.
        edits: the edits, at most one for each contact.
        ground: the ground.

    Raises:
        FootfallError: a foot does not stand at an edit's frame, a contact leaves no time for a swing or is edited
            twice, or the body has no foot of that name.
    """
    if not edits:
        return performance, {}
    clip, feet, stands = performance.clip, feet_of(performance.clip.skeleton), performance.contacts
    for edit in edits:
        foot_named(clip.skeleton, edit.side)
    found = list[tuple[dict[int, StepEdit], NDArray[np.intp]]]()
    places, turns, contacts = list[Array](), list[Array](), stands.probabilities.copy()
    beside = np.zeros((len(clip), 3))
    for foot in feet:
        own = _by_step(performance, foot, [edit for edit in edits if edit.side == foot.name])
        runs, times = foot.runs(stands), np.arange(len(clip), dtype=float)
        edited = runs.copy()
        for index, edit in own.items():
            edited[index] = _edited_run(runs, index, edit, clip.rate, len(clip))
        if (edited != runs).any():
            times = _foot_times(runs, edited, len(clip))
        found.append((own, edited))
        place, turn = _foot_at(clip, foot, times)
        shift = _foot_shift(edited, own, place, ground, clip.rate)
        places.append(place + shift[:, :3])
        turns.append(multiply(exp(shift[:, 3:]), turn))
        contacts[:, foot.columns] = stands.probabilities[np.rint(times).astype(int), foot.columns]
        beside += shift[:, :3] / len(feet)
    beside[performance.touches("hips")] = 0.0  # a seat carries the body, whatever the feet do
    body = scipy.ndimage.gaussian_filter1d(beside, TUNING.body_smoothing * clip.rate, axis=0, mode="nearest")
    moved = replace(clip, root_positions=clip.root_positions + body)
    kept = FootContacts(contacts)
    placed = place_feet(moved, places, turns, kept, np.ones(len(clip)))
    issues = dict[int, Message]()
    for foot, place, (own, edited) in zip(feet, places, found, strict=True):
        issues |= _far_aside(body, own, edited, edits) | _out_of_reach(placed, foot, place, own, edited, edits)
    return performance.with_clip(placed).with_contacts(kept), issues


def _far_aside(
    body: Array, own: dict[int, StepEdit], runs: NDArray[np.intp], edits: Sequence[StepEdit]
) -> dict[int, Message]:
    """Return a message for each step that takes the body (F, 3) far to the side, by the index of its edit."""
    result = dict[int, Message]()
    for index, edit in own.items():
        off = float(length(body[slice(*runs[index]), :2]).max())
        if off > TUNING.max_body_shift and np.any(edit.shift):
            number = next(at for at, one in enumerate(edits) if one is edit)
            result[number] = Message(
                "The edited step at frame {frame} is out of reach, so the body leaves its path by {distance} "
                "cm: move the step closer",
                frame=edit.frame,
                distance=f"{100 * off:.0f}",
            )
    return result


def _out_of_reach(
    clip: Clip, foot: Foot, place: Array, own: dict[int, StepEdit], runs: NDArray[np.intp], edits: Sequence[StepEdit]
) -> dict[int, Message]:
    """Return a message for each step of a foot that cannot reach its target (F, 3), by the index of its edit."""
    result = dict[int, Message]()
    for index, edit in own.items():
        span = slice(*runs[index])
        off = float(length(foot.places(clip)[span] - place[span]).max())
        if off > TUNING.reach_tolerance:
            number = next(at for at, one in enumerate(edits) if one is edit)
            result[number] = Message(
                "The edited step at frame {frame} is {distance} cm beyond the reach of the leg: move the step closer",
                frame=edit.frame,
                distance=f"{100 * off:.0f}",
            )
    return result


def _by_step(performance: Performance, foot: Foot, edits: Sequence[StepEdit]) -> dict[int, StepEdit]:
    """Return the edits of a foot by the index of the contact that they change."""
    result = dict[int, StepEdit]()
    name = SIDES[foot.name]
    for edit in edits:
        index = find_step(performance.contacts, foot, edit.frame, performance.clip.rate)
        if index is None:
            raise FootfallError(
                "The {side} foot is not on the ground at frame {frame}: remove the edited step at that frame",
                side=name,
                frame=edit.frame,
            )
        if index in result:
            raise FootfallError(
                "The step of the {side} foot at frame {frame} is edited twice: remove one of the two edited steps",
                side=name,
                frame=edit.frame,
            )
        result[index] = edit
    return result


def _edited_run(runs: NDArray[np.intp], index: int, edit: StepEdit, rate: float, count: int) -> tuple[int, int]:
    """Return the first frame of an edited contact, and the frame after its last one, at most `count`."""
    start, stop = runs[index]
    swing = max(round(TUNING.shortest_swing * rate), 1)
    first = start - round(edit.earlier * rate) if edit.earlier else start
    last = stop + round(edit.later * rate) if edit.later else stop
    earliest = runs[index - 1, 1] + swing if index else 0
    latest = runs[index + 1, 0] - swing if index + 1 < len(runs) else np.inf
    if (first < start and first < earliest) or (last > stop and last > latest):
        excess = max(earliest - first, last - latest) / rate
        raise FootfallError(
            "The edited step at frame {frame} lasts {excess} s too long, so the foot has no time to swing: "
            "shorten the step",
            frame=edit.frame,
            excess=f"{excess:.2f}",
        )
    if last - first < TUNING.shortest_contact * rate:
        raise FootfallError(
            "The edits leave the foot no time on the ground in the step at frame {frame}: land the foot "
            "earlier, or lift it later",
            frame=edit.frame,
        )
    return int(first), min(int(last), count)


def _foot_times(runs: NDArray[np.intp], edited: NDArray[np.intp], count: int) -> Array:
    """Return the original frame (F) that a foot plays at each frame of the edited motion."""
    was, comes = (np.concatenate([[-1.0], ends.ravel().astype(float), [count]]) for ends in (runs, edited))
    kept = np.concatenate([[True], np.diff(comes) > 0.0])
    frames = np.arange(count, dtype=float)
    warped = scipy.interpolate.PchipInterpolator(comes[kept], was[kept])(frames)
    for index in np.flatnonzero((runs == edited).all(axis=1)):
        # An unedited contact keeps its original roll from heel to ball.
        warped[slice(*runs[index])] = frames[slice(*runs[index])]
    return np.clip(warped, 0.0, count - 1.0)


def _foot_at(clip: Clip, foot: Foot, times: Array) -> tuple[Array, Array]:
    """Return a foot's positions (F, 3), meters, world, and world rotations (F, 4) at fractional frames (F)."""
    before = np.minimum(times.astype(int), len(clip) - 2)
    share = times - before
    places, turns = foot.places(clip), foot.turns(clip)
    place = places[before] + share[:, None] * (places[before + 1] - places[before])
    return place, slerp(turns[before], turns[before + 1], share)


def _foot_shift(runs: NDArray[np.intp], own: dict[int, StepEdit], place: Array, ground: Scene, rate: float) -> Array:
    """Return the displacements, meters, and rotation vectors, radians, (F, 6) that edited steps give to a foot.

    Args:
        runs: (R, 2) first frame and frame after the last of the foot's contacts.
        own: edits of the foot by index of the contact.
        place: (F, 3) position of the foot without edits, meters, world.
        ground: the ground.
        rate: frames per second.
    """
    result = np.zeros((len(place), 6))
    if not own:
        return result
    for index, edit in own.items():
        span = slice(*runs[index])
        middle = place[(span.start + span.stop - 1) // 2]
        above = middle + np.array([0.0, 0.0, TUNING.highest_rise])
        rise = np.diff(ground.heights(np.stack([above, above + np.append(edit.shift, 0.0)]), span.start))[0]
        result[span, :3] = [*edit.shift, rise if np.isfinite(rise) else 0.0]
        result[span, 5] = edit.turn
        # The foot turns about the middle of its stance, and not about its joint.
        turned = exp(result[span, 3:])
        result[span, :3] += _rotated_about(place[span], middle, turned) - place[span]
    return blend_corrections(result, runs, round(TUNING.swing_fade * rate))


def _rotated_about(places: Array, center: Array, turns: Array) -> Array:
    """Return positions (F, 3) turned by rotations (F, 4) about a center (3)."""
    return center + rotate(turns, places - center)
