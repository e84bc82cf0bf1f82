"""Files that other programs have open, as Windows locks them: for a moment, and for ever."""

from pathlib import Path

import numpy as np
import pytest

from footfall.core.errors import FootfallError
from footfall.core.jobs import locked_files
from footfall.core.jobs.atomic import move_into_place, write_atomically
from footfall.core.jobs.folder_lock import has_lock_file, lock_folder
from footfall.core.jobs.replacing import build_folder, replace_together
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.labelling.labeller import label_clip
from footfall.core.motion.bvh import write_bvh
from footfall.core.rig.rig_map.file import load_rig_map, save_rig_map
from footfall.core.terrain.patches import PatchDatabase, build_patches
from footfall.core.terrain.terrain_file import TerrainFile
from footfall.tests.support.walker import Walker
from footfall.tests.support.windows_disk import WindowsDisk

RIG_MAPS = Path(__file__).resolve().parents[3] / "presets" / "rigs"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WindowsDisk:
    return WindowsDisk(tmp_path, monkeypatch)


def write_walk(path: Path) -> None:
    write_bvh(path, Walker(seconds=0.5).clip())


def write_labels(path: Path) -> None:
    label_clip(Walker(seconds=2.0).clip()).save(path)


def write_rig_map(path: Path) -> None:
    save_rig_map(load_rig_map(RIG_MAPS / "mann_dog.toml"), path)


def write_terrain(path: Path) -> None:
    one = np.array([[0, 30]])
    TerrainFile(one, np.zeros((1, 1, 8, 8), np.float32), np.zeros((1, 2)), 0.1, np.zeros((1, 1)), one[:, :1]).save(path)


WRITERS = {
    "walk.bvh": write_walk,
    "walk.labels.npz": write_labels,
    "mine.toml": write_rig_map,
    "walk.terrain.npz": write_terrain,
    "plain": lambda path: write_atomically(path, b"new"),
}


def sentence(error: BaseException) -> str:
    """The sentence that a user sees of an error."""
    return f"'{error.filename}': {error.strerror}" if isinstance(error, OSError) else str(error)


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_is_open_for_a_moment_is_replaced_after_it(name: str, disk: WindowsDisk) -> None:
    (disk.root / name).write_bytes(b"old")
    disk.hold(disk.root / name, times=2)
    WRITERS[name](disk.root / name)
    assert disk.refusals == 2
    assert [path.name for path in disk.root.iterdir()] == [name] and (disk.root / name).read_bytes() != b"old"


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_stays_open_is_kept_and_named_and_nothing_is_left(name: str, disk: WindowsDisk) -> None:
    (disk.root / name).write_bytes(b"old")
    disk.hold(disk.root / name)
    with pytest.raises((OSError, FootfallError)) as told:
        WRITERS[name](disk.root / name)
    said = sentence(told.value)
    assert f"{disk.root / name}" in said and "Another program has the file open" in said and ".part" not in said
    assert {path.name: path.read_bytes() for path in disk.root.iterdir()} == {name: b"old"}


def test_a_file_that_is_open_here_is_locked_too(disk: WindowsDisk) -> None:
    (disk.root / "file").write_bytes(b"old")
    with (disk.root / "file").open("rb"), pytest.raises(PermissionError):
        write_atomically(disk.root / "file", b"new")
    write_atomically(disk.root / "FILE", b"new")
    assert {path.name: path.read_bytes() for path in disk.root.iterdir()} == {"file": b"new"}, "it knows no case"


def test_a_new_file_that_a_scanner_reads_goes_to_its_place_or_is_named(disk: WindowsDisk) -> None:
    for times in (3, 1000):
        (disk.root / "part").write_bytes(b"new")
        disk.hold(disk.root / "part", times)
        if times == 3:
            move_into_place(disk.root / "part", disk.root / "file")
            assert [path.name for path in disk.root.iterdir()] == ["file"]
        else:
            with pytest.raises(PermissionError) as told:
                move_into_place(disk.root / "part", disk.root / "file")
            assert sentence(told.value).startswith(f"'{disk.root / 'file'}'")


def build(folder: Path, text: str) -> None:
    with build_folder(folder) as made:
        (made / "parts").mkdir()
        for name in ("parts/one", "numbers", "sign"):
            (made / name).write_text(text)
        replace_together(made, folder, ["parts", "numbers"], "sign", b"unfinished")


def texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("held", ["parts/one", "numbers", "sign"])
@pytest.mark.parametrize("times", [2, 1000])
def test_what_belongs_together_is_replaced_together_or_not_at_all(held: str, times: int, disk: WindowsDisk) -> None:
    folder = disk.root / "folder"
    build(folder, "old")
    disk.hold(folder / held, times)
    if times == 2:
        build(folder, "new")
    else:
        with pytest.raises(PermissionError) as told:
            build(folder, "new")
        assert f"{folder / held.partition('/')[0]}'" in sentence(told.value)
    assert disk.refusals >= 2
    assert texts(folder) == dict.fromkeys(("parts/one", "numbers", "sign"), "new" if times == 2 else "old")
    disk.release()
    build(folder, "newer")
    assert set(texts(folder).values()) == {"newer"}


