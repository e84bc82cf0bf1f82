"""Runs the functions named ``check_...`` of a script, each in an empty file; the exit code says whether all held."""

import traceback
from collections.abc import Callable, Mapping

import bpy


def run_checks(namespace: Mapping[str, object]) -> None:
    """Runs every check, prints a line for each, and leaves with the number of those that failed."""
    failed = 0
    checks: list[Callable[[], None]] = [
        value for name, value in namespace.items() if name.startswith("check_") and callable(value)
    ]
    for check in checks:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        try:
            check()
            print("ok    ", check.__name__, flush=True)
        except Exception:
            failed += 1
            print("FAILED", check.__name__, flush=True)
            traceback.print_exc()
    raise SystemExit(failed)


def refusal_of(operator: Callable[[], object]) -> str:
    """What an operator reports as an error; called from Python, Blender raises it."""
    try:
        result = operator()
    except RuntimeError as error:
        return str(error)
    raise AssertionError(f"was not refused but {result}")
