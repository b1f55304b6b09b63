"""Days that bots play on simulated tables, and the director who has walls built that were drawn beforehand."""
