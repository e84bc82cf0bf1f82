"""Worker processes that always end with this process."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread


def start_pool(count: int) -> ProcessPoolExecutor:
    """Return a new pool of ``count`` worker processes.

    They are spawned, because a forked process inherits the threads and locks of its parent in any state. Only this
    process handles Ctrl+C. If it is killed, the workers end immediately: their results would be lost, and they must not
    interfere with the next run.
    """
    return ProcessPoolExecutor(count, get_context("spawn"), initializer=_initialize_worker)


def _initialize_worker() -> None:
    """Ignore Ctrl+C and watch the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit as soon as the parent process has ended."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
