"""What a technician does with one table: look at it, move single drives, test and measure it, write down how it is."""
