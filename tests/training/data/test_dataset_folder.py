"""No build replaces or removes what none has made."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from footfall.core.errors import FootfallError
from footfall.training.data.build import build_dataset
from footfall.training.data.dataset_folder import require_dataset_folder
from footfall.training.data.manifest import DatasetError


@pytest.mark.parametrize("name", ["shards/walk/x.npy", "shards/a.partial", "takes/notes.txt", "manifest.json"])
def test_a_folder_of_something_else_is_refused_and_kept(name: str, walks: list[Path], tmp_path: Path) -> None:
    file, other = tmp_path / name, tmp_path / "shards" / "b" / "mine.txt"
    for path in (other, file):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("years of work")
    with pytest.raises(DatasetError, match="is not part of a Footfall data set: give a new or empty folder"):
        build_dataset(walks[:1], tmp_path, workers=1)
    assert file.read_text() == other.read_text() == "years of work"
    with pytest.raises(FootfallError, match="is not a folder but a file, or lies inside one"):
        build_dataset(walks[:1], file, workers=1)


def test_two_builds_at_once_do_not_destroy_each_other(walks: list[Path], tmp_path: Path) -> None:
    """Both failed in two of three pairs: each swept the other's unfinished shards."""
    program = "import sys; from pathlib import Path; from footfall.training.data.build import build_dataset; "
    program += "build_dataset([Path(sys.argv[1])], Path(sys.argv[2]), workers=1)"
    said: list[str] = []

    def start_another(done: int, total: int, name: str) -> None:
        if not said:
            command = [sys.executable, "-c", program, str(walks[0]), str(tmp_path)]
            said.append(subprocess.run(command, capture_output=True, text=True, check=False, timeout=240).stderr)

    assert len(build_dataset(walks[:1], tmp_path, workers=1, progress=start_another).clips) == 1
    assert f"Another process ({os.getpid()}) is using '{tmp_path}': wait until it ends" in said[0]


def test_a_killed_build_is_continued(tmp_path: Path) -> None:
    require_dataset_folder(tmp_path / "new")
    for name in ("shards/walk/shard.json", "shards/run.partial/x.npy", "takes/walk.npz"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    require_dataset_folder(tmp_path)
    (tmp_path / "manifest.json").write_text("damaged")
    require_dataset_folder(tmp_path)
