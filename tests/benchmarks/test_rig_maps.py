"""The benchmark of guessed rig maps: bodies differ as they say, and what is hidden is hidden."""

from pathlib import Path

import numpy as np
import pytest

from footfall.benchmarks import rig_maps
from footfall.benchmarks.rig_types import RigType, Variety, rig_types
from footfall.benchmarks.setup import Setup

TYPES = pytest.mark.parametrize("rig", rig_types(), ids=lambda rig: rig.name)


@TYPES
def test_a_rig_type_is_a_tree_with_the_bones_of_its_map(rig: RigType) -> None:
    names = [bone.name for bone in rig.bones]
    assert len(set(names)) == len(names)
    assert {bone.parent for bone in rig.bones} <= {"-", *names}
    assert {other for bones in rig.equals.values() for other in bones} <= set(names)
    tree = rig.tree()
    assert np.linalg.norm(tree.tails - tree.heads, axis=-1).min() > 0
    assert not any(parent < 0 for parent in tree.parents[1:]) or not tree.deform.all()


@TYPES
def test_bodies_stand_on_the_ground_and_are_alike_on_both_sides(rig: RigType) -> None:
    variety = Variety(arms=45.0, legs=1.2, width=0.9, scale=2.0)
    tree = rig.tree(variety)
    at = dict(zip(tree.names, tree.heads, strict=True))
    bones = rig.truth.bones
    for role, bone in bones.items():
        if role.endswith(".L") and bones[role[:-1] + "R"] in at:
            np.testing.assert_allclose(at[bones[role[:-1] + "R"]], at[bone] * (-1, 1, 1), atol=1e-9)
    assert -0.01 < min(tree.heads[:, 2]) < 0.25


def test_it_measures_without_the_real_skeletons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rig_maps, "BODIES", 1)
    section = "\n".join(map(str, rig_maps.measure(Setup(tmp_path))))
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| ")]
    mean = next([cell.strip() for cell in row] for row in rows if row[0].strip() == "mean")
    assert mean[3] == "100"
    assert float(mean[5]) >= 97
    assert "skipped cmu_asfamc" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.all_only("skeletons of every kind of rig are always found")
def test_real_skeletons_are_found(shared_data: Path) -> None:
    rows = {str(row[0]): row for row in rig_maps.measure_real_skeletons(shared_data / "mocap", rig_maps.Score())}
    assert len(rows) == len(rig_maps.REAL)
    assert all(row[4] == 100 for row in rows.values())
    # ACCAD's rest is no pose, DeepMimic's neck is its head, and the animals' legs end without paws.
    easy = set(rows) - {"accad_male1", "cmu_deepmimic", "quaternius_animals_cc0"}
    assert all(row[5] == row[6] == 100 for source, row in rows.items() if source in easy)
