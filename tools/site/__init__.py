"""The manual as web pages, made of `docs/manual/` for the extension's zip, so that it is there without a network."""
