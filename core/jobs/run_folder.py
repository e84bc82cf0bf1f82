"""The run folder: the contract between Blender, which starts, watches and stops a training run, and the run itself.

====================== ================================================================================================
``config.toml`` the run's settings ``state.json`` its process, start time, status and error ``progress.jsonl`` one JSON
object per report, only ever appended to ``log.txt`` the log for people ``checkpoints/`` written under a temporary name,
then renamed; the newest two are kept, and ``best`` beside them ``model.safetensors`` the controller
``origin.safetensors`` copy of the controller that the run starts from; and ``replay/``, its rehearsal data ``STOP`` its
presence requests the run to save and end ======================
================================================================================================

Every file is either the old or the new version, never a mixture, and can be read at any time.
"""

import json
import os
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from ..errors import FootfallError
from .atomic import is_disk_full, remove_abandoned_parts, write_atomically
from .bounded_files import ContentError, open_regular, parse_json, read_bytes, read_json_object
from .folder_lock import has_lock_file, lock_folder
from .locked_files import GLANCE_PAUSES_S, discard, remove_when_free, when_free
from .process import start_stamp
from .replacing import holds_something

Status = Literal["starting", "building", "running", "stopping", "stopped", "finished", "failed"]

STATUSES: Final = ("starting", "building", "running", "stopping", "stopped", "finished", "failed")
"""All statuses of a run."""
LAST_STATUSES: Final = ("stopped", "finished", "failed")
"""Statuses of a run that has ended."""
ACTIVE_STATUSES: Final = frozenset({"starting", "building", "running", "stopping"})
"""Statuses of a run in progress."""
CHECKPOINTS_TO_KEEP: Final = 2
"""Number of newest checkpoints to keep."""
DISK_RESERVE_BYTES: Final = 1 << 16
"""Size of the file that is deleted on a full disk to make room for the last status."""

RESULT_NAMES: Final = (
    *("config.toml", "state.json", "progress.jsonl", "STOP", ".reserve", "checkpoints"),
    *("model.safetensors", "origin.safetensors", "replay", "phases"),
)
"""Files and folders that a run replaces or removes; ``dataset/`` is checked by its builder."""
MAX_PID: Final = 2**31 - 1
"""Largest process id."""
MAX_PROGRESS_BYTES: Final = 1 << 24
"""Largest number of bytes of ``progress.jsonl`` read together."""


class RunFolderError(FootfallError):
    """A run folder that cannot be used: it is not a run's, is in use, or cannot be written."""


