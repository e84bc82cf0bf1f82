"""Cached results, dropped when the data of the open file may have changed."""

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

import bpy
from bpy.app.handlers import persistent

Result = TypeVar("Result")

_memos: "WeakSet[Memo[Any]]" = WeakSet()


class Memo(Generic[Result]):
    """The last results of a computation by their keys, in order of creation.

    All are dropped on undo, redo and load, which may bring back a key with other data.

    Args:
        size: largest number of results; the oldest one is dropped for a new one.
        until_update: whether any change of the scene drops the results, too.
    """

    def __init__(self, size: int = 1, until_update: bool = False) -> None:
        self.size = size
        self.until_update = until_update
        self._results: dict[Hashable, Result] = {}
        _memos.add(self)

    def get(self, key: Hashable, make: Callable[[], Result]) -> Result:
        """Return the result for a key, cached if possible.

        Args:
            key: all inputs of the result.
            make: function that computes the result; its errors are passed on and not cached.
        """
        if key not in self._results:
            result = make()
            while len(self._results) >= self.size:
                del self._results[next(iter(self._results))]
            self._results[key] = result
        return self._results[key]

    def clear(self) -> None:
        """Drop all results."""
        self._results.clear()


@persistent
def clear_all(*_: object) -> None:
    """Drop the results of all memos."""
    for memo in _memos:
        memo.clear()


@persistent
def _on_depsgraph_update(*_: object) -> None:
    for memo in _memos:
        if memo.until_update:
            memo.clear()


def invalidating_handlers() -> tuple[list, ...]:
    """Return Blender's handler lists for events that may change the data of the open file."""
    handlers = bpy.app.handlers
    return handlers.undo_post, handlers.redo_post, handlers.load_post


def register() -> None:
    """Register handlers that clear all memos."""
    for handlers in invalidating_handlers():
        handlers.append(clear_all)
    bpy.app.handlers.depsgraph_update_post.append(_on_depsgraph_update)


def unregister() -> None:
    """Undo :func:`register` and clear all memos."""
    bpy.app.handlers.depsgraph_update_post.remove(_on_depsgraph_update)
    for handlers in invalidating_handlers():
        handlers.remove(clear_all)
    clear_all()
