"""Settings and configuration of training runs, and files with checksums."""
