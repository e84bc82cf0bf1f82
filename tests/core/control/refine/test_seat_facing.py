"""Bodies that sit down at an angle to their seats."""

import numpy as np
import pytest

from footfall.core.control.interaction.sequencer import InteractionSequencer
from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.seat_facing import face_seats, leaving_end
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import Array, wrap_angle
from footfall.tests.core.control.interaction.test_sequencer import STOOL, play


def seated_yaws(angle: float) -> tuple[InteractionSequencer, Array, Array]:
    """Return a puppet that sat down facing +Y on a stool at an angle, and its yaws as it was and as it is turned."""
    stool = STOOL.place_at(STOOL.position, facing_direction(np.array(angle)))
    done = play([stool], InteractionTask("sit", 0, duration=1.5))
    clip = decode_interaction(done.recording)
    turned = face_seats(done.recording, clip, done.recording.actions)
    return done, root_track(clip).yaws, root_track(turned).yaws


@pytest.mark.parametrize("angle", [0.2, -0.3])
def test_a_seated_body_faces_as_its_seat(angle: float) -> None:
    done, before, after = seated_yaws(angle)
    reached = next(event.frame for event in done.events if event.kind == "reached")
    np.testing.assert_allclose(wrap_angle(after[reached + 20 :] - angle), 0.0, atol=0.02)
    assert np.abs(np.diff(np.unwrap(after))).max() < np.abs(np.diff(np.unwrap(before))).max() + 0.03
    np.testing.assert_allclose(after[:40], before[:40], atol=1e-6)


@pytest.mark.parametrize(("left_after_s", "end_s"), [(0.5, 3.0), (3.5, 4.5), (9.0, 6.0)])
def test_a_seat_counts_until_it_is_left(left_after_s: float, end_s: float) -> None:
    """A task of one second in a motion of six; corrections end two seconds after it, or when the seat is left."""
    sitting = np.where(np.arange(360) < 60 + 60 * left_after_s, 1.0, 0.0)
    assert leaving_end(sitting, 60, 60.0) == 60 * end_s
