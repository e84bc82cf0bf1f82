"""A data set with some blinded inputs, for networks without them."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Final

from ..training.data.dataset import Dataset

NOTHING: Final = 1e9
"""A deviation so large that every normalized input becomes zero."""


def blinded(dataset: Path, groups: Collection[str], out: Path) -> Path:
    """Return the same samples in another folder; networks trained on it see zeros in some groups of x.

    These groups are divided by an extremely large deviation, which is part of the controller: zeros in training remain
    zeros in roll-outs.
    """
    known = Dataset.open(dataset)
    x_std = known.normalization.x_std.copy()
    for name in groups:
        x_std[known.input_layout.slices[name]] = NOTHING
    normalisation = {**known.manifest["normalisation"], "x_std": x_std.tolist()}
    out.mkdir(parents=True)
    (out / "shards").symlink_to((dataset / "shards").resolve(), target_is_directory=True)
    (out / "manifest.json").write_text(json.dumps({**known.manifest, "normalisation": normalisation}))
    return out
