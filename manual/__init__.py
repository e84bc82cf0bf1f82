"""The manual as web pages, made of `docs/` for the extension's zip, so that it is there without a network."""
