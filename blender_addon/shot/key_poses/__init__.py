"""Key poses: what an animator keeps of a bake, so that each later bake goes through it."""
