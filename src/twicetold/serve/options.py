"""How a server is set up. The page, the API and the import worker all read this one value."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from twicetold.collection import Location

PORT = 8321
_MB = 1 << 20


@dataclass(frozen=True, slots=True)
class Options:
    """`names` are host names to answer to beside loopback ones; `rate` is requests a second for one client, 0 for no limit.

    `proxies` are addresses or networks whose word on who asks is taken. `max_upload` is of a source to import, `max_speech` of a transcript
    or picture, `max_spool` of all uploads that are on their way, all in bytes.
    """

    data: str
    index: str = ""
    host: str = "127.0.0.1"
    port: int = PORT
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    require_keys: bool = False
    fetch_links: bool = False
    allow_private: bool = False
    rate: float = 50.0
    seconds: float = 15.0
    max_upload: int = 200 * _MB
    max_body: int = 2 * _MB
    max_speech: int = 16 * _MB
    max_spool: int = 1024 * _MB
    lanes: int = 2

    @property
    def location(self) -> Location:
        """Where the collection is."""
        return Location(Path(self.data), self.index)

    @property
    def is_open(self) -> bool:
        """True if anyone who can reach the server may read: it is bound to loopback and answers to no other name."""
        return is_loopback(self.host) and not self.names and not self.require_keys

    @property
    def address(self) -> str:
        """The address to type into a browser on the same machine."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def is_loopback(host: str) -> bool:
    """True for `localhost` and the addresses that never leave the machine."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
