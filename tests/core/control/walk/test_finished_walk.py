"""Finished walks: cut, joined, and put together of pieces."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.walk.finished_walk import Walk, WalkPieces
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.tests.support.walker import person

RATE = 20.0


def walk(start: int, stop: int) -> Walk:
    """A walk whose frames are told apart by all that it has for each."""
    frames, skeleton = np.arange(start, stop, dtype=float), person()
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (len(frames), len(skeleton), 1))
    roots = np.stack([frames, 0 * frames, 0 * frames], axis=-1)
    contacts = FootContacts(np.tile(frames[:, None] % 2, (1, 4)))
    return Walk(Clip(skeleton, RATE, roots, rotations), contacts, frames / 10, np.stack([frames, -frames], axis=-1))


def same(one: Walk, other: Walk) -> bool:
    pairs = (
        (one.clip.root_positions, other.clip.root_positions),
        (one.clip.rotations, other.clip.rotations),
        (one.contacts.probabilities, other.contacts.probabilities),
        (one.phase, other.phase),
        (one.gaits, other.gaits),
    )
    return all(np.array_equal(*pair) for pair in pairs)


def moved(piece: Walk, frames: slice, by: float) -> Walk:
    """Return a walk whose hips are elsewhere in some frames."""
    roots = piece.clip.root_positions.copy()
    roots[frames, 1] += by
    return replace(piece, clip=replace(piece.clip, root_positions=roots))


def test_what_is_cut_in_two_is_joined_to_what_it_was() -> None:
    whole = walk(0, 50)
    assert same(whole.before_frame(20), walk(0, 20))
    assert same(whole.from_frame(20), walk(20, 50))
    assert same(whole.before_frame(20).concat(whole.from_frame(20)), whole)


@pytest.mark.parametrize("differing", [0, 1, 30])
def test_the_seam_is_after_the_frames_that_differ(differing: int) -> None:
    pieces = WalkPieces(walk(0, 100), 200)
    piece = moved(walk(40, 200), slice(differing), 1e-9)
    assert pieces.seam(piece, 40, 100) == 40 + differing
