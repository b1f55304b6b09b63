"""The rules of the game: tiles, walls, hands, deals and settlement. No input or output, no clock, nothing of the table.

Tiles are integers 0..26 (`tiles`), points are integers, and every value is frozen. A clause of the rules is named
`SBR-x.y`; docs/rules.md restates the clauses and the decisions taken where the sources leave a choice.
"""
