"""A Milvus server as an index sees it: a few collections of one name, what they were made for, and errors in plain words.

    NAME_words      terms of claim, title and body, with a BM25 function for each
    NAME_meanings   vectors of claims and titles
    NAME_reached    for each of the two: whose it is, how it was made, and the store's change counter it has reached

The counter moves after the rows of a batch were acknowledged; killed in between, the batch is written again, which changes nothing.
"""

from __future__ import annotations

import json
import logging
import os
import shlex
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from twicetold.errors import BadData, MissingExtra, NewerFormat, OutOfReach
from twicetold.index.milvus.address import FORM, TOKEN, Address

if TYPE_CHECKING:
    from pymilvus import MilvusClient

FORMAT = 1
MOST_HITS = 16_384
"""Milvus gives no more hits than this to one search, and no more rows to one query."""
SECONDS = 60.0  # that one request may take
_SECONDS_TO_KNOCK, _SECONDS_TO_CONNECT = 5.0, 30.0
"""A port where nobody listens is named at once; a server that listens but is busy is waited for."""
CALM = {"grpc.keepalive_time_ms": 300_000, "grpc.keepalive_permit_without_calls": False}
"""The client would ask every ten seconds whether the server is there; one that allows it every five minutes hangs up."""

Part = Literal["words", "meanings"]


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a part: the store it follows, how it was made, and how far it has followed."""

    store: int
    made: Mapping[str, Any]
    reached: int = 0
    format: int = FORMAT


class Server:
    """The collections of one index, which follow the store of this number, of the collection in `folder`.

    Connects on first use; every error is a TwicetoldError that says what to do.
    """

    def __init__(self, index: str, store: int, folder: Path) -> None:
        self.address = Address.parse(index)
        self._store = store
        self._call = f"twicetold --data {shlex.quote(str(folder))} --index"
        self.rebuild = f"{self._call} {shlex.quote(index)} index --rebuild"
        """What to type to have the index made anew here."""
        self._if_silent = f"start it, or move the index: {self._call} ADDRESS index --rebuild, with the ADDRESS {FORM} or folder"

    @cached_property
    def client(self) -> MilvusClient:
        """The connection."""
        address = self.address
        with self.plainly():
            from pymilvus import MilvusClient

            socket.create_connection((address.host, address.port), timeout=_SECONDS_TO_KNOCK).close()
            # It logs every failure with a traceback of its own; what failed is said in our errors.
            logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)
            return MilvusClient(
                uri=f"{'https' if address.tls else 'http'}://{address.host}:{address.port}",
                token=os.environ.get(TOKEN, ""),
                db_name="" if address.database == "default" else address.database,
                timeout=_SECONDS_TO_CONNECT,
                grpc_options=CALM,
            )

    @classmethod
    def require(cls, index: str, folder: Path) -> None:
        """Raise OutOfReach unless a server answers at this address: what is to be made in `folder` would remember a wrong one."""
        server = cls(index, 0, folder)
        server._if_silent = "start it, or correct the address; nothing was stored"
        server.client.close()

    @contextmanager
    def plainly(self) -> Iterator[None]:
        """Turn the errors of the client into ours."""
        try:
            import grpc
            from pymilvus import MilvusException
        except ImportError:
            raise MissingExtra("an index on a Milvus server", "milvus") from None
        try:
            yield
        except (MilvusException, grpc.RpcError, OSError) as error:
            reason = _first_line(error)
            if _is_silence(error):
                where = f"{self.address.host}:{self.address.port}"
                raise OutOfReach(f"no Milvus server answers at {where} ({reason}); {self._if_silent}") from None
            raise BadData(f"the Milvus server refused a request for {self.address} ({reason}); see its log") from None

    def name(self, part: str) -> str:
        """The Milvus collection of a part."""
        return f"{self.address.name}_{part}"

    # --- what a part is

    def find(self, part: Part, made: Mapping[str, Any]) -> About | None:
        """Return what is known of a part, or None if it has not been made; BadData if it is not ours or was made in another way."""
        with self.plainly():
            if not self.client.has_collection(self.name(part)):
                return None
            about = self._read(part)
        if about is None:
            raise OutOfReach(
                f"the Milvus server has a collection {self.name(part)} that is not an index of twicetold; choose another name than "
                f"{self.address.name!r}: {self._call} {FORM} index --rebuild"
            )
        if about.format > FORMAT:
            raise NewerFormat(f"the index {self.address} was written by a later version (format {about.format}); upgrade twicetold")
        if about.store != self._store:
            raise OutOfReach(
                f"the index {self.address} holds another collection's fact-checks; choose another name: {self._call} "
                f"{FORM} index --rebuild, or take this one over: {self.rebuild}"
            )
        if dict(about.made) != dict(made):
            there, wanted = (", ".join(f"{name} {value}" for name, value in one.items()) for one in (about.made, made))
            raise BadData(f"the index {self.address} was made with {there}, not with {wanted}; run: {self.rebuild}")
        return about

    def remember(self, part: Part, made: Mapping[str, Any], reached: int) -> None:
        """Write down how far a part has followed the store."""
        about = About(self._store, made, reached)
        with self.plainly():
            self._make_ledger()
            row = {"part": part, "about": json.dumps(asdict(about), sort_keys=True), "vector": [1.0, 0.0]}
            self.client.upsert(self.name("reached"), [row], timeout=SECONDS)

    def reached(self, part: Part) -> int:
        """Return how far a part has followed the store."""
        with self.plainly():
            about = self._read(part)
        return about.reached if about is not None else 0

    def count(self, part: Part) -> int:
        """Return how many rows a part has."""
        with self.plainly():
            rows = self.client.query(self.name(part), filter="", output_fields=["count(*)"], timeout=SECONDS)
        return int(rows[0]["count(*)"])

    def make(self, part: Part, schema: Any, indexes: Any) -> None:
        """Make the Milvus collection of a part and load it."""
        with self.plainly():
            self.client.create_collection(
                self.name(part),
                schema=schema,
                index_params=indexes,
                num_shards=self.address.shards,
                consistency_level=self.address.consistency,
                timeout=SECONDS,
            )
            self._load(part)

    def drop(self, part: Part) -> None:
        """Take a part away, unless the Milvus collection of that name is not an index of ours."""
        with self.plainly():
            if not self.client.has_collection(self.name(part)):
                return
            if self._read(part) is None:
                raise BadData(f"the Milvus collection {self.name(part)} is not an index of twicetold; choose another name in --index")
            self.client.drop_collection(self.name(part))
            self.client.delete(self.name("reached"), ids=[part])
            if not self.client.query(self.name("reached"), filter='part != ""', output_fields=["part"]):
                self.client.drop_collection(self.name("reached"))

    def load(self, part: Part) -> None:
        """Ask the server to hold a part ready for searching; after a restart it may not."""
        with self.plainly():
            self._load(part)

    def flush(self, part: Part) -> None:
        """Ask the server to write its newest rows out as a segment, which is faster to search; they are safe without it."""
        from pymilvus import MilvusException

        # A server that is asked more often than it likes refuses, and writes them out when it sees fit.
        with suppress(MilvusException):
            self.client.flush(self.name(part))

    def close(self) -> None:
        """Close the connection, if there is one."""
        if "client" in self.__dict__:
            self.client.close()
            del self.__dict__["client"]

    def _load(self, part: Part) -> None:
        self.client.load_collection(self.name(part), replica_number=self.address.replicas)

    def _make_ledger(self) -> None:
        from pymilvus import DataType

        name = self.name("reached")
        if self.client.has_collection(name):
            return
        schema = self.client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("part", DataType.VARCHAR, is_primary=True, max_length=32)
        schema.add_field("about", DataType.VARCHAR, max_length=4_096)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=2)  # Milvus wants every collection to have a vector
        indexes = self.client.prepare_index_params()
        indexes.add_index(field_name="vector", index_type="FLAT", metric_type="IP")
        # Always read as it was last written: an old counter would be a lie about what is safe.
        self.client.create_collection(name, schema=schema, index_params=indexes, num_shards=1, consistency_level="Strong", timeout=SECONDS)
        self.client.load_collection(name)

    def _read(self, part: Part) -> About | None:
        """The ledger's word on a part; None if there is no ledger, or one that we did not write."""
        name = self.name("reached")
        if not self.client.has_collection(name):
            return None
        if {field["name"] for field in self.client.describe_collection(name)["fields"]} != {"part", "about", "vector"}:
            return None
        self.client.load_collection(name)
        rows = self.client.query(name, filter=f'part == "{part}"', output_fields=["about"], timeout=SECONDS)
        try:
            found = json.loads(rows[0]["about"])
            return replace(About(int(found["store"]), dict(found["made"])), reached=int(found["reached"]), format=int(found["format"]))
        except (IndexError, ValueError, KeyError, TypeError):
            return None


def _is_silence(error: Exception) -> bool:
    text = str(error).lower()
    return isinstance(error, OSError) or any(
        word in text for word in ("connect", "unavailable", "timeout", "timed out", "deadline", "not ready")
    )


def _first_line(error: Exception) -> str:
    said = str(getattr(error, "message", "") or getattr(error, "strerror", "") or error).strip()
    return " ".join(said.splitlines()[0].split())[:200] if said else type(error).__name__
