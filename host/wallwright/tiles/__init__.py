"""Tiles that can be told apart: which tag is in which tile, tags sealed until their deal is over, walls verified."""
