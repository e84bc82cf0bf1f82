"""The environment of the method: files, child processes, run folders, work in steps, and the trainer's Python."""
