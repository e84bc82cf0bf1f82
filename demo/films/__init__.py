"""Films of the first page and the gallery: some seconds each, built and baked from nothing."""
