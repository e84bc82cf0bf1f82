"""The commands under test: what they need, how they are run, and what must be whole afterwards."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from footfall.cli import main
from footfall.core.errors import FootfallError
from footfall.core.jobs.run_folder import RunFolder
from footfall.core.labelling.labels import Labels
from footfall.core.models.model_file import load_model
from footfall.core.motion.bvh import read_bvh, write_bvh
from footfall.core.terrain.patches import PatchDatabase
from footfall.tests.support.walker import Walker
from footfall.tools.build import command_line, releases
from footfall.tools.build.environments import BLENDERS
from footfall.tools.build.folders import SHARED
from footfall.tools.build.releases import CHECKSUMS_FILE, INDEX_FILE, checksum_lines
from footfall.tools.build.zips import write_zip

ROOT: Final = Path(__file__).resolve().parents[2]
CONTROLLER: Final = ROOT / "presets" / "controllers" / "locomotion_small.safetensors"
SIT: Final = SHARED / "data" / "mocap" / "cmu_asfamc" / "sit" / "14_32.bvh"
Results = Mapping[str, str]


@dataclass(frozen=True)
class Scenario:
    """A command that writes into a folder.

    Attributes:
        name: of the command.
        prepare: writes its inputs into a folder of their own.
        run: runs it in this process, from the inputs' folder into the output's, in its old or new version (0 or 1), and
            returns the exit code.
        results: digest of each part of the output that has to be whole, by name; raises :class:`FootfallError` for one
            that is damaged.
        resume: runs it again after a fault; the new version by default.
        has_old: whether it replaces what an earlier run has made.
        linked: whether the output is one file that the user names, so that a link there leads to what is replaced.
        seconds: that a run takes at most.
    """

    name: str
    prepare: Callable[[Path], object]
    run: Callable[[Path, Path, int], int]
    results: Callable[[Path], Results]
    resume: Callable[[Path, Path], int] | None = None
    has_old: bool = True
    linked: str = ""
    seconds: float = 120.0

    def again(self, inputs: Path, out: Path) -> int:
        """Run it after a fault, to its end."""
        return self.resume(inputs, out) if self.resume else self.run(inputs, out, 1)


def digest(*contents: bytes) -> str:
    return hashlib.sha256(b"".join(contents)).hexdigest()[:16]


def digests(folder: Path, pattern: str) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): digest(path.read_bytes()) for path in sorted(folder.glob(pattern))}


def _command(*words: object) -> int:
    return main([*(str(word) for word in words), "--quiet"])


# --- Walks, labels and patches


def _paths(inputs: Path) -> None:
    for version in (0, 1):
        (inputs / f"{version}.csv").write_text(f"0, 0\n{0.5 + version / 2}, 0\n")


def _walk(inputs: Path, out: Path, version: int) -> int:
    return _command("walk", "--controller", CONTROLLER, "--path", inputs / f"{version}.csv", "--out", out / "walk.bvh")


def _walks(out: Path) -> Results:
    if (out / "walk.bvh").exists():
        read_bvh(out / "walk.bvh")
    return digests(out, "walk.bvh")


def _clips(inputs: Path) -> None:
    for version in (0, 1):
        (inputs / str(version)).mkdir()
        for number, name in enumerate(("first", "second")):
            walker = Walker(seconds=2.0, speed=0.9 + 0.1 * version, turn=0.2 * number)
            write_bvh(inputs / str(version) / f"{name}.bvh", walker.clip())


def _label(inputs: Path, out: Path, version: int) -> int:
    return _command("label", inputs / str(version), "--out", out, "--jobs", 1)


def _labels(out: Path) -> Results:
    for file in out.glob("*.npz"):
        Labels.load(file)
    if (out / "report.json").exists():
        json.loads((out / "report.json").read_text())
    return {**digests(out, "*.npz"), **digests(out, "report.*")}


def _make_patches(inputs: Path, out: Path, version: int) -> int:
    return _command("make-patches", "--out", out, "--count", 8, "--seed", version)


def _patches(out: Path) -> Results:
    if not (out / "patches.json").exists():
        return {}
    heights = PatchDatabase.open(out).heights
    return {"patches": digest(heights.tobytes(), (out / "patches.json").read_bytes())}


# --- Data sets, training and what is made from them


def _dataset(inputs: Path, out: Path, version: int) -> int:
    return _command("make-dataset", inputs / str(version), "--out", out, "--jobs", 1)


def _datasets(out: Path) -> Results:
    from footfall.training.data.dataset import Dataset

    if not (out / "manifest.json").exists():
        return {}
    dataset = Dataset.open(out)
    samples = [array.tobytes() for clip in dataset.clips for array in dataset.samples(clip)]
    return {"data set": digest(*samples, (out / "manifest.json").read_bytes())}


SETTINGS: Final = ("hidden=8", "batch=64", "epochs=2", "unroll_epochs=1", "unroll_steps=3", "settle_share=0")
TINY: Final = tuple(
    word
    for setting in (*SETTINGS, "rollouts=0", "threads=1", "checkpoint_interval=0", "device=cpu")
    for word in ("--set", setting)
)


def _made_dataset(inputs: Path) -> None:
    _clips(inputs)
    assert _dataset(inputs, inputs / "set", 0) == 0


def _train(inputs: Path, out: Path, version: int) -> int:
    return _command("train", "--dataset", inputs / "set", "--run", out, *TINY)


def _resume(inputs: Path, out: Path) -> int:
    run = RunFolder(out)
    if run.status() == "finished":
        return 0
    return _command("train", "--resume", out) if run.config_path.exists() else _train(inputs, out, 1)


def _run(out: Path) -> Results:
    run = RunFolder(out)
    if not run.model_path.exists():
        return {}
    return {"model": digest(*(tensor.tobytes() for _, tensor in sorted(load_model(run.model_path).tensors.items())))}


def _trained(inputs: Path) -> None:
    _made_dataset(inputs)
    assert _train(inputs, inputs / "run", 0) == 0


def _export(inputs: Path, out: Path, version: int) -> int:
    return _command("export", inputs / "run", "--out", out / "model.safetensors")


def _exported(out: Path) -> Results:
    if (out / "model.safetensors").exists():
        load_model(out / "model.safetensors")
    return digests(out, "model.safetensors")


def _interactions(inputs: Path, out: Path, version: int) -> int:
    return _command("make-interactions", SIT, "--out", out, "--count", 2, "--seed", version, "--jobs", 1)


# --- A release


def _release(_inputs: Path, out: Path, version: int) -> int:
    """Release two small zips instead of those that only Blender can list."""

    def package(platform_name: str, python_version: str, folder: Path) -> Path:
        target = folder / f"footfall-1-{platform_name}-py{python_version}.zip"
        write_zip(target, {"version.txt": str(version).encode()})
        return target

    def write_index(folder: Path, _blender_version: str) -> None:
        (folder / INDEX_FILE).write_text(json.dumps({"version": version}))

    kept = releases.package, releases.write_index, releases.set_up_a_blender
    releases.package, releases.write_index = package, write_index
    releases.set_up_a_blender = lambda: ("5.2", BLENDERS["5.2"])
    try:
        return command_line.main(["release", "--out", str(out), "--platform", "linux-x64"])
    finally:
        releases.package, releases.write_index, releases.set_up_a_blender = kept


def _releases(out: Path) -> Results:
    files = digests(out, "footfall-*.zip") | digests(out, CHECKSUMS_FILE) | digests(out, INDEX_FILE)
    if not files:
        return {}
    sums = out / CHECKSUMS_FILE
    if not sums.exists() or sums.read_text() != checksum_lines(list(out.glob("*.zip"))):
        raise FootfallError("The check sums are not those of the zips")
    return {"release": digest(*(name.encode() + value.encode() for name, value in sorted(files.items())))}


SCENARIOS: Final = (
    Scenario("walk", _paths, _walk, _walks, linked="walk.bvh"),
    Scenario("label", _clips, _label, _labels),
    Scenario("make-patches", lambda inputs: None, _make_patches, _patches),
    Scenario("make-dataset", _clips, _dataset, _datasets),
    Scenario("train", _made_dataset, _train, _run, _resume, has_old=False),
    Scenario("export", _trained, _export, _exported, has_old=False, linked="model.safetensors"),
    Scenario("release", lambda inputs: None, _release, _releases),
    *((Scenario("make-interactions", lambda inputs: None, _interactions, _datasets),) if SIT.is_file() else ()),
)
