"""A small kernel: canonical JSON, replay comparison, ledgers and episode hashes, with the standard library alone."""
