"""Labels as a whole: real clips, mirrored and resampled labels, and the file they are kept in."""

import csv
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.labelling import Labels, label_clip
from footfall.core.labelling.semantics.goals import GoalLabels
from footfall.core.motion import Clip, Skeleton
from footfall.core.motion.bvh import read_bvh
from footfall.tests.support.walker import Walker

# Walks that are not straight: backwards and sideways; turning about on the spot.
NOT_STRAIGHT = {"09_12", "91_02"}


def circular(a: np.ndarray, b: np.ndarray | float) -> np.ndarray:
    return np.abs((a - b + 0.5) % 1.0 - 0.5)


@pytest.fixture(scope="module")
def straight(shared_data: Path) -> dict[str, tuple[str, Clip, Labels]]:
    """Every straight walk and run of the CMU clips' test split: category, clip and labels."""
    with (shared_data / "mocap" / "SPLIT.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["split"] == "test" and row["source"] == "cmu_asfamc"]
    result: dict[str, tuple[str, Clip, Labels]] = {}
    for row in rows:
        path = shared_data / "mocap" / row["file"]
        if row["category"] in ("walk", "run") and path.stem not in NOT_STRAIGHT:
            clip = read_bvh(path)
            result[path.stem] = row["category"], clip, label_clip(clip)
    assert len(result) >= 12
    return result


def test_people_put_down_left_and_right_in_turn(straight: dict[str, tuple[str, Clip, Labels]]) -> None:
    for name, (_, _, labels) in straight.items():
        strikes = sorted([(f, "L") for f in labels.left_strikes] + [(f, "R") for f in labels.right_strikes])
        feet = "".join(foot for _, foot in strikes)
        assert len(feet) >= 3, name
        assert "LL" not in feet, name
        assert "RR" not in feet, name


def test_the_phase_of_people_advances_from_strike_to_strike(straight: dict[str, tuple[str, Clip, Labels]]) -> None:
    for name, (_, clip, labels) in straight.items():
        assert np.diff(np.unwrap(labels.phase, period=1.0)).min() > 0, name
        # A foot comes down between the frame before its contact and the contact's first.
        cycles = np.unwrap(labels.phase, period=1.0)
        for strikes, expected in ((labels.right_strikes, 0.0), (labels.left_strikes, 0.5)):
            at_strike = np.interp(strikes - 0.5, np.arange(len(clip)), cycles)
            assert circular(at_strike, expected).max() < 1e-3, name
        # People's cycles take 0.5 s, in a sprint, to 3 s, when they steal along.
        cycle = clip.duration / (np.unwrap(labels.phase, period=1.0)[-1] - labels.phase[0])
        assert 0.5 < cycle < 3.0, name


def test_runs_are_runs_and_walks_are_walks(straight: dict[str, tuple[str, Clip, Labels]]) -> None:
    for name, (category, _, labels) in straight.items():
        share = dict(zip(labels.gait_names, labels.gaits.mean(axis=0), strict=True))
        if category == "run":
            assert share["jog"] + share["run"] > 0.9, name
        else:
            # 08_08 is a brisk walk at 2 m/s, the speed at which people begin to run.
            assert share["walk"] > 0.6, name


def test_runs_have_flights_and_walks_have_none(straight: dict[str, tuple[str, Clip, Labels]]) -> None:
    for name, (category, _, labels) in straight.items():
        flying = (labels.contacts.max(axis=1) < 0.5).mean()
        assert flying > 0.1 if category == "run" else flying < 0.06, name


def test_the_labels_of_a_mirrored_clip_are_the_mirrored_labels(straight: dict[str, tuple[str, Clip, Labels]]) -> None:
    for name, (_, clip, labels) in straight.items():
        found, expected = label_clip(clip.mirrored()), labels.mirrored()
        # The two legs of a person differ by some millimeters, so single frames may change sides of a threshold.
        assert ((found.contacts > 0.5) != (expected.contacts > 0.5)).mean() < 0.03, name
        assert circular(found.phase, expected.phase).max() < 0.06, name
        assert np.abs(found.gaits - expected.gaits).mean() < 0.02, name


def test_the_labels_of_people_hold_at_other_rates(straight: dict[str, tuple[str, Clip, Labels]]) -> None:
    for name, (_, clip, labels) in straight.items():
        for rate in (30.0, 60.0):
            slower = clip.resampled(rate)
            found, expected = label_clip(slower), labels.resampled(rate, len(slower))
            # Up to two frames at 30 Hz.
            assert circular(found.phase, expected.phase).max() < 0.13, (name, rate)
            assert ((found.contacts > 0.5) == (expected.contacts > 0.5)).mean() > 0.9, (name, rate)


def test_a_symmetric_walker_mirrors_exactly() -> None:
    clip = Walker(turn=0.4).clip()
    found, expected = label_clip(clip.mirrored()), label_clip(clip).mirrored()
    np.testing.assert_allclose(found.contacts, expected.contacts, atol=1e-6)
    np.testing.assert_allclose(circular(found.phase, expected.phase), 0.0, atol=1e-9)
    np.testing.assert_array_equal(found.left_strikes, expected.left_strikes)
    np.testing.assert_array_equal(found.right_strikes, expected.right_strikes)
    np.testing.assert_allclose(found.actions, expected.actions, atol=1e-6)
    np.testing.assert_allclose(found.goals.positions, expected.goals.positions, atol=1e-6)
    np.testing.assert_allclose(found.goals.directions, expected.goals.directions, atol=1e-6)
    np.testing.assert_allclose(found.action_phase, expected.action_phase)


@pytest.mark.parametrize("rate", [30.0, 60.0, 90.0, 240.0])
def test_resampled_labels_are_those_of_the_resampled_walker(rate: float) -> None:
    fine, walker = Walker(rate=120.0), Walker(rate=rate)
    labels = label_clip(fine.clip()).resampled(rate, len(walker.times))
    assert len(labels) == len(walker.times)
    assert labels.frame_rate == rate
    # At the seam from 1 to 0 as well: phases are never averaged across it.
    assert circular(labels.phase, walker.phase).max() < 0.02
    np.testing.assert_allclose(labels.gaits.sum(axis=1), 1.0, atol=1e-9)
    assert np.abs(labels.right_strikes - walker.strikes("R")).max() < 0.03 * rate
    assert np.abs(labels.left_strikes - walker.strikes("L")).max() < 0.03 * rate


def test_labels_come_back_from_their_file(tmp_path: Path) -> None:
    labels = label_clip(Walker(pause=1.0).clip())
    labels.save(tmp_path / "walk.labels.npz")
    loaded = Labels.load(tmp_path / "walk.labels.npz")
    for before, after, field in [
        *((getattr(labels, field.name), getattr(loaded, field.name), field) for field in fields(Labels)),
        *(
            (getattr(labels.goals, field.name), getattr(loaded.goals, field.name), field)
            for field in fields(GoalLabels)
        ),
    ]:
        if field.name == "goals":
            continue
        if isinstance(before, np.ndarray):
            np.testing.assert_allclose(after, before, atol=1e-7, err_msg=field.name)
        else:
            assert before == after, field.name
    np.testing.assert_array_equal(loaded.contacts > 0.5, labels.contacts > 0.5)
    assert [path.name for path in tmp_path.iterdir()] == ["walk.labels.npz"]


@pytest.fixture
def label_file(tmp_path: Path) -> Path:
    path = tmp_path / "walk.labels.npz"
    label_clip(Walker(seconds=1.0).clip()).save(path)
    return path


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.7, 0.99])
def test_a_truncated_file_is_refused(label_file: Path, share: float) -> None:
    data = label_file.read_bytes()
    label_file.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(FootfallError, match=r"walk\.labels\.npz' is not a label file of Footfall"):
        Labels.load(label_file)


