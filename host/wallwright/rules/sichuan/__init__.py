"""Sichuan Bloody Rules: tiles, walls, hands, deals and settlement.

Tiles are integers 0..26 (`tiles`). A clause of the rules is named `SBR-x.y`; docs/rules.md restates the clauses and
the decisions taken where the sources leave a choice.
"""
