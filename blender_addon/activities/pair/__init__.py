"""Two characters: dances of a pair, and characters that answer the motion of another one."""
