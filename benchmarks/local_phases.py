"""Local phases of an hour of mocap: seconds, memory, and the paper's evolution compared with the projection."""

from functools import partial
from itertools import cycle, islice
from time import perf_counter
from typing import Final

import numpy as np

from ..core.labelling import label_clip
from ..core.labelling.contacts.sensor_tracks import sensor_tracks
from ..core.labelling.phase.local_phases import LocalPhases, find_local_phases
from ..core.labelling.presets import LabellingPreset, find_preset
from ..core.motion import Clip
from ..core.motion.bvh import read_bvh
from ..core.motion.rotations import Array
from ..core.motion.signals import velocities
from .evolution_fit import evolve_sinusoids
from .labelling_rate import HOUR, RATE
from .machine import peak_megabytes
from .setup import Setup
from .stopwatch import median_seconds
from .tables import Part, table

TITLE = "Local phases"
SENSORS: Final = ("foot.L", "foot.R", "toe.L", "toe.R", "hand.R")
PIECE: Final = 3000
"""Frames for the evolution; both methods are compared on them."""
HAND_RESTS: Final = 0.6
"""Speed relative to the hips, m/s, below which a hand counts as in contact, so that hands have a phase, too."""


def measure(setup: Setup) -> list[Part]:
    """Return the section's tables."""
    contacts, speeds = _hour(setup)
    before, start = peak_megabytes(), perf_counter()
    find_local_phases(contacts, speeds, RATE)
    seconds, memory = perf_counter() - start, peak_megabytes() - before
    hour = table(
        ["an hour of", "frames at 60 Hz", "seconds", "peak memory beside the input, MB"],
        [[f"{len(SENSORS)} bones", HOUR, seconds, memory], ["reach", HOUR, 20, None]],
    )
    piece = contacts[:PIECE], speeds[:PIECE]
    evolved_from = perf_counter()
    evolved = find_local_phases(*piece, RATE, partial(evolve_sinusoids, generator=np.random.default_rng(0)))
    slow = perf_counter() - evolved_from
    projected = find_local_phases(*piece, RATE)
    fast = median_seconds(lambda: find_local_phases(*piece, RATE), 5)
    rows = [
        ["projection", PIECE / fast, slow / fast, _error(projected)],
        ["evolution", PIECE / slow, 1, _error(evolved)],
        ["reach", None, 300, "no higher"],
    ]
    methods = table(["method", "frames a second", "times as fast", "RMSE"], rows)
    bound = _bound(contacts, speeds)
    notes = (
        "Contacts and speeds of feet, toes and a hand of CMU walks, runs, boxing and sword play, strung together.\n"
        "The RMSE is that of equation 4, in the unit of the normalised signal, mean over frames and bones. Evolution:\n"
        f"population 50, elites 5, 10 generations, descents of 10 steps of L-BFGS-B, on the first {PIECE} frames.\n"
        f"Reading the input and writing the results once takes {bound:.2f} s an hour: the projection is bound by its\n"
        "arithmetic, 67 frequencies for every frame and bone and a golden section between the best of them."
    )
    return [hour, methods, notes]


def _hour(setup: Setup) -> tuple[Array, Array]:
    """Return the contacts and speeds (F, 5) of an hour of mocap."""
    preset = find_preset("interaction")
    files = [*islice(setup.clips("walk"), 20), *islice(setup.clips("run"), 10), *setup.clips("boxing", "sword")]
    parts = [_signals(read_bvh(file).resampled(RATE), preset) for file in files]
    contacts: list[Array] = []
    speeds: list[Array] = []
    frames = 0
    for contact, speed in cycle(parts):
        contacts.append(contact)
        speeds.append(speed)
        frames += len(contact)
        if frames >= HOUR:
            return np.concatenate(contacts)[:HOUR], np.concatenate(speeds)[:HOUR]
    raise AssertionError("a cycle has no end")


def _signals(clip: Clip, preset: LabellingPreset) -> tuple[Array, Array]:
    columns = [preset.sensor_names.index(name) for name in SENSORS]
    tracks = sensor_tracks(clip, preset)[:, columns]
    contacts = label_clip(clip, preset).contacts_of(SENSORS)
    about = np.linalg.norm(velocities(tracks[:, -1] - clip.positions[:, 0], clip.rate), axis=-1)
    contacts[:, -1] = about < HAND_RESTS
    return contacts, np.linalg.norm(velocities(tracks, clip.rate), axis=-1)


def _error(found: LocalPhases) -> float:
    return float(found.rmse.mean())


def _bound(contacts: Array, speeds: Array) -> float:
    """Return the seconds of reading contacts and speeds and writing the vectors and five arrays of the fit."""
    copies = [contacts, speeds, *[contacts] * 7]
    return median_seconds(lambda: [array.copy() for array in copies], 5)
