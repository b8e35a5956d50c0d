"""Fetches a link that a user gave, without becoming a tunnel into the network the server stands in.

Only http and https on their usual ports, only to addresses of the public internet, checked after the name is looked up and before
connecting to that very address; each redirect is checked in the same way. Sizes and times are bounded. Nothing is sent but a GET.
"""

from __future__ import annotations

import http.client
import ipaddress
import mimetypes
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from twicetold.errors import BadInput

_PORTS = {"http": 80, "https": 443}
_MOST_REDIRECTS = 5
_SECONDS = 15.0
_BLOCK = 1 << 16

Rule = Callable[[str, int], bool]
"""Whether a connection may be made to this address and port."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came: the bytes, and a file name whose ending says what they are."""

    content: bytes
    name: str


def is_public_web(address: str, port: int) -> bool:
    """The rule unless told otherwise: ports 80 and 443 of the public internet."""
    return port in _PORTS.values() and is_public(address)


def anywhere(address: str, port: int) -> bool:
    """The rule for servers whose users may reach their own network."""
    return True


def fetch(url: str, *, most_bytes: int, may_reach: Rule = is_public_web) -> Fetched:
    """Get a link. Raises BadInput, naming the reason, for one that may not or cannot be fetched."""
    until = time.monotonic() + _SECONDS * 4
    for _ in range(_MOST_REDIRECTS + 1):
        connection = connect(url, may_reach=may_reach)
        try:
            parts = urlsplit(url)
            connection.request(
                "GET", _target(url), headers={"Host": parts.netloc, "User-Agent": "twicetold", "Accept-Encoding": "identity"}
            )
            answer = connection.getresponse()
            if answer.status in (301, 302, 303, 307, 308):
                url = urljoin(url, answer.headers.get("Location", ""))
                continue
            if answer.status != 200:
                raise BadInput(f"{url} answered {answer.status} {answer.reason}; a feed or page should answer 200")
            return Fetched(_read(answer, most_bytes, until), _name(url, answer.headers.get_content_type()))
        except (OSError, http.client.HTTPException) as error:
            raise BadInput(f"{url} cannot be fetched: {error}") from None
        finally:
            connection.close()
    raise BadInput(f"{url}: more than {_MOST_REDIRECTS} redirects")


def connect(url: str, *, may_reach: Rule) -> http.client.HTTPConnection:
    """Open a connection to a link's host, at an address that the rule allows. Raises BadInput otherwise."""
    parts = urlsplit(url)
    try:
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        raise BadInput(f"{url!r:.200} is not a web link: its port is not a number") from None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None:
        raise BadInput(f"{url!r:.200} is not a web link; give one that starts with https:// or http:// and has no password in it")
    address = _address(parts.hostname, port, may_reach)
    if parts.scheme == "https":
        return _PinnedTLS(parts.hostname, port, address)
    return _Pinned(parts.hostname, port, address)


def _address(host: str, port: int, may_reach: Rule) -> str:
    try:
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise BadInput(f"the host {host!r:.200} is not known: {error}") from None
    if not all(may_reach(address, port) for address in found):
        raise BadInput(f"{host!r:.200}, port {port}, is not on the public internet; links into private networks are not followed")
    return found[0]


def is_public(address: str) -> bool:
    """True for an address of the public internet; a v4 address wrapped in a v6 one counts as what it wraps."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        wrapped = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if wrapped is not None:
            return is_public(str(wrapped))
        if ip in ipaddress.ip_network("64:ff9b::/96"):
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    return ip.is_global and not ip.is_multicast


class _Pinned(http.client.HTTPConnection):
    """Connects to the address that was checked, whatever the name says a moment later."""

    def __init__(self, host: str, port: int, address: str) -> None:
        super().__init__(host, port, timeout=_SECONDS)
        self._address = address

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), timeout=_SECONDS)


class _PinnedTLS(http.client.HTTPSConnection):
    """As _Pinned, with the certificate checked against the name."""

    def __init__(self, host: str, port: int, address: str) -> None:
        self._tls = ssl.create_default_context()
        super().__init__(host, port, timeout=_SECONDS, context=self._tls)
        self._address = address

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), timeout=_SECONDS)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)


def _target(url: str) -> str:
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return target.encode("utf-8").decode("latin-1") if target.isascii() else "".join(c if c.isascii() else _escaped(c) for c in target)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8"))


def _read(answer: http.client.HTTPResponse, most_bytes: int, until: float) -> bytes:
    parts, size = [], 0
    while block := answer.read(_BLOCK):
        size += len(block)
        if size > most_bytes:
            raise BadInput(f"the link gives more than {most_bytes / (1 << 20):g} MB; download it and ingest the file")
        if time.monotonic() > until:
            raise BadInput(f"the link took more than {_SECONDS * 4:g} seconds; download it and ingest the file")
        parts.append(block)
    return b"".join(parts)


def _name(url: str, kind: str) -> str:
    name = urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1] or "page"
    if "." in name[-6:]:
        return name
    return name + (mimetypes.guess_extension(kind) or ".html")
