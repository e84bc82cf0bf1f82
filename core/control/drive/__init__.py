"""Characters steered live: the user's commands at each frame, poses with held feet, and recorded drives as paths."""
