"""Which hosts and addresses an HTTP extender may have: what the operator names, and of the rest only the public internet.

The one rule: hosts are compared in one spelling, and an address in disguise is judged by what it stands for.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the operator allows: hosts in lower case, with a port or for every port (None)."""

    entries: frozenset[tuple[str, int | None]]

    @classmethod
    def parse(cls, names: Iterable[str]) -> Allowed:
        """From ``host``, ``host:port``, ``address``, ``[v6 address]:port``. Raises ImproperlyConfigured for anything else."""
        return cls(frozenset(_entry(name) for name in names))

    def has(self, host: str, port: int) -> bool:
        """Whether the host may be asked on the port."""
        return (host, None) in self.entries or (host, port) in self.entries


def is_special(address: IpAddress) -> bool:
    """Whether the address is none of the public internet: private, loopback, link-local, multicast, reserved, or one in disguise."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = _inner(address)
        if inner is not None:
            return is_special(inner)
        if address.scope_id is not None or address.is_site_local:
            return True
    return not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that the IPv6 one stands for."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or int(address) >> 32 == 0:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return None


def _entry(name: str) -> tuple[str, int | None]:
    with suppress(ValueError):
        return str(ipaddress.ip_address(name)), None
    try:
        parts = urlsplit(f"//{name}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or parts.netloc != name or parts.username is not None:
        raise ImproperlyConfigured(f"EXTENDER_ALLOWED_HOSTS: {name!r} is neither a host nor host:port")
    return normal_host(host), port


def normal_host(host: str) -> str:
    """The host in the one way that it is compared and remembered."""
    with suppress(ValueError):
        return str(ipaddress.ip_address(host))
    return host.lower().rstrip(".")
