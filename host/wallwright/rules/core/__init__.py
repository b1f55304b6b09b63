"""What all games share. Nothing here names a game or its clauses."""
