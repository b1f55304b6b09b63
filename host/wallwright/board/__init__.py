"""The board that runs the firmware: its images and what is flashed. What it says over the link is elsewhere."""