def test_a_file_that_swells_is_refused(label_file: Path) -> None:
    with np.load(label_file) as arrays:
        held = dict(arrays)
    for swollen in (
        {"contacts": np.zeros((1 << 14, 1 << 13), np.uint8)},
        {"contact_joints": np.full(1 << 16, "a")},
    ):
        np.savez_compressed(label_file, **held | swollen)
        with pytest.raises(FootfallError, match=r"more (numbers )?than"):
            Labels.load(label_file)


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_file_is_refused_or_read_as_labels(label_file: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = bytearray(label_file.read_bytes())
    for at in rng.integers(0, len(data), 20):
        data[at] = rng.integers(0, 256)
    label_file.write_bytes(data)
    try:
        labels = Labels.load(label_file)
    except FootfallError:
        return
    assert labels.contacts.shape == (len(labels), len(labels.contact_joints))


def test_a_file_that_unpacks_without_end_is_refused_at_once(label_file: Path) -> None:
    """Nine megabytes took a minute and two gigabytes."""
    with np.load(label_file) as data:
        arrays = dict(data)
    frames = 100_000
    np.savez_compressed(label_file, **arrays | {"contacts": np.zeros((frames, 700))})
    with pytest.raises(FootfallError, match="the file is larger than 512 MB when unpacked"):
        Labels.load(label_file)


def test_a_missing_file_a_folder_and_a_foreign_archive_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.labels.npz").mkdir()
    np.savez(tmp_path / "foreign.labels.npz", weights=np.zeros(3))
    np.savez(tmp_path / "pickled.labels.npz", frame_rate=np.array([{"a": 1}], dtype=object))
    for name in ("missing", "folder", "foreign", "pickled"):
        with pytest.raises(FootfallError, match=name):
            Labels.load(tmp_path / f"{name}.labels.npz")


def test_labels_that_do_not_fit_each_other_are_refused(tmp_path: Path) -> None:
    labels = label_clip(Walker(seconds=1.0).clip())
    broken = [
        replace(labels, phase=labels.phase[:-1]),
        replace(labels, contacts=labels.contacts[:, :3]),
        replace(labels, gaits=np.full_like(labels.gaits, np.nan)),
        replace(labels, phase=labels.phase[:, None]),
        replace(labels, ground=np.nan),
        replace(labels, frame_rate=0.0),
        replace(labels, left_strikes=np.array([61])),
        replace(labels, left_strikes=np.array([-1])),
        replace(labels, contacts=labels.contacts + 0.5),
        replace(labels, confidence=-labels.confidence),
        replace(labels, phase=labels.phase + 1.0),
        replace(labels, gaits=labels.gaits * 1.5),
        replace(labels, actions=labels.actions - 0.5),
        replace(labels, action_phase=labels.action_phase - 0.5),
    ]
    for number, case in enumerate(broken):
        case.save(tmp_path / f"{number}.labels.npz")
        with pytest.raises(FootfallError, match=r"label (the clip )?again"):
            Labels.load(tmp_path / f"{number}.labels.npz")


def test_a_skeleton_without_feet_is_refused_by_name() -> None:
    skeleton = Skeleton(("hips", "lfemur", "rfemur"), (-1, 0, 0), np.zeros((3, 3)), np.zeros((3, 3)))
    clip = Clip(skeleton, 60.0, np.zeros((10, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (10, 3, 1)))
    with pytest.raises(FootfallError, match=r"shin\.L, foot\.L, shin\.R, foot\.R"):
        label_clip(clip)


def test_actions_at_once_are_read(label_file: Path) -> None:
    """Walking while carrying: files of other tools may have whole weights of several actions and gaits in a frame."""
    with np.load(label_file) as data:
        arrays = dict(data)
    both = {name: np.ones_like(arrays[name]) for name in ("actions", "gaits")}
    np.savez_compressed(label_file, **arrays | both)
    labels = Labels.load(label_file)
    np.testing.assert_array_equal(labels.actions, 1.0)
    np.testing.assert_array_equal(labels.gaits, 1.0)


def test_a_hand_that_is_labeled_alone_is_the_other_one_in_the_mirrored_clip() -> None:
    clip = Walker(seconds=2.0).clip()
    labels = label_clip(clip)
    tap = np.zeros((len(labels), 1))
    tap[10:20] = 1.0
    one = replace(
        labels,
        contact_joints=(*labels.contact_joints, "hand.R"),
        contacts=np.column_stack([labels.contacts, tap]),
        confidence=np.column_stack([labels.confidence, np.ones_like(tap)]),
        local_phase_joints=("hand.R",),
        local_phases=np.zeros((len(labels), 1, 2)),
    )
    other = one.mirrored()
    assert other.contact_joints == (*labels.contact_joints, "hand.L") and other.local_phase_joints == ("hand.L",)
    np.testing.assert_array_equal(other.contacts_of(("hand.L",)), tap)
    np.testing.assert_array_equal(other.contacts_of(("foot.L",)), one.contacts_of(("foot.R",)))


def plain(frames: int = 10) -> Labels:
    """Labels of two sensors, of which nothing is given but what must be."""
    gaits = np.tile([0.0, 1.0], (frames, 1))
    strikes = np.array([2]), np.array([5])
    contacts = np.tile([0.2, 0.9], (frames, 1))
    return Labels(60.0, ("foot.L", "foot.R"), contacts, np.zeros(frames), ("stand", "walk"), gaits, *strikes, 0.0)


def test_labels_that_are_not_given_are_those_of_a_body_that_idles() -> None:
    labels = plain()
    assert labels.actions[:, labels.action_names.index("idle")].tolist() == [1.0] * 10
    assert labels.actions.sum() == 10.0
    np.testing.assert_allclose(labels.confidence, np.tile([0.8, 0.9], (10, 1)))
    assert not labels.action_phase.any() and labels.local_phases.shape == (10, 0, 2)
    assert labels.goals is not None
    assert labels.goals.actions is labels.actions and not labels.goals.positions.any()
    np.testing.assert_array_equal(labels.goals.directions, np.tile([0.0, 1.0], (10, 1)))


def test_contacts_are_those_of_the_sensors_that_are_asked_for() -> None:
    labels = plain()
    np.testing.assert_array_equal(labels.contacts_of(["foot.R", "foot.L"])[0], [0.9, 0.2])
    with pytest.raises(FootfallError, match=r"no contacts of hand\.L, only of foot\.L, foot\.R"):
        labels.contacts_of(["foot.L", "hand.L"])
