"""Environment variables of this process and its children; set before numpy is loaded."""

import os
from typing import Final

THREAD_VARIABLES: Final = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Environment variables that set the thread count of OpenBLAS and Accelerate; torch has its own."""


def use_one_blas_thread() -> None:
    """Limit numpy's matrix products to one thread, unless the user has set a number of threads.

    A character's matrices are small: on a busy machine, threads waiting for each other made a walk ten times slower,
    and the number of threads changes the last bits of the result.
    """
    for name in THREAD_VARIABLES:
        os.environ.setdefault(name, "1")


def import_from_no_working_folder() -> None:
    """Keep child Python processes from importing modules from their working folder."""
    os.environ["PYTHONSAFEPATH"] = "1"
