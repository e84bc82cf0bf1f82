"""Variety of bodies: pose at rest, proportions, size."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Variety:
    """One of many bodies.

    Attributes:
        arms: angle of the arms below the horizontal, degrees: 0 is a T-pose, 45 an A-pose.
        legs, arm_length, trunk, head, feet, width: factors of an average body's measures.
        spread: spread of the legs, degrees.
        bend: bend of knees and elbows, degrees.
        ahead: forward angle of the arms, degrees.
        uneven: displacement of joints from their intended places, meters: no body is fully symmetrical.
        sideways: whether the importer creates bones with ends off to a side.
        scale: units a meter.
        seed: the seed of the unevenness.
    """

    arms: float = 0.0
    legs: float = 1.0
    arm_length: float = 1.0
    trunk: float = 1.0
    head: float = 1.0
    feet: float = 1.0
    width: float = 1.0
    spread: float = 0.0
    bend: float = 4.0
    ahead: float = 0.0
    uneven: float = 0.0
    sideways: bool = False
    scale: float = 1.0
    seed: int = 0

    @classmethod
    def of(cls, seed: int) -> "Variety":
        """Return the body of a seed; 0 is an average person in T-pose, meters."""
        if seed == 0:
            return cls()
        random = np.random.default_rng(seed)

        def factor(least: float, most: float) -> float:
            return float(np.exp(random.uniform(np.log(least), np.log(most))))

        return cls(
            arms=float(random.choice([0.0, 35.0, 45.0, 60.0, 80.0])),
            legs=factor(0.7, 1.35),
            arm_length=factor(0.75, 1.3),
            trunk=factor(0.75, 1.3),
            head=factor(0.8, 1.6),
            feet=factor(0.8, 1.4),
            width=factor(0.8, 1.3),
            spread=float(random.uniform(0.0, 12.0)),
            bend=float(random.uniform(1.0, 10.0)),
            ahead=float(random.uniform(0.0, 25.0)),
            uneven=float(random.uniform(0.0, 0.01)),
            sideways=bool(random.random() < 0.3),
            seed=seed,
            scale=float(random.choice([0.01, 1.0, 100.0])) * factor(0.5, 2.0),
        )
