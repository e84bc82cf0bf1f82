"""What a process needs beside the method: files, child processes, run folders and the training environment."""
