"""Lines for the user: progress and errors."""

from __future__ import annotations


class BuildError(Exception):
    """An error with a message for the user that gives the cause and the remedy."""


def say(topic: str, text: str) -> None:
    print(f"[{topic}] {text}", flush=True)
