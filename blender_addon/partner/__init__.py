"""Two characters: dances of a pair, and characters that answer another one's motion."""
