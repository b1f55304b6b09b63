"""Run the program as `python -m wallwright`."""

from .cli import main

main()
