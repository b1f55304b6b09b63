"""Bots that sit at a simulated table, their score sheet, and rehearsals that they play."""
