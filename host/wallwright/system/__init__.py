"""Files, signals, streams and formats, as every system has them."""
