"""Weapons in both hands: a bone of their own along the hands, cuts from all sides, and weapons that meet."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.control.duel.beats import Beat, Duelist
from footfall.core.control.duel.duel import Duel, stage_duel
from footfall.core.control.duel.weapon import Weapon, armed, hilt_direction, with_grip
from footfall.core.control.strike.fight import Fighter
from footfall.core.control.strike.strike_takes import captured_takes
from footfall.core.errors import FootfallError
from footfall.core.models.model_file import load_model
from footfall.core.motion import Clip
from footfall.core.motion.rotations import rotate
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
def test_a_weapon_points_from_the_lower_hand_through_the_upper_one(hand: str) -> None:
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


@pytest.mark.parametrize(
    ("beat", "weapons", "sentence"),
    [
        (Beat(FRAME, "A", "B", effector="hand.L"), (Weapon(), None), "A holds the weapon with both hands at frame"),
        (Beat(FRAME, "A", "B", answer="parry"), (Weapon(), None), "B cannot parry the strike of A at frame 120"),
        (Beat(FRAME, "A", "B", answer="parry"), (None, Weapon()), "B cannot parry the strike of A at frame 120"),
        (Beat(FRAME, "A", "B"), (Weapon("foot.R"), None), "The weapon of A is in 'foot.R', which is not a hand"),
        (Beat(FRAME, "A", "B"), (Weapon(length=3.0), None), "is 3.00 m long: choose one that is 0.3 to 1.4 m"),
        (
            Beat(FRAME, "A", "B", side="below"),
            (Weapon(), None),
            "The controller has no strike with hand.R from the side 'below' for the beat at frame",
        ),
        (
            Beat(40, "A", "B", answer="parry"),
            (Weapon(), Weapon()),
            r"strike of \w at frame 40 comes \d+ frames? too early",
        ),
    ],
)
def test_impossible_uses_of_a_weapon_are_refused(
    beat: Beat, weapons: tuple[Weapon | None, Weapon | None], sentence: str
) -> None:
    pair = [Duelist(one.name, one.start, weapon=weapon) for one, weapon in zip(PAIR, weapons, strict=True)]
    with pytest.raises(FootfallError, match=sentence):
        stage_duel(FIGHTER, pair, [beat])
