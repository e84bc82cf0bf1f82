"""The sizes of an adult body that motion planning avoids obstacles with: all radii and heights in one table.

They differ on purpose, since each measures another quantity; no value replaces another without a measurement. The table
lies in this room because crowd planning, navigation, the runtimes and the training data use it. The planner of drawn
paths multiplies its sizes by the body's scale.
"""

from typing import Final

# Radii and clearances of the root, from the smallest to the largest.
CONTACT_RADIUS_M: Final = 0.17
"""Distance to a collider at which a runtime pushes the root out: about half the width of the hips.

It is the smallest because interactions end close to objects, and pushing must not keep the hands from them.
"""
STAND_CLEARANCE_M: Final = 0.2
"""Distance to a collider at which a character can stand before or beside a seat.

It exceeds the contact radius, so that a free place needs no push, and is below the walking radius, since a standing
character does not swing its arms.
"""
WALK_RADIUS_M: Final = 0.24
"""Distance to a collider below which a cell of a flow field is a collision: half the width of shoulders and arms.

Distances to colliders are exact, so that no margin is added; it is not scaled with the body.
"""
PATH_HALF_WIDTH_M: Final = 0.25
"""Distance from a drawn path to the lines along which rays look for obstacles.

It exceeds the walking radius by a centimeter because rays find surfaces only where they cross them. It is also the
clearance from walls below which a cell is a collision, and is scaled with the body.
"""
CLUTTER_CLEARANCE_M: Final = 0.3
"""Distance from the root to furniture in training data.

It exceeds the walking radius by a margin, so that the data teach no grazing.
"""
AGENT_RADIUS_M: Final = 0.32
"""Half of the distance that two agents of a crowd keep.

It is a personal distance and no size of the body: two walking radii would make agents brush each other's arms.
"""

# Heights above the ground.
BODY_HEIGHT_RANGE_M: Final = (0.2, 1.7)
"""Heights between which a collider blocks the body; what is lower is stepped over."""
KNEE_HEIGHT_M: Final = 0.3
"""Lower of the heights above the ground, and above a step in it, at which rays look for obstacles.

It exceeds the lower end of the range above, so that a ray over stairs does not hit the next step.
"""
CHEST_HEIGHT_M: Final = 1.0
"""Upper of the heights above the ground, and above a step in it, at which rays look for obstacles."""
HEAD_HEIGHT_M: Final = 1.9
"""Height below which an avoided obstacle blocks the body; with clearance above the head of a standing adult."""
MIN_HEADROOM_M: Final = 0.8
"""Headroom below which the ground cannot be walked; between it and the head, the body ducks."""
