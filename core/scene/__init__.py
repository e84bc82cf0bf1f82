"""Scene objects as a character senses and touches them: colliders, sensors, affordances and contact points."""
