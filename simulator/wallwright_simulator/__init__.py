"""A table in software: modelled mechanics behind the firmware's hardware contract, in virtual time."""
