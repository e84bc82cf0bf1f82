"""What a scene gives to a character: paths, ground, obstacles and objects."""
