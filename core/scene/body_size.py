"""The body sizes for obstacle avoidance in motion planning: all radii and heights in one table.

They differ on purpose, since each measures another quantity; do not merge any two without measuring the effect. The
table is in this room because crowd planning, navigation, the runtimes and the training data use it. The planner of
drawn paths multiplies its sizes by the body's scale.
"""

from typing import Final

# Radii and clearances of the root, from the smallest to the largest.
CONTACT_RADIUS_M: Final = 0.17
"""Distance to a collider at which a runtime pushes the root out: about half the width of the hips.

It is the smallest radius because interactions end close to objects, and must not be pushed out of reach.
"""
STAND_CLEARANCE_M: Final = 0.2
"""Distance to a collider at which a character can stand before or beside a seat.

It is larger than the contact radius, so that a free place needs no push, and smaller than the walking radius, since a
standing character does not swing its arms.
"""
WALK_RADIUS_M: Final = 0.24
"""Distance to a collider below which a cell of a flow field is a collision: half the width of shoulders and arms.

Distances to colliders are exact, so that no margin is needed; the value is not scaled with the body.
"""
PATH_HALF_WIDTH_M: Final = 0.25
"""Distance from a drawn path to parallel lines along which rays search for obstacles.

It is a centimeter larger than the walking radius because rays only find surfaces that they cross. It is also the
clearance from walls below which a cell is a collision, and is scaled with the body.
"""
CLUTTER_CLEARANCE_M: Final = 0.3
"""Distance from the root to furniture in training data.

It exceeds the walking radius, so that networks do not learn to graze furniture.
"""
AGENT_RADIUS_M: Final = 0.32
"""Half of the required distance between two agents of a crowd.

It is a personal distance rather than a size of the body: with two walking radii, arms of agents would touch.
"""

# Heights above the ground.
BODY_HEIGHT_RANGE_M: Final = (0.2, 1.7)
"""Range of heights in which a collider blocks the body; lower obstacles are stepped over."""
KNEE_HEIGHT_M: Final = 0.3
"""Height of the lower of two rays that search for obstacles, above the ground or the higher side of a step.

It is above the lower end of the body's range, so that a ray over stairs does not hit the next step.
"""
CHEST_HEIGHT_M: Final = 1.0
"""Height of the upper of two rays that search for obstacles, above the ground or the higher side of a step."""
HEAD_HEIGHT_M: Final = 1.9
"""Height below which an avoided obstacle blocks a standing adult: the head with some clearance above it."""
MIN_HEADROOM_M: Final = 0.8
"""Headroom below which ground is not walkable; between this and the height of the head, the body ducks."""
