"""Two characters: dances of a pair, and characters that respond to another's motion."""
