"""How a list of players is read, step by step: characters or a workbook, cells, header and totals, columns, players."""
