"""Who uses the console: accounts, what a role may do, and what is put on record of them."""
