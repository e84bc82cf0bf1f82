"""Processes that work for this one, and end with it however it ends."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread


def start_pool(count: int) -> ProcessPoolExecutor:
    """Return a pool of so many processes.

    They are spawned, since a forked process inherits whatever threads and locks its parent happens to hold. Ctrl+C is
    this process's to answer. Where it is killed they end at once: nobody would take their work, and whoever begins it
    again must not meet them at it.
    """
    return ProcessPoolExecutor(count, get_context("spawn"), initializer=_initialise_worker)


def _initialise_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
