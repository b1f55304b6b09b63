"""Duplicate mahjong: deals that are drawn beforehand and played at several tables. Nothing here drives a table.

docs/duplicate.md says how a stranger draws the deals again from their seed, and how a commitment is checked.
"""
