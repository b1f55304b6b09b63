"""The tables of the accounts' file: people, their sign-ins, devices and links, what they asked for and did."""

from sqlalchemy import Column, Integer, MetaData, String, Table

METADATA = MetaData()
ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("name", String, primary_key=True),
    Column("role", String, nullable=False),
    Column("password", String, nullable=False),
)
SIGN_INS = Table(
    "sessions",
    METADATA,
    Column("token", String, primary_key=True),
    Column("account", String, nullable=False),
    Column("ends_ms", Integer, nullable=False),
)
INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("token", String, primary_key=True),
    Column("ends_ms", Integer, nullable=False),
)
HANDOVERS = Table(
    "handovers",
    METADATA,
    Column("token", String, primary_key=True),
    Column("account", String, nullable=False),
    Column("ends_ms", Integer, nullable=False),
)
"""Links by which the person of an account sets its password."""
DEVICES = Table(
    "devices",
    METADATA,
    Column("token", String, primary_key=True),
    Column("account", String, nullable=False),
    Column("ends_ms", Integer, nullable=False),
)
"""Devices in an older file, one account each; `devices.take_over_old` moves them."""
KNOWN_DEVICES = Table(
    "known_devices",
    METADATA,
    Column("token", String, primary_key=True),
    Column("whose", String, primary_key=True),
    Column("ends_ms", Integer, nullable=False),
)
"""Where somebody has typed the right password or PIN before; others who guess do not hold them up there."""
CODES = Table(
    "codes",
    METADATA,
    Column("whose", String, primary_key=True),
    Column("code", String, nullable=False),
    Column("ends_ms", Integer, nullable=False),
)
"""They are shown until they end, so they are kept as they are; none is good without the password or PIN."""
SLIP_CODES = Table(
    "slip_codes",
    METADATA,
    Column("whose", String, primary_key=True),
    Column("code", String, nullable=False),
)
"""Beside the PINs on slips, as long as those are good."""
PINS = Table(
    "pins",
    METADATA,
    Column("event", String, primary_key=True),
    Column("player", Integer, primary_key=True),
    Column("pin", String, nullable=False),
)
"""With what players sign; they are printed again when a slip is lost, so they are kept as they are."""
RECEIPTS = Table(
    "receipts",
    METADATA,
    Column("key", String, primary_key=True),
    Column("asked", String, nullable=False),
    Column("status", Integer),
    Column("answer", String),
    Column("at_ms", Integer, nullable=False),
)
ACTS = Table(
    "acts",
    METADATA,
    Column("number", Integer, primary_key=True),
    # The journal knows an act by this; numbers begin anew with another file.
    Column("id", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("body", String, nullable=False),
)
"""What is on its way into the hall's journal."""
