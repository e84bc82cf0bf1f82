"""All code that depends on Blender."""

from ..core.jobs.own_environment import use_one_blas_thread

use_one_blas_thread()  # before numpy and scipy are loaded

from .registration import register, unregister  # noqa: E402

__all__ = ["register", "unregister"]
