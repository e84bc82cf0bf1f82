"""Weapons in both hands: a bone of their own along the hands, cuts from all sides, and weapons that meet."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.combat.beats import Beat, Duelist
from footfall.core.control.combat.body_contact import nearest_surfaces, spheres_of
from footfall.core.control.combat.duel import Duel, stage_duel
from footfall.core.control.combat.fight import Fighter
from footfall.core.control.combat.strike_takes import captured_takes
from footfall.core.control.combat.weapon import Weapon, armed, hilt_direction, with_grip, with_hand_as
from footfall.core.errors import FootfallError
from footfall.core.labelling.semantics.blows import Blow
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.rotations import exp, inverse, log, multiply, rotate
from footfall.core.motion.weapons import disarmed
from footfall.core.scene.body_overlap import deepest_overlap

PRESETS = Path(__file__).parents[4] / "presets"
FIGHTER = Fighter(
    load_model(PRESETS / "strikes" / "strikes.safetensors"),
    load_model(PRESETS / "controllers" / "locomotion.safetensors"),
)
TAKES = [take for one in captured_takes(FIGHTER.strikes) for take in (one, one.mirrored())]
PAIR = [Duelist("A", np.array([0.0, -1.7]), weapon=Weapon()), Duelist("B", np.zeros(2), weapon=Weapon())]
FRAME = 120


def fought(**values: object) -> Duel:
    return stage_duel(FIGHTER, PAIR, [Beat(FRAME, "A", "B", **values)])


def tips(clip: Clip) -> np.ndarray:
    """The way (F, 3) of the tip of the weapon."""
    joint = clip.skeleton.joint("weapon.R")
    return clip.positions[:, joint] + rotate(clip.world[1][:, joint], clip.skeleton.tips[joint])


@pytest.mark.parametrize("hand", ["hand.L", "hand.R"])
def test_a_weapon_goes_on_from_the_lower_hand_through_the_upper_one(hand: str) -> None:
    direction = hilt_direction(TAKES, hand)
    for take in TAKES:
        if take.both_hands and take.blow.effector == hand:
            clip = take.clip
            upper, lower = (clip.skeleton.joint(f"hand.{side}") for side in (hand[-1], "LR".replace(hand[-1], "")))
            hilt = clip.positions[:, upper] - clip.positions[:, lower]
            along = rotate(clip.world[1][:, upper], np.broadcast_to(direction, hilt.shape))
            cosines = np.sum(hilt * along, axis=-1) / np.linalg.norm(hilt, axis=-1)
            assert cosines.mean() > np.cos(np.radians(25.0))
    np.testing.assert_allclose(hilt_direction(TAKES, "hand.L") * [-1, 1, 1], hilt_direction(TAKES, "hand.R"), atol=0.05)


def test_its_bone_begins_at_the_end_of_the_hand_and_goes_with_it() -> None:
    clip = TAKES[0].clip
    held = armed(clip, "hand.R", np.array([0.0, -0.9, 0.0]))
    hand, weapon = (held.skeleton.joint(role) for role in ("hand.R", "weapon.R"))
    assert held.skeleton.parents[weapon] == hand and weapon == len(clip.skeleton)
    np.testing.assert_allclose(held.skeleton.bone_vectors[hand], clip.skeleton.bone_vectors[hand])
    np.testing.assert_allclose(held.positions[:, :-1], clip.positions)
    again = disarmed(held)
    assert again.skeleton.names == clip.skeleton.names and "weapon.R" not in again.skeleton.roles
    np.testing.assert_array_equal(again.rotations, clip.rotations)
    assert disarmed(clip) is clip


def test_the_lower_hand_stays_behind_the_upper_one() -> None:
    take = next(take for take in TAKES if take.both_hands and take.blow.effector == "hand.R")
    held = armed(take.clip, "hand.R", np.array([0.0, -0.9, 0.0]))
    turned = held.rotations.copy()
    turned[:, held.skeleton.joint("forearm.L")] = turned[:1, held.skeleton.joint("forearm.L")]
    loose = Clip(held.skeleton, held.rate, held.root_positions, turned)
    lower = held.skeleton.joint("hand.L")
    assert np.linalg.norm(loose.positions[:, lower] - held.positions[:, lower], axis=-1).max() > 0.05
    np.testing.assert_allclose(with_grip(loose, held).positions[:, lower], held.positions[:, lower], atol=1e-6)


@pytest.mark.parametrize(
    ("side", "way"), [("left", (1.0, 0.0, 0.0)), ("right", (-1.0, 0.0, 0.0)), ("above", (0.0, 0.0, -1.0))]
)
def test_a_cut_comes_from_its_side_and_stops_on_the_body(side: str, way: tuple[float, float, float]) -> None:
    duel = fought(side=side)
    assert abs(duel.meetings[0].distance) < 0.005
    moved = tips(duel.clips["A"])[FRAME] - tips(duel.clips["A"])[FRAME - 6]
    assert moved @ np.array(way) > 0.5 * np.linalg.norm(moved), "A faces +Y: its left is -X"
    assert deepest_overlap(duel.clips["A"], duel.clips["B"])[FRAME - 1 :].max() <= 0.02
    head = duel.clips["B"].positions[:, duel.clips["B"].skeleton.joint("head")]
    assert np.linalg.norm(head[FRAME + 12] - head[FRAME]) > 0.05, "it is pushed"


@pytest.mark.parametrize(("side", "part"), [("left", "head"), ("above", "head"), ("straight", "chest")])
def test_a_weapon_parries_a_weapon_across(side: str, part: str) -> None:
    duel = fought(side=side, part=part, answer="parry")
    first, second = duel.clips["A"], duel.clips["B"]
    gap, _ = nearest_surfaces(*(spheres_of(clip, FRAME, "weapon.R") for clip in (first, second)))
    assert gap == pytest.approx(duel.meetings[0].distance) and abs(gap) < 0.005
    ways = [tips(clip)[FRAME] - clip.positions[FRAME, clip.skeleton.joint("weapon.R")] for clip in (first, second)]
    cosine = ways[0] @ ways[1] / np.linalg.norm(ways[0]) / np.linalg.norm(ways[1])
    assert abs(cosine) < 0.95
    assert deepest_overlap(first, second).max() <= 0.02


@pytest.mark.parametrize("effector", ["foot.L", "foot.R"])
def test_a_kick_beside_weapons_is_met_with_both_hands_at_the_weapon(effector: str) -> None:
    duel = fought(effector=effector, part="chest")
    assert abs(duel.meetings[0].distance) < 0.005
    assert deepest_overlap(duel.clips["A"], duel.clips["B"])[: FRAME + 10].max() <= 0.02, "no weapon in a body"
    striker = duel.clips["A"]
    hands = (striker.positions[FRAME, striker.skeleton.joint(f"hand.{side}")] for side in "LR")
    assert np.linalg.norm(np.subtract(*hands)) < 0.35


def test_it_steps_back_from_a_weapon() -> None:
    duel = fought(side="above", answer="dodge")
    assert duel.meetings[0].distance > 0.0
    assert np.linalg.norm(np.diff(duel.clips["B"].root_positions[[0, FRAME], :2], axis=0)) > 0.4


@pytest.mark.parametrize(
    ("beat", "weapons", "sentence"),
    [
        (Beat(FRAME, "A", "B", effector="hand.L"), (Weapon(), None), "A has both hands at its weapon at frame 120"),
        (Beat(FRAME, "A", "B", answer="parry"), (Weapon(), None), "B cannot parry the strike of A at frame 120"),
        (Beat(FRAME, "A", "B", answer="parry"), (None, Weapon()), "B cannot parry the strike of A at frame 120"),
        (Beat(FRAME, "A", "B"), (Weapon("foot.R"), None), "The weapon of A is in 'foot.R': choose one of hand.L"),
        (Beat(FRAME, "A", "B"), (Weapon(length=3.0), None), "has a length of 3.00 m: choose one from 0.3 to 1.4 m"),
        (Beat(FRAME, "A", "B", side="below"), (Weapon(), None), "no strike of hand.R from the side 'below'"),
        (
            Beat(40, "A", "B", answer="parry"),
            (Weapon(), Weapon()),
            r"strike of \w at frame 40 comes \d+ frames? too early",
        ),
    ],
)
def test_what_cannot_be_done_with_a_weapon_is_told(
    beat: Beat, weapons: tuple[Weapon | None, Weapon | None], sentence: str
) -> None:
    pair = [Duelist(one.name, one.start, weapon=weapon) for one, weapon in zip(PAIR, weapons, strict=True)]
    with pytest.raises(FootfallError, match=sentence):
        stage_duel(FIGHTER, pair, [beat])


def test_the_hilt_is_the_mean_way_of_cuts_alone() -> None:
    cut = next(take for take in TAKES if take.both_hands and take.blow.effector == "hand.R")
    others = [take for take in TAKES if not (take.both_hands and take.blow.effector == "hand.R")]
    clip = cut.clip
    upper, lower = (clip.skeleton.joint(f"hand.{side}") for side in "RL")
    ways = clip.positions[:, upper] - clip.positions[:, lower]
    within = rotate(inverse(clip.world[1][:, upper]), ways / np.linalg.norm(ways, axis=-1, keepdims=True)).mean(axis=0)
    np.testing.assert_allclose(hilt_direction([*others, cut], "hand.R"), within / np.linalg.norm(within), atol=1e-9)


@pytest.mark.parametrize("hand", ["hand.L", "hand.R"])
def test_the_lower_hand_is_behind_the_upper_one_as_in_another_motion(hand: str) -> None:
    clip = TAKES[0].clip
    held, side = armed(clip, hand, np.array([0.0, -0.9, 0.0])), "L" if hand[-1] == "R" else "R"
    turned = held.rotations.copy()
    fore = held.skeleton.joint(f"forearm.{side}")
    turned[:, fore] = multiply(turned[:, fore], exp(np.array([0.0, 0.0, 0.2])))
    moved = replace(held, rotations=turned, root_positions=held.root_positions + np.array([1.0, 0.0, 0.0]))
    made = with_grip(moved, held)
    upper, lower = (held.skeleton.joint(role) for role in (hand, f"hand.{side}"))
    np.testing.assert_allclose(
        made.positions[:, lower] - made.positions[:, upper],
        held.positions[:, lower] - held.positions[:, upper],
        atol=1e-6,
    )
    assert with_grip(clip, clip) is clip, "without a weapon there is no grip"


@pytest.mark.parametrize("apex", [0, 8, 19])
def test_a_hand_is_turned_at_the_apex_growing_before_and_fading_after_it(apex: int) -> None:
    clip = TAKES[0].clip.cut(0, 20)
    joint, turn = clip.skeleton.joint("hand.R"), np.array([0.3, -0.1, 0.2])
    rotations = clip.rotations.copy()
    rotations[:, joint] = multiply(rotations[:, joint], exp(turn))
    made = with_hand_as(clip, replace(clip, rotations=rotations), Blow("hand.R", 0, apex, 20))
    frames = np.arange(20)
    share = np.where(frames <= apex, frames / max(apex, 1), (19 - frames) / max(19 - apex, 1))
    expected = np.outer(share * share * (3.0 - 2.0 * share), turn)
    turned = log(multiply(inverse(clip.rotations[:, joint]), made.rotations[:, joint]))
    np.testing.assert_allclose(turned, expected, atol=1e-9)
    np.testing.assert_array_equal(np.delete(made.rotations, joint, 1), np.delete(clip.rotations, joint, 1))
