"""Environment variables of this process and its children; set before numpy is loaded."""

import os
from typing import Final

THREAD_VARIABLES: Final = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Variables for the number of threads of a matrix product, by library; torch has its own."""


def use_one_blas_thread() -> None:
    """Limit each matrix product to one thread, unless the user has set a number.

    The products of one character are small: with other work on the machine, threads that wait for each other made a
    walk ten times slower, and their number changes the last bits of the result.
    """
    for name in THREAD_VARIABLES:
        os.environ.setdefault(name, "1")


def import_from_no_working_folder() -> None:
    """Keep Python processes that this process starts from importing modules from their working folder."""
    os.environ["PYTHONSAFEPATH"] = "1"
