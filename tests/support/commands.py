"""The commands that a network is told."""

from collections.abc import Callable

import pytest

from footfall.core.control.runtime.locomotion_runtime import LocomotionCommand, LocomotionRuntime


def next_command(
    runtime: LocomotionRuntime, advance: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> LocomotionCommand:
    """Return the command of the frame that is made by advancing."""
    told: list[LocomotionCommand] = []
    step = runtime.step

    def listen(command: LocomotionCommand, *others: object) -> object:
        told.append(command)
        return step(command, *others)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(runtime, "step", listen)
    advance()
    return told[0]
