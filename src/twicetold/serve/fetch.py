"""Fetches a link that a user gave, without becoming a tunnel into the network the server stands in.

Only http and https on their usual ports, only to addresses of the public internet, checked after the name is looked up and before
connecting to that very address; each redirect is checked in the same way. Sizes are bounded, and so is the time from the first byte to
the last, however slowly they come. Webhooks are called by the same rules (`post`) and follow no redirect.
"""

from __future__ import annotations

import http.client
import ipaddress
import mimetypes
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit

from twicetold.errors import BadInput

_PORTS = {"http": 80, "https": 443}
_MOST_REDIRECTS = 5
_SECONDS = 15.0
"""For a connection to be made, and for a webhook to answer."""
_WHOLE_SECONDS = 60.0
"""For a link with all its redirects."""
_BLOCK = 1 << 16
_LONGEST_SHOWN = 60

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
    until = time.monotonic() + _WHOLE_SECONDS
    for _ in range(_MOST_REDIRECTS + 1):
        connection = connect(url, may_reach=may_reach)
        try:
            with _ended_at(until, connection):
                answer = _asked(connection, url)
                is_redirect = answer.status in (301, 302, 303, 307, 308)
                content = b"" if is_redirect else _whole(answer, url, most_bytes)
            if time.monotonic() >= until:  # a connection that is cut looks like an answer that is over
                raise TimeoutError
            if not is_redirect:
                return Fetched(content, _name(url, answer.headers.get_content_type()))
            url = _joined(url, answer.headers.get("Location", ""))
        except (OSError, http.client.HTTPException, ValueError) as error:
            if time.monotonic() >= until:
                raise BadInput(f"the link took more than {_WHOLE_SECONDS:g} seconds; download it and ingest the file") from None
            raise BadInput(f"{url} cannot be fetched: {error}") from None
        finally:
            connection.close()
    raise BadInput(f"{url}: more than {_MOST_REDIRECTS} redirects")


def post(url: str, body: bytes, headers: Mapping[str, str], *, may_reach: Rule) -> int:
    """Send a body to a webhook and return the status of its answer. Raises BadInput for one that may not or cannot be reached."""
    connection = connect(url, may_reach=may_reach)
    until = time.monotonic() + _SECONDS
    try:
        with _ended_at(until, connection):
            connection.request("POST", _target(url), body, {**headers, "Host": _host_of(url), "User-Agent": "twicetold"})
            return connection.getresponse().status
    except (OSError, http.client.HTTPException, ValueError) as error:
        if time.monotonic() >= until:
            raise BadInput(f"the webhook did not answer within {_SECONDS:g} seconds") from None
        raise BadInput(f"the webhook cannot be called: {error or type(error).__name__}") from None
    finally:
        connection.close()


def shown(url: str) -> str:
    """Return a web address without what may be secret in it: its path and parameters are often a password.

    >>> shown("https://hooks.example.org/services/T0/B0/x1y2?key=z"), shown("https://example.org/")
    ('https://hooks.example.org/…', 'https://example.org/')
    """
    if not url:
        return ""
    try:
        parts = split(url)
    except BadInput:
        return "…"
    rest = url.partition("://")[2].partition("/")[2]
    host = (parts.hostname or "")[:_LONGEST_SHOWN]
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}/{'…' if rest else ''}"


def is_web_link(url: str) -> bool:
    """True for what a reader may follow: `javascript:` and its like are not links."""
    try:
        split(url)
    except BadInput:
        return False
    return True


def split(url: str) -> SplitResult:
    """Take a web address apart. Raises BadInput for what is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadInput(f"{url!r:.200} is not a web link: {error}") from None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username is not None or port == 0 or not url.isprintable():
        raise BadInput(f"{url!r:.200} is not a web link; give one that starts with https:// or http:// and has no password in it")
    return parts


def connect(url: str, *, may_reach: Rule) -> http.client.HTTPConnection:
    """Open a connection to a link's host, at an address that the rule allows. Raises BadInput otherwise."""
    parts = split(url)
    port = parts.port or _PORTS[parts.scheme]
    host = _ascii(parts.hostname or "")
    address = _address(host, port, may_reach)
    return _PinnedTLS(host, port, address) if parts.scheme == "https" else _Pinned(host, port, address)


def _asked(connection: http.client.HTTPConnection, url: str) -> http.client.HTTPResponse:
    headers = {"Host": _host_of(url), "User-Agent": "twicetold", "Accept-Encoding": "identity"}
    connection.request("GET", _target(url), headers=headers)
    return connection.getresponse()


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise BadInput(f"{url} leads to {location!r:.200}, which is no web link") from None


@contextmanager
def _ended_at(until: float, connection: http.client.HTTPConnection) -> Iterator[None]:
    """Cut the connection when time is up, wherever it stands: a host that sends a byte now and then would never be too slow otherwise."""

    def cut() -> None:
        with suppress(OSError, AttributeError):
            connection.sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, until - time.monotonic()), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _ascii(host: str) -> str:
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise BadInput(f"the host {host!r:.200} is not known: {error}") from None


def _host_of(url: str) -> str:
    """What the Host header says: the name in plain letters, and the port if it is not the usual one."""
    parts = split(url)
    host = _ascii(parts.hostname or "")
    host = f"[{host}]" if ":" in host else host
    return host if parts.port in (None, _PORTS[parts.scheme]) else f"{host}:{parts.port}"


def _address(host: str, port: int, may_reach: Rule) -> str:
    try:
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except (OSError, UnicodeError) as error:
        raise BadInput(f"the host {host!r:.200} is not known: {error}") from None
    if not all(may_reach(address, port) for address in found):
        raise BadInput(f"{host!r:.200}, port {port}, is not on the public internet; links into private networks are not followed")
    return found[0]


def is_public(address: str) -> bool:
    """True for an address of the public internet; a v4 address wrapped in a v6 one counts as what it wraps.

    Of version 6 only 2000::/3 is given out; everything else (`::127.0.0.1`, `fec0::/10`, `64:ff9b:1::/48`, …) leads somewhere near.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        wrapped = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if wrapped is not None:
            return is_public(str(wrapped))
        last = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if ip in _TRANSLATED or (int(ip) >> 32) & 0xFFFF == _ISATAP:
            return is_public(str(last))
        return ip in _GIVEN_OUT and ip.is_global
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


_GIVEN_OUT = ipaddress.ip_network("2000::/3")
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
_ISATAP = 0x5EFE
"""In these bits of an address, says that a v4 address follows."""


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


def _whole(answer: http.client.HTTPResponse, url: str, most_bytes: int) -> bytes:
    if answer.status != 200:
        raise BadInput(f"{url} answered {answer.status} {answer.reason}; a feed or page should answer 200")
    parts, size = [], 0
    while block := answer.read(_BLOCK):
        size += len(block)
        if size > most_bytes:
            raise BadInput(f"the link gives more than {most_bytes / (1 << 20):g} MB; download it and ingest the file")
        parts.append(block)
    return b"".join(parts)


def _name(url: str, kind: str) -> str:
    name = urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1] or "page"
    if "." in name[-6:]:
        return name
    return name + (mimetypes.guess_extension(kind) or ".html")
