"""The posture of the seated: against a rest within reach, else upright, and with a level head."""

from dataclasses import replace

import numpy as np
import pytest

from footfall.core.control.interaction.task import InteractionTask
from footfall.core.control.refine.back_rest import back_gap
from footfall.core.control.refine.interaction_refinement import decode_interaction
from footfall.core.control.refine.seat_pose import hips_over_seat
from footfall.core.control.refine.seated_posture import level_head, settle_trunk, turn_trunk
from footfall.core.control.runtime.pose_decoder import standing_clip
from footfall.core.evaluation.posture import directed_lean, trunk_vectors
from footfall.core.motion import Clip
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import inverse, rotate
from footfall.core.retarget.retarget import hip_center
from footfall.core.scene.collider_pose import AnimatedCollider
from footfall.core.scene.interaction_object import InteractionObject
from footfall.core.scene.object_usage import use_object
from footfall.tests.core.control.interaction.test_sequencer import STOOL, play
from footfall.training.interactions.props.seats import Sofa


@pytest.fixture(scope="module")
def seated() -> tuple[Clip, Clip]:
    """Return a second of a puppet that sits, bent ahead by 30 degrees, and its standing pose."""
    done = play([STOOL], InteractionTask("sit", 0, duration=2.0))
    clip = decode_interaction(done.recording)
    standing = standing_clip(done.recording.model)
    assert standing is not None
    last = clip.cut(len(clip) - 60, len(clip))
    return turn_trunk(last, np.tile([np.radians(30.0), 0.0, 0.0], (len(last), 1))), standing


def sofa_behind(clip: Clip, depth: float) -> InteractionObject:
    """Return a sofa of a depth with its seat under the hips of a puppet that faces as it does, with straight legs."""
    sofa = use_object("sofa", *Sofa(depth=depth, back_height=0.45).mesh(), "sit", None)
    assert sofa.seat is not None and sofa.front_direction @ facing(clip) > 0.99
    wanted = hips_over_seat(sofa, clip.skeleton.leg_length)
    return replace(sofa, position=sofa.position + clip.positions[0, clip.skeleton.joint("hips")] - wanted)


def facing(clip: Clip) -> np.ndarray:
    return facing_direction(root_track(clip).yaws[0])


def lean_deg(clip: Clip) -> np.ndarray:
    return directed_lean(trunk_vectors(clip), facing_direction(root_track(clip).yaws))[0]


def settled(clip: Clip, sofa: InteractionObject) -> Clip:
    return settle_trunk(clip, np.ones(len(clip)), 0, AnimatedCollider.static(sofa.posed_collider, len(clip)))


@pytest.mark.parametrize(("depth", "slides"), [(0.55, False), (0.65, True)])
def test_a_back_within_reach_of_the_rest_touches_it_and_slides_to_a_far_one(
    seated: tuple[Clip, Clip], depth: float, slides: bool
) -> None:
    clip, _ = seated
    sofa = sofa_behind(clip, depth)
    rested = settled(clip, sofa)
    gap = back_gap(rested, 30, sofa)
    assert gap is not None and gap < 0.012
    assert lean_deg(rested)[30] < -3.0
    moved = hip_center(rested.skeleton, rested.positions)[30] - hip_center(clip.skeleton, clip.positions)[30]
    assert (-moved[:2] @ facing(clip) > 0.04) == slides and abs(moved[2]) < 1e-9
    # Its legs are straight, and a little too short as the pelvis rolls.
    for side in "LR":
        foot = clip.skeleton.joint(f"foot.{side}")
        np.testing.assert_allclose(rested.positions[:, foot], clip.positions[:, foot], atol=0.02)


def test_a_head_that_hangs_looks_ahead_and_one_of_no_weight_stays(seated: tuple[Clip, Clip]) -> None:
    clip, standing = seated
    head = clip.skeleton.joint("head")
    nose = rotate(inverse(standing.world[1][0, head]), np.append(facing(standing), 0.0))
    leveled = level_head(clip, np.linspace(0.0, 1.0, len(clip)), standing)

    def down(motion: Clip, frame: int) -> float:
        return float(np.degrees(np.arcsin(-rotate(motion.world[1][frame, head], nose)[2])))

    assert down(clip, -1) > 15.0
    assert abs(down(leveled, -1) - 6.0) < 1.0
    assert down(leveled, 0) == pytest.approx(down(clip, 0), abs=1e-6)
