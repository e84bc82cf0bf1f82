"""Blows of posed people, whose apexes are known, and of recorded fighters, whose apexes were put down by hand."""

import json
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.core.labelling import label_clip
from footfall.core.labelling.phase.acyclic_phase import Transition, blow_transitions, find_labeled_blows
from footfall.core.labelling.presets import find_preset
from footfall.core.labelling.semantics.blows import (
    Blow,
    EffectorMotion,
    LimbMotion,
)
from footfall.core.motion import Clip
from footfall.core.motion.bvh import read_bvh
from footfall.core.motion.rotations import Array
from footfall.core.motion.weapons import striking_places
from footfall.tests.support.poses import APEX_S, UPRIGHT, eased, hips_at, posed, puncher
from footfall.tests.support.swordsman import swordsman
from footfall.tests.support.walker import Walker

HAND_MADE = Path(__file__).parents[3] / "data" / "blows"


def limbs(clip: Clip) -> LimbMotion:
    return LimbMotion.of(clip, 0.0)


@pytest.mark.parametrize("rate", [60.0, 120.0, 240.0])
def test_the_apex_of_a_punch_is_where_the_arm_is_straight(rate: float) -> None:
    (blow,) = limbs(puncher(0.18, rate)).blows
    assert blow.effector == "hand.R"
    assert abs(blow.apex / rate - APEX_S) <= max(2 / rate, 1 / 60)
    assert APEX_S - 0.22 <= blow.start / rate < APEX_S - 0.1
    assert APEX_S + 0.1 < blow.stop / rate <= APEX_S + 0.25


def test_a_slow_reach_and_a_hand_that_is_only_drawn_back_are_no_blows() -> None:
    assert limbs(puncher(1.0)).blows == []
    back = puncher(0.18).cut(round(APEX_S * 60), 360)
    assert limbs(back).blows == []


@pytest.mark.parametrize("walker", [Walker(), Walker(scale=0.6), Walker(speed=0.8)])
def test_walks_have_no_blows(walker: Walker) -> None:
    assert limbs(walker.clip()).blows == []


def test_blows_fill_the_interval_that_is_marked() -> None:
    motion = limbs(puncher(0.18))
    (blow,) = motion.blows
    (filled,) = motion.blows_within([(blow.start - 20, blow.stop + 9)])
    assert (filled.start, filled.apex, filled.stop) == (blow.start - 20, blow.apex, blow.stop + 9)


def test_blows_are_transitions_of_the_frames_that_strike() -> None:
    motion = limbs(puncher(0.18))
    weights = np.zeros((360, 2))
    weights[160:210, 1] = 1.0
    blows = find_labeled_blows(("idle", "strike"), weights, motion)
    assert blow_transitions(blows) == [Transition("strike", 160, 210, motion.blows[0].apex)]
    assert find_labeled_blows(("idle", "walk"), weights, motion) == []


@given(st.lists(st.integers(20, 60), min_size=2, max_size=4), st.floats(0.12, 0.2))
def test_blows_in_a_row_do_not_overlap_and_hold_their_apexes(gaps: list[int], takes: float) -> None:
    time = np.arange(360) / 60
    apexes = np.cumsum([60, *gaps]) / 60
    out = sum(
        (np.minimum(eased(time, at - takes, at), 1 - eased(time, at, at + takes)) for at in apexes), np.zeros(360)
    )
    arms = np.stack([np.full(360, 0.5), 0.5 + 0.9 * np.minimum(out, 1)], axis=1)
    bends = np.stack([np.full(360, 2.2), 2.2 - 2.15 * np.minimum(out, 1)], axis=1)
    blows = limbs(posed(hips_at(0 * time + UPRIGHT), arms, bends)).blows
    assert all(blow.start < blow.apex < blow.stop for blow in blows)
    assert all(before.stop <= after.start for before, after in pairwise(blows))


@pytest.mark.parametrize("file", sorted(HAND_MADE.glob("*.json")), ids=lambda file: file.stem)
def test_recorded_blows_are_found_where_they_were_put_down_by_hand(shared_data: Path, file: Path) -> None:
    hand = json.loads(file.read_text())
    clip = read_bvh(shared_data / "mocap" / hand["clip"])
    labels = label_clip(clip, find_preset("combat"))
    found = find_labeled_blows(labels.action_names, labels.actions, LimbMotion.of(clip, labels.ground))
    found = [blow for blow in found if hand["first"] <= blow.apex <= hand["last"]]
    assert [blow.effector for blow in found] == [blow["effector"] for blow in hand["blows"]]
    for blow, expected in zip(found, hand["blows"], strict=True):
        assert abs(blow.apex - expected["apex"]) <= 3 * clip.rate / 60
        assert labels.action_phase[blow.apex] == pytest.approx(0.5)


def test_the_apex_of_a_cut_is_where_the_tip_is_fastest() -> None:
    """The snap of a wrist that comes later than the arm makes the tip fastest after the hand."""

    def apex(clip: Clip) -> int:
        (blow,) = limbs(clip).blows
        return blow.apex

    early, late = apex(swordsman(0.0)), apex(swordsman(0.1))
    assert early < late
    tips = striking_places(swordsman(0.1), "hand.R")
    assert abs(int(np.argmax(np.linalg.norm(np.diff(tips[150:210], axis=0), axis=-1))) + 150 - late) <= 1


FRAMES = 200
SLOPE = np.maximum(1 - np.abs(np.arange(FRAMES) - 100) / 12, 0.0)
"""A speed that rises to 1 in frame 100 and falls: it is over a fifth for nine frames to both sides."""


def made_up(**measures: float | Array) -> EffectorMotion:
    """An end effector that rests, but for what is given."""
    names = [field.name for field in fields(EffectorMotion) if field.name != "tip_speed"]
    arrays = {name: np.zeros(FRAMES) + measures.get(name, 0.0) for name in names}
    tip = measures.get("tip_speed", arrays["speed"])
    return EffectorMotion(**arrays, tip_speed=np.asarray(tip))


def blows_of(apart: float = np.inf, **effectors: EffectorMotion) -> list[Blow]:
    """The blows of made-up end effectors at 100 frames per second; roles have a dash for their point."""
    named = {name.replace("_", "."): motion for name, motion in effectors.items()}
    return LimbMotion(named, 100.0, 1.0, np.full(FRAMES, apart)).blows


def swing(speed: float = 3.5, **measures: float | Array) -> EffectorMotion:
    return made_up(**{"speed": speed * SLOPE, "reach": 0.9, "distance": 0.5} | measures)


def test_a_weapon_in_both_hands_strikes_with_the_hand_that_has_its_bone() -> None:
    tipped = made_up(speed=0.5 * SLOPE, tip_speed=np.roll(SLOPE, 8))
    assert [blow.effector for blow in blows_of(0.34, hand_R=swing(1.75), hand_L=tipped)] == ["hand.L"]
    assert [blow.effector for blow in blows_of(0.34, hand_L=swing(1.75), hand_R=tipped)] == ["hand.R"]
    assert [blow.effector for blow in blows_of(0.35, hand_L=swing(), hand_R=tipped)] == ["hand.L"]
    both = swing(1.8, tip_speed=SLOPE)
    assert [blow.effector for blow in blows_of(0.34, hand_L=both, hand_R=tipped)] == ["hand.L"]
