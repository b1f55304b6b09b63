"""How a table is wired: the map as a file and on the board, and the search for it with a person at the table."""
