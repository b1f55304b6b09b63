"""Days of many halls as one season: what each day says with its proof, who is who, what counts, who qualifies.

Nothing here plays, and nothing runs a day; `event` does. A season knows a day by its signed extract alone.
"""
