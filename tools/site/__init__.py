"""The manual as web pages, made from `docs/manual/` for the extension's zip, for use without a network."""
