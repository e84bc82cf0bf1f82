"""The scene's objects, as a character senses and touches them: colliders of cuboids, sensors, contact points."""
