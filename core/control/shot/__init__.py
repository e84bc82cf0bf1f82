"""Shots: a character's beats (walks, tasks, strikes, dances, ...) in one motion, and casts of several characters."""
