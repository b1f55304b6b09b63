"""Beneath everything: files, signals, streams and formats, as every system has them."""
