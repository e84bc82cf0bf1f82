"""Rig maps guessed automatically: by the bones' names, and without names for bones called ``Bone.001`` and so on."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from ..core.errors import FootfallError
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.rotations import Array, rotate
from ..core.rig.rig_guess import RigTree, guess_map
from ..core.rig.rig_map import RigMap, bind_rig_map, shipped_rig_maps
from ..core.rig.rig_map.roles import EYE_PART, split_role
from .rig_types import Variety, rig_types
from .setup import Setup
from .tables import Part, table

TITLE = "Rig maps guessed"
BODIES: Final = 20
"""Bodies of each rig type, with different proportions, poses, units and irregularity."""
ACTORS: Final = 12
"""Largest number of clips of every source of real skeletons, evenly chosen."""
DOUBT: Final = 0.6
REAL: Final = {
    "cmu_asfamc": "cmu_asf",
    "hdm05_asfamc": "cmu_asf",
    "cmu_expmap": "cmu_bvh",
    "cmu_3dsmax": "cmu_3dsmax",
    "cmu_daz": "cmu_daz",
    "cmu_ccbase": "ccbase",
    "accad_male1": "accad",
    "animated_drawings": "animated_drawings",
    "cmu_deepmimic": "deepmimic",
    "kaykit_cc0": "kaykit",
    "quaternius_animals_cc0": "quaternius_animals",
}
"""Folders of real clips, and the correct map for their skeletons."""


@dataclass
class Score:
    """Results of the guess for one rig: shares of correct roles, and confidences of correct and wrong ones."""

    shares: list[float] = field(default_factory=list)
    more: int = 0
    right: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)

    def add(
        self, tree: RigTree, truth: RigMap, equals: Mapping[str, tuple[str, ...]], maps: Mapping[str, RigMap] | None
    ) -> None:
        """Guess the map of one more tree and add its result; the share is 0 if no body is found."""
        try:
            guess = guess_map(tree, maps)
        except FootfallError:
            self.shares.append(0.0)
            return
        correct = 0
        for role, bone in truth.bones.items():
            found = guess.rig_map.bones.get(role)
            fits = found is not None and found in (bone, *equals.get(role, ()))
            correct += fits
            if found is not None:
                (self.right if fits else self.wrong).append(guess.confidence[role])
        self.more += len(set(guess.rig_map.bones) - set(truth.bones))
        self.shares.append(correct / len(truth.bones))

    @property
    def cells(self) -> list[object]:
        """Return the mean and the smallest share, percent."""
        return [100 * float(np.mean(self.shares)), 100 * min(self.shares)]


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables: synthetic bodies of every rig type, and available real skeletons."""
    rows, everything = _types()
    found = Score()
    real = list(measure_real_skeletons(setup.data, found))
    head = ["skeleton", "bones", "roles", "by name, %", "no shipped map, %", "unnamed, %", "worst", "roles too many"]
    parts: list[Part] = [table(head, rows), NOTE + sureness(everything)]
    if real:
        head = ["real skeletons", "clips", "bones", "roles", "by name, %", "unnamed at rest, %", "unnamed in a pose, %"]
        parts += [table(head, real), REAL_NOTE + sureness(found)]
    return parts


NOTE: Final = "*By name*: a shipped map that the names fit."
REAL_NOTE: Final = """\
*At rest* is the file's zero pose, as Blender imports it; ACCAD's and CC_Base's are no poses: limbs lie along any
axis."""


def _types() -> tuple[list[list[object]], Score]:
    rows: list[list[object]] = []
    everything, start, guesses = Score(), perf_counter(), 0
    means: list[list[float]] = []
    for rig in rig_types():
        named, spoken, unnamed = Score(), Score(), Score()
        for seed in range(BODIES):
            tree = rig.tree(Variety.of(seed))
            named.add(tree, rig.truth, {}, None)
            spoken.add(tree, rig.truth, rig.equals, {})
            hidden, names = without_names(tree, seed)
            equals = {role: tuple(names[bone] for bone in bones) for role, bones in rig.equals.items()}
            unnamed.add(hidden, renamed(rig.truth, names), equals, None)
            guesses += 3
        everything.right += unnamed.right
        everything.wrong += unnamed.wrong
        shares = [100 * float(np.mean(score.shares)) for score in (named, spoken, unnamed)]
        means.append(shares)
        rows.append([rig.name, len(rig.bones), len(rig.truth.bones), *shares, unnamed.cells[1], unnamed.more / BODIES])
    everything.shares = [(perf_counter() - start) / guesses]
    least = np.min(means, axis=0)
    rows.append(["mean", None, None, *map(float, np.mean(means, axis=0)), None, None])
    rows.append(["worst type", None, None, *map(float, least), None, None])
    rows.append(["reach", None, None, 100, None, 90, None, None])
    return rows, everything


