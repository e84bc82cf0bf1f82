"""Environment variables of this process and of those that it starts; set before numpy is loaded."""

import os
from typing import Final

THREAD_VARIABLES: Final = ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Variables of the number of threads of a matrix product, by library; torch has its own."""


def use_one_blas_thread() -> None:
    """Let each matrix product take one thread, unless the user has said how many.

    The products of one character are small: beside other work, threads that wait for each other made a walk ten times
    as slow, and their number changes the last bits of the result.
    """
    for name in THREAD_VARIABLES:
        os.environ.setdefault(name, "1")


def import_from_no_working_folder() -> None:
    """Keep the Pythons that this process starts from importing modules of the folder in which they work."""
    os.environ["PYTHONSAFEPATH"] = "1"
