"""Lists of players are read step by step: characters or a workbook, cells, header and totals, columns, players."""
