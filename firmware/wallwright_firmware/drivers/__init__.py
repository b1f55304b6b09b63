"""One small class a device; each is told of its inputs, polled at its deadline `due`, and never waits."""
