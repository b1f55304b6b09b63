"""Whose a connection is, and what a request says it was sent to: one strict reading of addresses and host names."""

import ipaddress
import re

_IPV6_HOME = 64
"""Bits of an IPv6 address that a household has; the others are anybody's there to choose."""
LAST_PORT = 65535
_HOST = re.compile(
    r"(?:\[(?P<v6>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9](?:[a-z0-9_.-]{0,251}[a-z0-9])?))(?::(?P<port>[0-9]{1,5}))?"
)


def home_of(address: str) -> str:
    """Return what stands for whoever has this address: itself, or for IPv6 the network of 64 bits that it is in."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4 or found.is_loopback:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, _IPV6_HOME), strict=False))


def is_loopback(home: str) -> bool:
    """Say whether this is the machine itself, as 127.0.0.1 and ::1 are."""
    try:
        return ipaddress.ip_address(home).is_loopback
    except ValueError:
        return False


def host_of(headers: list[tuple[bytes, bytes]]) -> str | None:
    """Return the name or address in the one Host header of a request, without its port and brackets.

    None when there is no such header, more than one, or one that is neither an address nor a name with or without a
    port: a browser sends none of these.
    """
    given = [value for name, value in headers if name == b"host"]
    if len(given) != 1:
        return None
    found = _HOST.fullmatch(given[0].decode("latin-1").lower())
    if found is None or int(found["port"] or 0) > LAST_PORT:
        return None
    if found["name"] is not None:
        return str(found["name"])
    try:
        return str(ipaddress.IPv6Address(found["v6"]))
    except ValueError:
        return None
