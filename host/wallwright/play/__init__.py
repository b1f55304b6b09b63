"""Bots that sit at a simulated table, and their score sheet."""
