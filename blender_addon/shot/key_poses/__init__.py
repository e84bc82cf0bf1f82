"""Key poses: poses of a bake that an animator keeps, and that each later bake passes through."""
