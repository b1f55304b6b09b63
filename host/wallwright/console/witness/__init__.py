"""What lets players watch the journal: checkpoints and proofs for everybody, on pages, screens and for programs."""
