"""The environment of the method: files, child processes, run folders and the trainer's Python."""
