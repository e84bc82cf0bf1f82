"""Faults of training runs: each fault hits a run at a random moment, before the run is resumed."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from ..core.jobs.run_folder import ACTIVE_STATUSES, RunFolder
from .interrupted import (
    Bench,
    NotPossible,
    Outcome,
    Trainer,
    failed_with,
    unreadable_checkpoints,
    wait_until,
    was_interrupted,
)
from .starting_blender import StartingBlender

OFTEN: Final = "checkpoint_interval=0.5"
DISK_MEGABYTES: Final = 48

Fault = Callable[[Bench, RunFolder, np.random.Generator], list[Outcome]]
"""The results of a fault; several for one that strikes repeatedly."""


def killed_while_building(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Kill a run at a random moment during the build of its data set, in two processes."""
    with bench.begin(run, build=True) as trainer:
        trainer.wait_for(lambda: run.status() == "building", 0.01)
        moment = time.monotonic() + generator.uniform(0.0, bench.building)
        # Another build may be faster than the timed one: no later than its end.
        trainer.wait_for(lambda: time.monotonic() >= moment or run.status() != "building", 0.005)
        return [_killed(bench, run, trainer)]


def killed_in_frames(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Kill a run in the first stage."""
    return [_killed_at(bench, run, int(generator.integers(1, bench.frames)))]


def killed_in_windows(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Kill a run in the second stage."""
    return [_killed_at(bench, run, int(generator.integers(bench.frames, bench.total - 20)))]


def killed_while_saving(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Kill a run during the writing of a checkpoint, after a random step."""
    step = int(generator.integers(0, bench.total * 3 // 4))
    with bench.begin(run, "checkpoint_interval=0.02") as trainer:
        trainer.wait_for(lambda: trainer.steps >= step)
        trainer.wait_for(lambda: half_written(run), 0.0001)
        return [_killed(bench, run, trainer, aimed=True)]


def killed_again_and_again(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Kill a run three times in a row at random moments, including the start of Python."""
    outcomes: list[Outcome] = []
    for number in range(3):
        saved = bench.saved(run)
        begun = bench.go_on(run) if number else bench.begin(run, OFTEN, build=True)
        with begun as trainer:
            time.sleep(generator.uniform(0.0, 0.7 * bench.seconds))
            if not trainer.running:
                break
            trainer.kill()
            outcomes.append(Outcome(was_interrupted(run), 0, saved + trainer.steps - bench.saved(run), True, True))
    last = bench.outcome(run, bench.saved(run), True)
    return [Outcome(one.told, last.unreadable, one.lost, last.resumed, last.equal) for one in outcomes]


def torn_by_a_power_cut(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Damage the newest of two checkpoints and the end of the progress file, as after a power cut."""
    step = int(generator.integers(1, bench.total - 50))
    with bench.begin(run, OFTEN) as trainer:
        trainer.wait_for(lambda: trainer.steps >= step and len(run.checkpoints()) >= 2)
        trainer.kill()
        newest = run.checkpoints()[0]
        damage(newest, generator)
        with (run.path / "progress.jsonl").open("ab") as progress:
            progress.write(b'{"time": 17')
        if generator.random() < 0.5:
            damage(run.path / "state.json", generator)
        return [bench.outcome(run, trainer.steps, was_interrupted(run), torn=[newest])]


def lost_device(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Fail a step, as after the loss of the GPU."""
    with bench.begin(run, OFTEN, lost_at=int(generator.integers(1, bench.total))) as trainer:
        told = trainer.end() == 1 and failed_with(run, "The device stopped working")
        return [bench.outcome(run, trainer.steps, told)]


def full_disk(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Fill the disk during a training."""
    step = int(generator.integers(1, bench.total * 3 // 4))
    return [_on_a_full_disk(bench, run, generator, step)]


def full_disk_while_building(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Fill the disk during the build of a data set."""
    return [_on_a_full_disk(bench, run, generator, None)]


def killed_blender(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Kill the Blender that started the run; the trainer continues.

    The next Blender sees the run at work, then finished.
    """
    with StartingBlender(bench, run, OFTEN) as blender:
        blender.wait_for_a_moment(generator)
        blender.kill()
        during = blender.look()["before"]
        wait_until(lambda: not blender.trains, 0.05)
        told = during in (*ACTIVE_STATUSES, "finished") and blender.look()["before"] == "finished"
        finished = run.status() == "finished" and blender.steps == bench.total
        return [Outcome(told, len(unreadable_checkpoints(run)), 0, finished, finished and bench.is_equal(run))]


def killed_blender_and_trainer(bench: Bench, run: RunFolder, generator: np.random.Generator) -> list[Outcome]:
    """Kill Blender and the trainer, as in a crash of a machine; the next Blender finds the run and resumes it."""
    with StartingBlender(bench, run, OFTEN) as blender:
        blender.wait_for_a_moment(generator)
        blender.kill(trainer=True)
        unreadable, done, saved = len(unreadable_checkpoints(run)), blender.steps, bench.saved(run)
        seen = blender.look(resume=True)
        told, finished = seen["before"] == "interrupted", seen["after"] == "finished"
        finished = finished and saved + blender.steps == bench.total
        return [Outcome(told, unreadable, done - saved, finished, finished and bench.is_equal(run))]


def _killed_at(bench: Bench, run: RunFolder, step: int) -> Outcome:
    with bench.begin(run, OFTEN) as trainer:
        trainer.wait_for(lambda: trainer.steps >= step)
        return _killed(bench, run, trainer)


def _killed(bench: Bench, run: RunFolder, trainer: Trainer, aimed: bool = False) -> Outcome:
    trainer.kill()
    caught = aimed and half_written(run)
    return bench.outcome(run, trainer.steps, was_interrupted(run), caught=caught)


def half_written(run: RunFolder) -> bool:
    """Return whether a checkpoint is being written, or was when the trainer was killed."""
    return any((run.path / "checkpoints").glob(".*.part"))


def damage(path: Path, generator: np.random.Generator) -> None:
    """Truncate a file, or zero its end or a page within it, as after a power cut."""
    content = path.read_bytes()
    start = int(generator.integers(len(content)))
    end = [start, len(content), start + 4096][generator.integers(3)]
    zeros = bytes(len(content[start:end]))
    path.write_bytes(content[:start] + zeros + (content[end:] if end > start else b""))


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Mount a small disk in memory; raise :class:`NotPossible` if that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if os.name != "posix" or subprocess.run(mount, capture_output=True).returncode:
        raise NotPossible("a small disk can be mounted only by root")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _on_a_full_disk(bench: Bench, run: RunFolder, generator: np.random.Generator, step: int | None) -> Outcome:
    """Run on a disk that becomes full, from a step on or, without one, from a moment during the build on."""
    disk = bench.folder / f"{run.path.name}-disk"
    with small_disk(disk, DISK_MEGABYTES):
        run = RunFolder(disk / run.path.name)
        with bench.begin(run, OFTEN, build=step is None) as trainer:
            if step is not None:
                trainer.wait_for(lambda: trainer.steps >= step)
            else:
                trainer.wait_for(lambda: run.status() == "building", 0.01)
                time.sleep(generator.uniform(0.0, 0.8 * bench.building))
            while trainer.running:
                _fill(disk / "others", generator)
                time.sleep(0.3)
            told, done = trainer.end() == 1 and failed_with(run, "is full"), trainer.steps
            with bench.go_on(run) as refused:
                told = refused.end() == 1 and failed_with(run, "is full") and told
            (disk / "others").unlink()
            return bench.outcome(run, done, told)


def _fill(path: Path, generator: np.random.Generator) -> None:
    """Write to a file in pieces of up to a quarter of a megabyte until the disk is full.

    There is no pause: a short run would otherwise finish before its disk is full.
    """
    try:
        with path.open("ab", buffering=0) as file:
            while file.write(bytes(int(generator.integers(1, 1 << 18)))):
                pass
    except OSError:
        return
