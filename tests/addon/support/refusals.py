"""What operators and functions say when they refuse."""

from collections.abc import Callable

import pytest

from footfall.core.errors import FootfallError


def refusal_of(operator: Callable[..., object], **options: object) -> str:
    """What an operator reports as an error; called from Python, Blender raises it."""
    with pytest.raises(RuntimeError) as refusal:
        operator(**options)
    return str(refusal.value)


def refused(call: Callable[..., object], *arguments: object) -> str:
    """The sentence with which a function refuses its arguments."""
    with pytest.raises(FootfallError) as refusal:
        call(*arguments)
    return str(refusal.value)
