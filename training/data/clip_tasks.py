"""Tasks that are run for each clip, in parallel processes."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ...core.errors import FootfallError, unknown_failure
from ...core.jobs.pool import start_pool
from ..config.reporting import ProgressCallback
from .manifest import DatasetError

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _SkippedClip:
    """The reason why a clip is unusable."""

    reason: str


def run_clip_tasks(
    pool: ProcessPoolExecutor | None,
    task: Callable[[Path], Result],
    files: Sequence[Path],
    skipped: dict[Path, str],
    progress: ProgressCallback,
    progress_offset: tuple[int, int],
) -> dict[Path, Result]:
    """Run a task for each file and return the results by file, in the order of the files.

    Args:
        pool: worker processes; ``None`` runs the tasks in this process.
        task: function of a clip's path; must be picklable for a pool.
        files: the clips.
        skipped: dictionary that receives the reason for each clip whose task fails.
        progress: called after each clip with finished steps, total steps and the clip's name.
        progress_offset: number of steps finished before these tasks, and total number of steps.

    Raises:
        DatasetError: a process was killed.
        OSError: a file cannot be written.
    """
    results: dict[Path, Result] = {}
    for count, (path, result) in enumerate(_iter_results(pool, task, files), start=1):
        if isinstance(result, _SkippedClip):
            skipped[path] = result.reason
        else:
            results[path] = result
        progress(progress_offset[0] + count, progress_offset[1], path.name)
    return {path: results[path] for path in files if path in results}


def _try_task(task: Callable[[Path], Result], path: Path) -> Result | _SkippedClip:
    """Run a task; return its failure as data, since a pickled exception may lose its arguments."""
    try:
        return task(path)
    except FootfallError as error:
        return _SkippedClip(str(error))
    except (OSError, MemoryError):  # Failure of the machine, not of the clip.
        raise
    except Exception as error:  # A faulty clip must not end the build of all others.
        return _SkippedClip(unknown_failure(error))


def _iter_results(
    pool: ProcessPoolExecutor | None, task: Callable[[Path], Result], files: Sequence[Path]
) -> Iterator[tuple[Path, Result | _SkippedClip]]:
    """Yield each file with its result, in the order of completion."""
    if pool is None:
        yield from ((path, _try_task(task, path)) for path in files)
        return
    # Long clips first, so that no process runs alone at the end.
    ordered = sorted(files, key=lambda path: -path.stat().st_size if path.exists() else 0)
    try:
        waiting = {pool.submit(_try_task, task, path): path for path in ordered}
        for future in as_completed(waiting):
            yield waiting[future], future.result()
    except BrokenProcessPool as error:
        raise DatasetError(
            "A process that was building the data set was killed, probably because memory ran out: try again "
            "with fewer workers. Finished parts are kept"
        ) from error


@contextmanager
def clip_task_pool(workers: int | None, task_count: int) -> Iterator[ProcessPoolExecutor | None]:
    """Open a pool of worker processes for a number of tasks; yield ``None`` if one process is enough.

    ``workers`` is the number of processes; ``None`` for one per core.
    """
    count = min(workers or os.cpu_count() or 1, task_count)
    if count <= 1:
        yield None
        return
    pool = start_pool(count)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
