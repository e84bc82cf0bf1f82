"""Takes of leaning: palms on the object, the mass over the toes, feet that stand, and labels that a detector finds."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from footfall.core.features.interaction import ACTIONS, GOAL_ACTIONS
from footfall.core.labelling import label_clip
from footfall.core.labelling.presets import find_preset
from footfall.core.labelling.semantics.gaits import centre_of_mass
from footfall.core.models.model_file import load_model
from footfall.core.motion.root_frame import facing_direction, root_track
from footfall.core.motion.rotations import Array
from footfall.core.scene.body_capsules import BodyCapsules
from footfall.core.scene.collider_pose import AnimatedCollider, PosedCollider
from footfall.core.scene.lean_place import LeanPlace, find_lean_place
from footfall.training.data.sources import ClipSource
from footfall.training.interactions import walk_library
from footfall.training.interactions.take import InteractionTake
from footfall.training.interactions.take_generator import TakeGenerator, load_motion_library
from footfall.training.interactions.take_kinds import kind_of
from footfall.training.interactions.takes import lean
from footfall.training.interactions.takes.lean import make_lean_take
from footfall.training.interactions.walk_library import WalkLibrary

SHIPPED = Path(walk_library.__file__).parents[2] / "presets" / "controllers" / "locomotion.safetensors"
SOURCE = ClipSource("made", "CC0", "none", folder="tests")
LEAN = ACTIONS.index("lean")


@pytest.fixture(scope="module")
def takes() -> list[InteractionTake]:
    walks = WalkLibrary(load_model(SHIPPED), count=4)
    made = (make_lean_take(walks, SOURCE, seed) for seed in range(40))
    return list(islice((take for take in made if take is not None), 3))


def nearest_place(take: InteractionTake) -> LeanPlace:
    """Place on the object nearest to the goal."""
    thing, wanted = take.objects[0], take.goal_actions[:, GOAL_ACTIONS.index("lean")] > 0
    placed = PosedCollider(thing.collider, thing.positions[0], thing.rotations[0])
    aside = placed.to_local(take.goal_positions[wanted][:1])[0, 0]
    place = find_lean_place(thing.collider, float(aside))
    assert place is not None
    return place


def leaning(take: InteractionTake) -> Array:
    """Frames in which both palms are on the object."""
    return np.flatnonzero(take.contacts[:, 1:3].min(axis=1) > 0.5)


def test_both_palms_are_on_the_object_and_do_not_slide(takes: list[InteractionTake]) -> None:
    assert len(takes) == 3
    for take in takes:
        clip, frames, thing = take.clip, leaning(take), take.objects[0]
        wrists = clip.positions[frames][:, [clip.skeleton.joint(f"hand.{side}") for side in "LR"]]
        assert np.ptp(wrists, axis=0).max() < 0.002
        placed = PosedCollider(thing.collider, thing.positions[0], thing.rotations[0])
        near = np.abs(placed.to_local(wrists[0]) - nearest_place(take).palms)
        assert near.max() < 0.12, "the wrist is within a palm's length of it"


def test_the_mass_comes_over_the_toes_while_feet_stand(takes: list[InteractionTake]) -> None:
    for take in takes:
        clip, frames = take.clip, leaning(take)
        middle = frames[len(frames) // 2]
        ahead = facing_direction(root_track(clip).yaws[middle])
        feet = clip.positions[:, [clip.skeleton.joint(f"foot.{side}") for side in "LR"], :2]
        mass = (centre_of_mass(clip)[:, :2] - feet.mean(axis=1)) @ ahead
        stands = frames[0] - 60
        assert mass[middle] > mass[stands] + 0.06 and mass[middle] > 0.14
        assert np.ptp(feet[frames], axis=0).max() < 0.01


def test_it_begins_and_ends_without_a_jump_and_the_body_is_out_of_the_object(takes: list[InteractionTake]) -> None:
    for take in takes:
        moves = np.linalg.norm(np.diff(take.clip.positions, axis=0), axis=-1).max(axis=1)
        assert moves[take.actions[:-1, LEAN] > 0].max() < 0.06
        body, thing = BodyCapsules.from_skeleton(take.clip.skeleton), take.objects[0]
        spheres = np.setdiff1d(np.arange(len(body.radii)), body.sphere_indices(("hand", "forearm")))
        moving = AnimatedCollider(thing.collider, thing.positions, thing.rotations)
        assert body.sphere_penetrations(take.clip, moving, spheres).max() <= lean.TUNING.max_penetration


def test_the_detector_finds_it(takes: list[InteractionTake]) -> None:
    for take in takes:
        labels = label_clip(take.clip, find_preset("interaction"))
        found = labels.actions[:, labels.action_names.index("lean")] > 0.5
        frames = leaning(take)
        assert found[frames].mean() > 0.8 and found[: frames[0] - 60].mean() == 0.0


def test_takes_of_leaning_need_no_clips() -> None:
    generator = TakeGenerator(SHIPPED, seed=1, leaning=True, walk_count=4)
    assert any(kind_of(load_motion_library(generator), number, True) == "lean" for number in range(9))