@dataclass(frozen=True, slots=True)
class RunState:
    """The content of ``state.json``.

    Attributes:
        status: one of :data:`STATUSES`.
        pid: id of the training process.
        process: start stamp that distinguishes this process from later ones with the same id.
        started: start time, seconds since 1970.
        error: one sentence, if the status is ``"failed"``.
    """

    status: Status
    pid: int
    process: str
    started: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Folder of one training run; ``path`` need not exist before :meth:`begin`."""

    path: Path

    @property
    def config_path(self) -> Path:
        """``config.toml``: the run's settings."""
        return self.path / "config.toml"

    @property
    def log_path(self) -> Path:
        """``log.txt``: the human-readable log."""
        return self.path / "log.txt"

    @property
    def model_path(self) -> Path:
        """``model.safetensors``: the trained controller."""
        return self.path / "model.safetensors"

    @property
    def dataset_path(self) -> Path:
        """``dataset/``: the data set built from the run's clips."""
        return self.path / "dataset"

    @property
    def origin_path(self) -> Path:
        """``origin.safetensors``: a copy of the controller that the run starts from."""
        return self.path / "origin.safetensors"

    @property
    def replay_path(self) -> Path:
        """``replay/``: rehearsal data, rolled out by the controller that the run starts from."""
        return self.path / "replay"

    @property
    def _state_path(self) -> Path:
        """``state.json``: process, start time, status and error of the run."""
        return self.path / "state.json"

    @property
    def _progress_path(self) -> Path:
        """``progress.jsonl``: one report per line."""
        return self.path / "progress.jsonl"

    @property
    def _stop_path(self) -> Path:
        """``STOP``: requests the run to end."""
        return self.path / "STOP"

    @property
    def _disk_reserve_path(self) -> Path:
        """``.reserve``: space that is freed on a full disk."""
        return self.path / ".reserve"

    # Reading, by any process.

    def read_state(self) -> RunState | None:
        """Return the content of ``state.json``; ``None`` if it is missing or damaged."""
        try:
            data = when_free(lambda: read_json_object(self._state_path), self._state_path, GLANCE_PAUSES_S)
            state = RunState(
                data["status"], int(data["pid"]), str(data["process"]), float(data["started"]), str(data["error"])
            )
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            return None
        return state if state.status in STATUSES and 0 <= state.pid <= MAX_PID else None

    def is_alive(self) -> bool:
        """Return whether the process named in ``state.json`` still runs."""
        state = self.read_state()
        return state is not None and bool(state.process) and start_stamp(state.pid) == state.process

    def status(self) -> str:
        """Return the run's status, corrected if its process has ended without writing one.

        It is ``"interrupted"`` if ``state.json`` says that the run is active but its process is gone, or if a run has
        no readable state; it is ``"none"`` if there is no run.
        """
        state = self.read_state()
        if state is None:
            return "interrupted" if self.config_path.exists() else "none"
        return "interrupted" if state.status in ACTIVE_STATUSES and not self.is_alive() else state.status

    def read_progress(self, after_byte: int = 0) -> tuple[list[dict[str, Any]], int]:
        """Return the reports in ``progress.jsonl`` after a byte position, and the position for the next call.

        An unfinished line is left for the next call; a line cut off by a crash is skipped. If the file has become
        shorter (a new run in the same folder), reading restarts at its beginning.
        """
        try:
            with open_regular(self._progress_path) as file:
                size = file.seek(0, os.SEEK_END)
                start = after_byte if 0 <= after_byte <= size else 0
                file.seek(start)
                data = file.read(MAX_PROGRESS_BYTES)
        except (OSError, ContentError):
            return [], 0
        whole = data if len(data) == MAX_PROGRESS_BYTES and b"\n" not in data else data[: data.rfind(b"\n") + 1]
        reports = [report for line in whole.splitlines() if (report := _parse_report(line)) is not None]
        return reports, start + len(whole)

    def checkpoints(self) -> list[Path]:
        """Return the paths of the checkpoints, the newest first."""
        return sorted((self.path / "checkpoints").glob("step-*.pt"), reverse=True)

    @property
    def best_checkpoint(self) -> Path:
        """``checkpoints/best.pt``: the network with the best result on the held-out clips."""
        return self.path / "checkpoints" / "best.pt"

    @property
    def periodic_checkpoint(self) -> Path:
        """``checkpoints/periodic.pt``: the autoencoder of a run that learns phases from motion."""
        return self.path / "checkpoints" / "periodic.pt"

    def request_stop(self) -> None:
        """Request the run to save its state and end, by creating ``STOP``."""
        if not self.path.is_dir():
            raise RunFolderError("There is no training run in '{path}' to stop", path=self.path)
        self._stop_path.touch()

    def stop_requested(self) -> bool:
        """Return whether the run has been requested to end."""
        return self._stop_path.exists()

    # Writing, by the run itself.

    def begin(self, config: str, discard_results: bool = False) -> None:
        """Start a run in the folder: create it, write the status ``"starting"`` and ``config.toml``.

        Args:
            config: the text of ``config.toml``.
            discard_results: whether to remove the results of an earlier run; this happens between the two writes, so
                that even after an interruption ``config.toml`` and the remaining results belong to the same run.

        Raises:
            RunFolderError: another process is working in the folder, it contains files that are not a run's, or the
                disk is full.
        """
        self._make_folder()
        state = self.read_state()
        if state and state.pid != os.getpid() and state.status in ACTIVE_STATUSES and self.is_alive():
            raise RunFolderError(
                "Another training run (process {pid}) is using '{path}': stop it first", pid=state.pid, path=self.path
            )
        remove_when_free(self._stop_path)
        remove_abandoned_parts(self.path)
        remove_abandoned_parts(self.path / "checkpoints")
        for linked in filter(Path.is_symlink, (self.log_path, self._progress_path, self._disk_reserve_path)):
            linked.unlink()
        try:
            self._disk_reserve_path.write_bytes(bytes(DISK_RESERVE_BYTES))
            self._write_state_file(RunState("starting", os.getpid(), start_stamp(os.getpid()) or "", time.time()))
            if discard_results:
                self.clear_results()
            write_atomically(self.config_path, config.encode(), follow_links=False)
        except OSError as error:
            discard(self._disk_reserve_path)
            if not is_disk_full(error):
                raise
            sentence = self._disk_full_message()
            self._write_final_state("failed", sentence)
            raise RunFolderError(sentence) from error

    def _make_folder(self) -> None:
        """Create the folder if it does not exist; raise :class:`RunFolderError` if no run can use it."""
        try:
            self._require_own()
            (self.path / "checkpoints").mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise RunFolderError(
                "'{path}' cannot be used as a run folder: choose another one", path=self.path
            ) from error

    def _require_own(self) -> None:
        """Raise :class:`RunFolderError` if the run would replace files that are not a run's."""
        found = next((name for name in RESULT_NAMES if holds_something(self.path / name)), None)
        if found and not (self.read_state() or has_lock_file(self.path) or self._has_run_config()):
            raise RunFolderError(
                "'{path}' contains '{name}', which is not from a training run: give a new folder for the run",
                path=self.path,
                name=found,
            )

    def _has_run_config(self) -> bool:
        """Return whether ``config.toml`` is the configuration of a run."""
        try:
            text = read_bytes(self.config_path)
        except (OSError, ContentError):
            return False
        return not text.strip() or (b"[data]" in text and b"[training]" in text)

    def write_state(self, status: Status, error: str = "") -> None:
        """Write a status to ``state.json``, with this process as the training process; ``error`` is one sentence."""
        if status in LAST_STATUSES:
            # a run that is killed right afterwards has none left
            discard(self._disk_reserve_path)
        state = self.read_state()
        started = state.started if state and state.pid == os.getpid() else time.time()
        self._write_state_file(RunState(status, os.getpid(), start_stamp(os.getpid()) or "", started, error))

    def _write_state_file(self, state: RunState) -> None:
        """Write a state to ``state.json``."""
        write_atomically(self._state_path, json.dumps(asdict(state)).encode(), follow_links=False)

    def append_progress(self, report: Mapping[str, Any]) -> None:
        """Append a report to ``progress.jsonl``, with the current time as ``time``, seconds since 1970."""
        line = json.dumps({"time": round(time.time(), 3), **report}, allow_nan=False).encode() + b"\n"
        with when_free(lambda: self._progress_path.open("ab+"), self._progress_path) as file:
            if file.seek(0, os.SEEK_END) and not _ends_with_newline(file):
                line = b"\n" + line
            file.write(line)

    def log(self, text: str) -> None:
        """Append one line, with the time before it, to ``log.txt``."""
        with when_free(lambda: self.log_path.open("ab"), self.log_path) as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n".encode("utf-8", "backslashreplace"))

    def save_checkpoint(self, step: int, data: bytes) -> Path:
        """Write the checkpoint of a training step and return its path; keep only the newest two up to this step.

        Checkpoints of later steps are removed as damaged, since otherwise the run would have continued from them. Files
        that another program has open are removed next time.

        Raises:
            OSError: the checkpoint cannot be written; the existing ones are untouched.
        """
        path = self.path / "checkpoints" / f"step-{step:010d}.pt"
        write_atomically(path, data, follow_links=False)
        here = (found := self.checkpoints()).index(path)
        for other in [*found[:here], *found[here + CHECKPOINTS_TO_KEEP :]]:
            discard(other)
        return path

    def save_best(self, data: bytes) -> None:
        """Write ``checkpoints/best.pt``: the network with the best result on the held-out clips.

        Raises:
            OSError: the file cannot be written; the existing one is untouched.
        """
        write_atomically(self.best_checkpoint, data, follow_links=False)

    def clear_results(self) -> None:
        """Remove the results of an earlier run: checkpoints, progress and model; keep the data set."""
        checkpoints = [*self.checkpoints(), self.best_checkpoint, self.periodic_checkpoint]
        for path in [*checkpoints, self._progress_path, self.model_path, self.origin_path]:
            remove_when_free(path)

    @contextmanager
    def run_session(self, config: str, discard_results: bool = False) -> Iterator[None]:
        """Context manager that locks the folder and begins the run; writes a final status if its body fails.

        The status is ``"stopped"`` after a keyboard interrupt and ``"failed"`` after an error, which is raised again (a
        full disk as a :class:`RunFolderError`). A small reserve file makes room for the status on a full disk. The body
        itself writes the status of a successful end with :meth:`write_state`.
        """
        self._make_folder()
        with lock_folder(self.path):
            self.begin(config, discard_results)
            with self._final_state():
                yield

    @contextmanager
    def _final_state(self) -> Iterator[None]:
        """Write the final status if the body ends with an error."""
        try:
            yield
        except KeyboardInterrupt:
            self._write_final_state("stopped")
            raise
        except (OSError, FootfallError) as error:
            if is_disk_full(error):
                sentence = self._disk_full_message()
                self._write_final_state("failed", sentence)
                raise RunFolderError(sentence) from error
            is_known = isinstance(error, FootfallError)
            self._write_final_state(
                "failed", str(error) if is_known else f"The run could not read or write a file: {error}."
            )
            raise
        except BaseException as error:
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            self._write_final_state("failed", f"The run ended unexpectedly ({what}): see log.txt.")
            with suppress(OSError):
                self.log(traceback.format_exc())
            raise
        finally:
            discard(self._disk_reserve_path)

    def _write_final_state(self, status: Status, error: str = "") -> None:
        """Write the final status; if even this fails, readers will see ``"interrupted"``."""
        with suppress(OSError):
            self.write_state(status, error)

    def _disk_full_message(self) -> str:
        """Return the sentence about a full disk."""
        go_on = "resume the run" if self.config_path.exists() else "start the run again"
        safe = "; its last checkpoint is safe" if self.checkpoints() else ""
        return f"The disk of '{self.path}' is full: free space and {go_on}{safe}."


def _parse_report(line: bytes) -> dict[str, Any] | None:
    """Return the report that a line contains; ``None`` if the line is not a report."""
    if not line.startswith(b"{"):  # skips megabytes of other lines immediately
        return None
    try:
        report = parse_json(line)
    except ContentError:
        return None
    return report if isinstance(report, dict) else None


def _ends_with_newline(file: BinaryIO) -> bool:
    """Return whether a file ends with a complete line."""
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"
