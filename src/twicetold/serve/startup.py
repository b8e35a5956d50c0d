"""Starting quickly: the collection is opened in a thread while the web framework is still being loaded.

Neither FastAPI nor anything that needs it is imported here before that thread runs.
"""

from __future__ import annotations

import ctypes
import dataclasses
import gc
import json
import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn
from threadpoolctl import threadpool_limits

from twicetold.serve.options import Options
from twicetold.serve.reading import Readers

if TYPE_CHECKING:
    from fastapi import FastAPI


_ARENAS = 2
_WORKERS = "TWICETOLD_WORKERS"
_M_ARENA_MAX = -8  # glibc's malloc.h


def share_memory() -> None:
    """Have the threads of this process share a few heaps; for threads that are not started yet, and where the C library is glibc.

    glibc gives nearly every thread a heap of its own, and what one of them frees the others cannot use: a server whose index changes now
    and then would hold ever more than it uses (`tests/test_serve_memory.py` compares the two, `results/soak.json` has half an hour). Most
    of what is allocated is allocated under Python's one lock, so there is little to wait for.
    """
    try:
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)
    except (AttributeError, OSError):
        return  # another C library, which does its own way


def open_readers(options: Options) -> Readers:
    """Open the collection for reading. Raises BadData if it cannot be read."""
    # Several questions at once use the processors better than several threads for one: half the time goes into waiting otherwise.
    threadpool_limits(1, user_api="blas")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return Readers(options.location, lanes=options.lanes)


def worker() -> FastAPI:
    """Make the application of one of several processes.

    uvicorn starts these by the name of a function without arguments, so the options come in the environment that the parent made.
    """
    found = json.loads(os.environ[_WORKERS])
    lists = {name: tuple(found[name]) for name in ("names", "origins", "proxies")}
    return application(Options(**{**found, **lists}))


def serve(options: Options, *, workers: int, **settings: Any) -> None:
    """Answer until stopped, in so many processes; `settings` are uvicorn's."""
    if workers == 1:
        uvicorn.run(partial(application, options), factory=True, **settings)
        return
    os.environ[_WORKERS] = json.dumps(dataclasses.asdict(options))
    uvicorn.run("twicetold.serve.startup:worker", factory=True, workers=workers, **settings)


def application(options: Options) -> FastAPI:
    """Make the application of one process."""
    share_memory()
    gc.disable()  # what is made while starting stays: looking through it for garbage takes a tenth of the start
    try:
        with ThreadPoolExecutor(1) as beside:
            opening = beside.submit(open_readers, options)
            from twicetold.serve.app import create_app

            app = create_app(options, opening.result())
        gc.freeze()
    finally:
        gc.enable()
    return app
