"""The address of an index on a Milvus server: `milvus://HOST:PORT/NAME?shards=4&replicas=2&consistency=Bounded`.

Everything that a server is told of the index stands in it, so that a collection's settings keep one line. Secrets do not: a token
(`user:password` or an API key) comes from TWICETOLD_INDEX_TOKEN.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, get_args
from urllib.parse import parse_qsl, urlsplit

from twicetold.errors import BadInput

Consistency = Literal["Strong", "Bounded", "Session", "Eventually"]
Graph = Literal["HNSW", "HNSW_SQ", "IVF_SQ8", "DISKANN", "FLAT"]

TOKEN = "TWICETOLD_INDEX_TOKEN"
_PORT = 19530
FORM = "milvus://HOST:PORT/NAME"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")
_OPTIONS = ("shards", "replicas", "consistency", "vectors", "database", "tls")


@dataclass(frozen=True, slots=True)
class Address:
    """Where the index is and how the server is to keep it; the last five apply when it is made or loaded."""

    host: str
    port: int
    name: str
    shards: int = 1
    replicas: int = 1
    consistency: Consistency = "Session"
    vectors: Graph = "HNSW"
    database: str = "default"
    tls: bool = False

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read an address; raises BadInput for one that cannot be meant.

        >>> Address.parse("milvus://box:19530/checks?shards=4").shards
        4
        """
        try:
            parts = urlsplit(text)
            host, port = parts.hostname, parts.port or _PORT
        except ValueError:
            raise BadInput(f"--index wants {FORM}, not {text!r}") from None
        name = parts.path.strip("/")
        if parts.username or parts.password:
            raise BadInput(f"--index takes no user or password, which would end up in settings and logs; put them into {TOKEN}")
        if parts.scheme != "milvus" or not host:
            raise BadInput(f"--index wants {FORM} or 'folder', not {text!r}")
        if not _NAME.fullmatch(name):
            raise BadInput(f"--index wants a name of letters, digits and _ after the host, not {name!r}: {FORM}")
        options = dict(parse_qsl(parts.query, keep_blank_values=True))
        for unknown in options.keys() - set(_OPTIONS):
            raise BadInput(f"--index knows no setting {unknown!r}; it knows {', '.join(_OPTIONS)}")
        return cls(
            host,
            port,
            name,
            shards=_count(options, "shards", 64),
            replicas=_count(options, "replicas", 64),
            consistency=_one_of(options, "consistency", "Session", get_args(Consistency)),  # type: ignore[arg-type]
            vectors=_one_of(options, "vectors", "HNSW", get_args(Graph)),  # type: ignore[arg-type]
            database=options.get("database", "default"),
            tls=_one_of(options, "tls", "no", ("no", "yes")) == "yes",
        )

    @property
    def digest(self) -> str:
        """What tells this place from another of the same name."""
        return blake2b(f"{self.host}:{self.port}/{self.database}/{self.name}".encode(), digest_size=4).hexdigest()

    def __str__(self) -> str:
        return f"milvus://{self.host}:{self.port}/{self.name}"


def _count(options: dict[str, str], name: str, most: int) -> int:
    text = options.get(name, "1")
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise BadInput(f"--index wants {name} from 1 to {most}, not {text!r}")
    return int(text)


def _one_of(options: dict[str, str], name: str, default: str, known: tuple[str, ...]) -> str:
    text = options.get(name, default)
    found = {one.lower(): one for one in known}.get(text.lower())
    if found is None:
        raise BadInput(f"--index wants {name} to be one of {', '.join(known)}, not {text!r}")
    return found
