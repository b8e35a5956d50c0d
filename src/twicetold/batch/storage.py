"""Files wherever they are: a folder, or a bucket named by an address such as s3://bucket/posts.

pyarrow's own file systems come first (local, s3, gs, hdfs, abfs), then whatever fsspec knows. On a local disk a file appears whole
or not at all, by a rename after it is on the disk; in a bucket a put does the same.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twicetold.errors import BadData, BadInput, MissingExtra

_PENDING = "_screen/pending"


def arrow() -> Any:
    """Return pyarrow, or say how to install it."""
    try:
        import pyarrow
        import pyarrow.fs
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("screening", "screen") from None
    return pyarrow


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was found: its path within its file system, and what tells one version of it from another."""

    path: str
    size: int
    stamp: str


class Place:
    """A folder or file, local or remote. `address` is what the user wrote, made absolute: other processes start in other folders."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/") if "://" in address else os.path.abspath(address)
        self.system, self.root = _opened(self.address)
        self.is_local = self.system.type_name == "local"

    def __reduce__(self) -> tuple[type[Place], tuple[str]]:
        """A place travels to other processes by its address alone."""
        return Place, (self.address,)

    def inside(self, name: str) -> str:
        """Return the path of a file of this folder."""
        return f"{self.root}/{name}"

    def files(self) -> list[Found]:
        """Return this file, or all files below this folder, by path; those that begin with a dot or underscore are left aside."""
        fs = arrow().fs
        [itself] = self._said(lambda: self.system.get_file_info([self.root]))
        if itself.type == fs.FileType.NotFound:
            raise BadInput(f"there is nothing at {self.address}; name a file or folder of posts: Parquet, JSON Lines or CSV")
        if itself.type == fs.FileType.File:
            return [_found(itself)]
        every = self._said(lambda: self.system.get_file_info(fs.FileSelector(self.root, recursive=True)))
        kept = [_found(one) for one in every if one.type == fs.FileType.File and not self._is_hidden(one.path)]
        return sorted(kept, key=lambda found: found.path)

    def _is_hidden(self, path: str) -> bool:
        below = path.removeprefix(self.root.lstrip("/")).removeprefix(self.root)
        return any(part.startswith((".", "_")) for part in below.strip("/").split("/"))

    def names(self, folder: str) -> Iterator[tuple[str, int]]:
        """Yield the name and size of each file directly in a folder of this place; none if the folder is not there."""
        fs = arrow().fs
        selector = fs.FileSelector(self.inside(folder), allow_not_found=True)
        for one in self._said(lambda: self.system.get_file_info(selector)):
            if one.type == fs.FileType.File:
                yield one.base_name, int(one.size)

    def read(self, name: str) -> bytes | None:
        """Return what a file of this folder holds, or None if it is not there."""
        try:
            with self.system.open_input_stream(self.inside(name)) as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadData(f"cannot read {self.address}/{name}: {error}") from None

    def write(self, name: str, content: bytes) -> None:
        """Write a file of this folder: all of it, or nothing that can be seen."""
        try:
            if self.is_local:
                _write_local(Path(self.root), name, content)
                return
            with self.system.open_output_stream(self.inside(name)) as stream:
                stream.write(content)
        except OSError as error:
            raise BadData(f"cannot write to {self.address}: {error.strerror or error}; name another folder, or make room") from None

    def remove(self, name: str) -> None:
        """Delete a file of this folder; one that is not there is as good as deleted."""
        try:
            self.system.delete_file(self.inside(name))
        except FileNotFoundError:
            return

    def _said(self, look: Any) -> Any:
        try:
            return look()
        except OSError as error:
            raise BadData(f"cannot look into {self.address}: {error}") from None


def _opened(address: str) -> tuple[Any, str]:
    fs = arrow().fs
    if "://" not in address:
        return fs.LocalFileSystem(), address
    try:
        system, path = fs.FileSystem.from_uri(address)
        return system, str(path)
    except (ValueError, OSError) as error:
        if "unrecognized" not in str(error).lower():
            raise BadInput(f"cannot open {address}: {error}") from None
    try:
        import fsspec
    except ImportError:
        raise BadInput(f"{address}: pyarrow does not know this kind of address, and fsspec is not installed; pip install fsspec") from None
    try:
        handler, path = fsspec.core.url_to_fs(address)
    except (ValueError, ImportError, OSError) as error:
        raise BadInput(f"cannot open {address}: {error}") from None
    return fs.PyFileSystem(fs.FSSpecHandler(handler)), str(path)


def _found(one: Any) -> Found:
    stamp = "" if one.mtime is None else str(one.mtime_ns)
    return Found(str(one.path), int(one.size), stamp)


def _write_local(folder: Path, name: str, content: bytes) -> None:
    pending = folder / _PENDING
    pending.mkdir(parents=True, exist_ok=True)
    final = folder / name
    final.parent.mkdir(parents=True, exist_ok=True)
    fresh = pending / f"{uuid.uuid4().hex}.new"
    with fresh.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(final)
    directory = os.open(final.parent, os.O_RDONLY)
    try:
        os.fsync(directory)  # the rename itself must survive a power cut, or a manifest could outlive its files
    finally:
        os.close(directory)
