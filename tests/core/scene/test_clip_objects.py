"""Objects beside a clip are written and read again; files that are damaged or of another clip are refused."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.scene.clip_objects import ClipObject, load_clip_objects, objects_path, save_clip_objects
from footfall.core.scene.collider import Collider

BLOCK = Collider(np.array([[-0.2, -0.2, 0.0]]), np.array([[0.2, 0.2, 0.45]]))
STILL = np.array([[1.0, 0.0, 0.0, 0.0]])


def seat() -> ClipObject:
    return ClipObject("sit", "Sofa Ä", BLOCK, np.array([[1.0, 2.0, 0.0]]), STILL)


def box(frames: int) -> ClipObject:
    return ClipObject(
        "carry", "box", BLOCK, np.linspace(0, 1, 3 * frames).reshape(frames, 3), np.tile(STILL, (frames, 1))
    )


def test_objects_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = objects_path(tmp_path / "sit.1.bvh")
    assert file.name == "sit.1.objects.npz"
    save_clip_objects(file, [seat(), box(5)])
    found = load_clip_objects(file, 5)
    assert [(one.action, one.name) for one in found] == [("sit", "Sofa Ä"), ("carry", "box")]
    for one, same in zip(found, (seat(), box(5)), strict=True):
        np.testing.assert_array_equal(one.positions, same.positions)
        np.testing.assert_array_equal(one.rotations, same.rotations)
        np.testing.assert_array_equal(one.collider.upper, BLOCK.upper)


@pytest.mark.parametrize("fault", ["length", "number", "shape", "bytes", "missing"])
def test_files_that_cannot_be_used(tmp_path: Path, fault: str) -> None:
    file, one = tmp_path / "a.objects.npz", box(5)
    if fault == "number":
        one.positions[2, 1] = np.nan
    elif fault == "shape":
        one = ClipObject("sit", "box", Collider(np.zeros((0, 3)), np.zeros((0, 3))), one.positions, one.rotations)
    save_clip_objects(file, [one])
    if fault == "bytes":
        file.write_bytes(file.read_bytes()[:200])
    elif fault == "missing":
        np.savez(file, actions=np.array(["sit"]), names=np.array(["a"]))
        file.with_suffix(".npz.npz").unlink(missing_ok=True)
    with pytest.raises(FootfallError, match="export the clip again"):
        load_clip_objects(file, 6 if fault == "length" else 5)


def broken(**parts: np.ndarray) -> ClipObject:
    """A box of five frames, some of whose arrays are others."""
    one = box(5)
    arrays = {"lower": BLOCK.lower, "upper": BLOCK.upper, "positions": one.positions, "rotations": one.rotations}
    arrays |= parts
    collider = Collider(arrays["lower"], arrays["upper"])
    return ClipObject("carry", "box", collider, arrays["positions"], arrays["rotations"])


@pytest.mark.parametrize(
    "parts",
    [
        {"lower": np.zeros((1, 2)), "upper": np.ones((1, 2))},
        {"lower": np.zeros((2, 3))},
        {"lower": np.zeros(3), "upper": np.ones(3)},
        {"lower": np.full((1, 3), -np.inf)},
        {"upper": np.full((1, 3), np.inf)},
        {"positions": np.zeros((4, 3)), "rotations": np.zeros((4, 4))},
        {"positions": np.zeros((5, 2))},
        {"rotations": np.zeros((5, 3))},
        {"rotations": np.zeros((1, 4))},
        {"rotations": np.full((5, 4), np.nan)},
    ],
)
def test_objects_of_other_shapes_or_without_numbers_are_refused(tmp_path: Path, parts: dict[str, np.ndarray]) -> None:
    file = tmp_path / "a.objects.npz"
    save_clip_objects(file, [broken()])
    assert len(load_clip_objects(file, 5)) == 1
    save_clip_objects(file, [broken(**parts)])
    with pytest.raises(FootfallError, match="contains no objects for this clip"):
        load_clip_objects(file, 5)
