"""The salsa that ships: two characters along a path, hands that meet, bodies out of each other, feet that stand."""

from functools import cache

import numpy as np
import pytest

from footfall.cli.dance import SHIPPED_CONTROLLER, SHIPPED_FIGURES
from footfall.core.control.pair.choreography import TUNING as CHOREOGRAPHY_TUNING
from footfall.core.control.pair.choreography import Choreography, compose_dance
from footfall.core.control.pair.dance_figures import ROLES, DanceFigures
from footfall.core.control.pair.dance_refinement import refine_dance
from footfall.core.control.pair.joined_hands import palm_distances
from footfall.core.control.pair.partner_dance import Dance, PartnerDance
from footfall.core.control.path.path import Path
from footfall.core.evaluation.feet import skate_speeds
from footfall.core.features.phase_system import system_parts
from footfall.core.models.model_file import ControllerModel, load_model
from footfall.core.motion.hand_holds import hand_distances
from footfall.core.motion.root_frame import root_track, smooth_positions
from footfall.core.scene.body_overlap import deepest_overlap

STRAIGHT = Path(np.array([[0.0, 0.0], [1.6, 0.0]]))
MAX_BYTES = 12_000_000


@cache
def controller() -> ControllerModel:
    return load_model(SHIPPED_CONTROLLER)


@cache
def choreography() -> Choreography:
    return compose_dance(DanceFigures.load(SHIPPED_FIGURES), STRAIGHT, 0.2, seed=1)


@cache
def danced() -> Dance:
    rollout = PartnerDance(controller(), choreography(), seed=1)
    assert not rollout.advance(rollout.total_frames)
    return rollout.finish()


@cache
def refined() -> Dance:
    return refine_dance(danced())


def test_it_sees_a_partner_and_names_where_its_clips_come_from() -> None:
    model = controller()
    assert system_parts(model.input_layout) == ("opponent",)
    assert set(model.performers) == set(ROLES)
    assert SHIPPED_CONTROLLER.stat().st_size < MAX_BYTES
    assert "CMU" in str(model.provenance)


def test_both_follow_the_choreography_and_their_middle_the_path() -> None:
    dance, figure = danced(), choreography().figure
    clips = dance.leader.clip, dance.follower.clip
    tracks = [root_track(clip, 0.4) for clip in clips]
    for number, track in enumerate(tracks):
        off = np.linalg.norm(track.positions - figure.positions[:, number], axis=-1)
        assert np.median(off) < 0.15 and off.max() < 0.5
    middle = smooth_positions(
        np.mean([track.positions for track in tracks], axis=0), CHOREOGRAPHY_TUNING.drift_smoothing * 60
    )
    assert np.linalg.norm(middle - dance.centers, axis=-1).mean() < 0.1


@pytest.mark.all_only("detours are tested by themselves")
def test_hands_that_hold_are_near_and_meet_when_refined() -> None:
    holds = danced().holds
    assert holds.any()
    apart = hand_distances(danced().leader.clip, danced().follower.clip)[holds]
    assert np.median(apart) < 0.42
    met = palm_distances(refined().leader.clip, refined().follower.clip)[holds]
    assert np.median(met) < 1e-4 and np.percentile(met, 95) < 0.01


def test_bodies_are_less_in_each_other_when_refined() -> None:
    before, after = (
        deepest_overlap(dance.leader.clip, dance.follower.clip, dance.holds) for dance in (danced(), refined())
    )
    assert (after > 0.02).mean() < 0.5 * (before > 0.02).mean() + 0.01
    assert after.max() < 0.1


def test_standing_feet_do_not_slide() -> None:
    for dancer in (refined().leader, refined().follower):
        feet = [dancer.clip.skeleton.joint(f"foot.{side}") for side in "LR"]
        speeds = skate_speeds(dancer.clip.positions[:, feet], dancer.contacts.probabilities[:, [0, 2]], 60.0)
        assert speeds.mean() < 0.02


def test_a_dance_is_made_in_slices_and_reports_its_progress() -> None:
    rollout = PartnerDance(controller(), choreography())
    assert rollout.total_frames == len(choreography()) and rollout.advance(20) and rollout.frames_done == 20
    dance = rollout.finish()
    assert len(dance.leader.clip) == len(dance.follower.clip) == len(dance.holds) == len(dance.centers) == 20
    np.testing.assert_array_equal(dance.holds, choreography().figure.holds[:20] > 0.5)