def sureness(score: Score) -> str:
    """Return the separation of correct from wrong unnamed roles by the confidence."""
    right, wrong = np.array(score.right), np.array(score.wrong)
    clear = 100 * float(np.sum(right >= DOUBT)) / max(len(right), 1)
    doubted = 100 * float(np.sum(wrong < DOUBT)) / max(len(wrong), 1)
    return (
        f" Of {len(right)} right unnamed roles, {clear:.1f} % were at least {DOUBT} sure; of {len(wrong)} wrong ones, "
        f"{doubted:.1f} % were less sure."
    )


def measure_real_skeletons(folder: Path, everything: Score) -> Iterator[list[object]]:
    """Yield a row for every source of real skeletons; a missing folder is named."""
    for source, stem in REAL.items():
        files = sorted((folder / source).rglob("*.bvh"))
        if not files:
            print(f"rig_maps: skipped {source}: there is no clip of it in '{folder}'", file=sys.stderr)
            continue
        named, resting, posing = Score(), Score(), Score()
        joints = roles = 0
        chosen = files[:: -(-len(files) // ACTORS)]
        for seed, file in enumerate(chosen):
            clip = read_bvh(file)
            truth = bind_rig_map(shipped_rig_maps()[stem], clip.skeleton.names)
            joints, roles = len(clip.skeleton), len(truth.bones)
            named.add(rest_tree(clip), truth, {}, None)
            for score, tree in ((resting, rest_tree(clip)), (posing, pose_tree(clip, 0))):
                hidden, names = without_names(tree, seed)
                score.add(hidden, renamed(truth, names), {}, None)
        for score in (resting, posing):
            everything.right += score.right
            everything.wrong += score.wrong
        yield [source, len(chosen), joints, roles, *(score.cells[0] for score in (named, resting, posing))]


def without_names(tree: RigTree, seed: int) -> tuple[RigTree, dict[str, str]]:
    """Return the tree with bones named ``Bone``, ``Bone.001`` ... in shuffled order, and old names to new ones."""
    order = np.random.default_rng(seed).permutation(len(tree))
    place = np.argsort(order)
    names = tuple("Bone" if bone == 0 else f"Bone.{bone:03}" for bone in range(len(tree)))
    parents = tuple(-1 if tree.parents[old] < 0 else int(place[tree.parents[old]]) for old in order)
    hidden = RigTree(names, parents, tree.heads[order], tree.tails[order], tree.deform[order])
    return hidden, {tree.names[old]: name for old, name in zip(order, names, strict=True)}


def renamed(rig_map: RigMap, names: Mapping[str, str]) -> RigMap:
    """Return a map's bones under other names, without the eyes, which only their names identify."""
    shown = {role: bone for role, bone in rig_map.bones.items() if split_role(role)[0] != EYE_PART}
    return RigMap(rig_map.name, {role: names[bone] for role, bone in shown.items()})


def rest_tree(clip: Clip) -> RigTree:
    """Return a clip's skeleton at rest, as an importer would create its bones."""
    skeleton = clip.skeleton
    heads = np.zeros((len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        heads[joint] = heads[parent] + skeleton.offsets[joint]
    return _tree(clip, heads, heads + skeleton.tips)


def pose_tree(clip: Clip, frame: int) -> RigTree:
    """Return a clip's skeleton in one of its poses."""
    heads, rotations = (values[frame] for values in clip.world)
    return _tree(clip, heads, heads + rotate(rotations, clip.skeleton.tips))


def _tree(clip: Clip, heads: Array, tips: Array) -> RigTree:
    skeleton, tails = clip.skeleton, tips.copy()
    for joint, below in enumerate(skeleton.children):
        if below:
            tails[joint] = heads[list(below)].mean(axis=0)
    short = np.linalg.norm(tails - heads, axis=-1) < 1e-4
    tails[short] = heads[short] + np.array([0.0, 0.0, 0.05])
    return RigTree(skeleton.names, skeleton.parents, heads, tails, np.ones(len(skeleton), dtype=bool))
