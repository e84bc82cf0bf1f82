"""Performers: the shares of captured people in a character's manner of walking."""

import numpy as np

from ...errors import FootfallError
from ...models.model_file import ControllerModel


def performer_shares(model: ControllerModel, performer: str, drawn_share: float, seed: int) -> tuple[float, ...]:
    """Return the shares of a controller's K performers in a walk, which sum to 1; empty if it has no performers.

    A seed above 0 deals another performer, which gets `drawn_share`. Seeds in a row, as of the characters of a crowd,
    deal all of them before one returns.

    Args:
        model: the controller.
        performer: name of a performer; empty for the controller's first one.
        drawn_share: share of the performer that is dealt, from 0 to 1.
        seed: number of the deal; 0 deals none.

    Raises:
        FootfallError: the controller knows no such performer.
    """
    names = model.performers
    if performer and performer not in names:
        if not names:
            raise FootfallError("The controller has no named performers: leave Performer empty")
        raise FootfallError(
            "The controller has no performer '{performer}': choose one of {names}",
            performer=performer,
            names=", ".join(names),
        )
    if not names:
        return ()
    shares = np.zeros(len(names))
    own = names.index(performer) if performer else 0
    shares[own] = 1.0
    others = np.delete(np.arange(len(names)), own)
    if seed and drawn_share and len(others):
        drawn = np.zeros(len(names))
        drawn[others[(seed - 1) % len(others)]] = 1.0
        shares = (1 - drawn_share) * shares + drawn_share * drawn
    return tuple(map(float, shares))
