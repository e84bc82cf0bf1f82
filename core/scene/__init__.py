"""Objects of the scene as a character senses and touches them: colliders, sensors, affordances and contact points."""
