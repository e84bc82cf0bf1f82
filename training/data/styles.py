"""Styles: gaits of a controller that are assigned to whole clips, not detected."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ...core.errors import FootfallError
from ...core.features.locomotion import network_gait_labels, network_gaits
from ...core.labelling import Labels

STYLE_NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}")


def check_style(name: str, gaits: Sequence[str]) -> None:
    """Raise :class:`FootfallError` if a style cannot be added to a controller with the given gaits."""
    if not STYLE_NAME_PATTERN.fullmatch(name):
        raise FootfallError(
            "'{name}' is not a valid name of a style: use up to 32 small letters, digits, '-' and '_', "
            "beginning with a letter",
            name=name,
        )
    if name in gaits:
        raise FootfallError(
            "The controller already has a gait '{name}': choose another name for the new style", name=name
        )


def convert_gaits(labels: Labels, gaits: Sequence[str], style: str = "") -> Labels:
    """Return labels converted to the gaits of a controller.

    Args:
        labels: the labels of a clip.
        gaits: names of the controller's gaits, in order.
        style: gait given to every frame, standing included; empty keeps the labels' gaits.

    Raises:
        FootfallError: the labels have a gait unknown to the controller.
    """
    shares = np.zeros((len(labels), len(gaits)))
    if style:
        shares[:, gaits.index(style)] = 1.0
    else:
        for name, column in zip(network_gaits(labels.gait_names), network_gait_labels(labels).T, strict=True):
            if name not in gaits:
                raise FootfallError(
                    "The labels contain the gait '{name}', but the controller only knows {names}: give a "
                    "controller that knows it, or label the clip again",
                    name=name,
                    names=", ".join(gaits),
                )
            shares[:, gaits.index(name)] = column
    return replace(labels, gait_names=tuple(gaits), gaits=shares)