def test_patches_that_are_mapped_are_told_and_those_that_are_not_are_replaced(disk: WindowsDisk) -> None:
    folder = disk.root / "patches"
    mapped = build_patches(folder, count=8, seed=0)
    with pytest.raises(PermissionError) as told:
        build_patches(folder, count=9, seed=1)
    assert f"{folder / 'heights.npy'}'" in sentence(told.value) and PatchDatabase.open(folder).count == 8
    del mapped
    assert build_patches(folder, count=9, seed=1).count == 9
    assert sorted(path.name for path in folder.iterdir()) == ["heights.npy", "patches.json"]


@pytest.fixture
def run(disk: WindowsDisk) -> RunFolder:
    return RunFolder(disk.root / "run")


def test_a_run_ends_well_whatever_is_read_meanwhile(run: RunFolder, disk: WindowsDisk) -> None:
    with run.run_session("[data]\n"):
        for step in range(1, 6):
            for name in ("state.json", ".reserve", f"checkpoints/step-{step - 1:010d}.pt", "checkpoints/best.pt"):
                if (run.path / name).exists():
                    disk.hold(run.path / name, times=1)
            run.write_state("running")
            run.append_progress({"step": step})
            run.save_checkpoint(step, b"data")
            run.save_best(b"best")
        disk.hold(run.path / ".reserve", times=1)
        run.write_state("finished")
    assert run.status() == "finished" and disk.refusals > 5
    assert [path.name for path in run.checkpoints()] == ["step-0000000005.pt", "step-0000000004.pt"]
    names = {"checkpoints", "config.toml", "progress.jsonl", "state.json"}
    assert {path.name for path in run.path.iterdir()} == names


def test_an_old_checkpoint_that_stays_open_ends_no_run(run: RunFolder, disk: WindowsDisk) -> None:
    with run.run_session("[data]\n"):
        for step in range(1, 5):
            run.save_checkpoint(step, b"data")
            disk.hold(run.path / "checkpoints" / "step-0000000001.pt")
    assert [path.name[-4:-3] for path in run.checkpoints()] == ["4", "3", "1"]
    disk.release()
    run.save_checkpoint(5, b"data")
    assert [path.name[-4:-3] for path in run.checkpoints()] == ["5", "4"]


def test_a_state_that_stays_open_is_named_and_the_checkpoint_is_whole(run: RunFolder, disk: WindowsDisk) -> None:
    with pytest.raises(PermissionError) as told, run.run_session("[data]\n"):
        run.write_state("running")
        run.save_checkpoint(1, b"data")
        disk.hold(run.path / "state.json")
        run.write_state("stopping")
    assert f"{run.path / 'state.json'}'" in sentence(told.value)
    assert run.checkpoints()[0].read_bytes() == b"data" and run.read_state() is not None
    assert not [path for path in run.path.rglob("*") if ".part" in path.name or path.name == ".reserve"]


def test_results_that_are_open_are_named_before_a_new_run_begins(run: RunFolder, disk: WindowsDisk) -> None:
    with run.run_session("[data]\n"):
        run.save_checkpoint(1, b"data")
        run.write_state("finished")
    (run.path / "model.safetensors").write_bytes(b"model")
    disk.hold(run.path / "model.safetensors", times=2)
    with run.run_session("[data]\n", discard_results=True):
        assert not run.model_path.exists()
    (run.path / "model.safetensors").write_bytes(b"model")
    disk.hold(run.path / "model.safetensors")
    with pytest.raises(PermissionError) as told, run.run_session("[data]\n", discard_results=True):
        pass
    assert f"{run.model_path}'" in sentence(told.value) and run.model_path.read_bytes() == b"model"


def test_the_lock_of_a_folder_goes_with_the_work_as_on_windows(disk: WindowsDisk) -> None:
    with lock_folder(disk.root), lock_folder(disk.root):
        assert has_lock_file(disk.root)
    assert list(disk.root.iterdir()) == []


@pytest.mark.parametrize("refusals", range(7))
def test_a_change_is_tried_again_after_longer_and_longer_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusals: int
) -> None:
    pauses: list[float] = []
    left = [refusals]
    monkeypatch.setattr("time.sleep", pauses.append)

    def change() -> str:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(13, "open")
        return "done"

    if refusals < 6:
        assert locked_files.when_free(change, tmp_path / "file") == "done"
    else:
        with pytest.raises(PermissionError, match="Another program has the file open") as found:
            locked_files.when_free(change, tmp_path / "file")
        assert found.value.filename == str(tmp_path / "file")
    assert pauses == [0.01, 0.05, 0.2, 0.5, 1.0][:refusals]
    glances: list[float] = []
    monkeypatch.setattr("time.sleep", glances.append)
    left[0] = 2
    assert locked_files.when_free(change, tmp_path / "file", locked_files.GLANCE_PAUSES_S) == "done"
    assert glances == [0.01, 0.05]
