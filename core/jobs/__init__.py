"""Infrastructure: safe files, child processes, training run folders, work in steps, and the trainer's Python."""
