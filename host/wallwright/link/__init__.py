"""From bytes to a typed conversation with one board: ports, frames, requests, traces, and what a board reports."""
