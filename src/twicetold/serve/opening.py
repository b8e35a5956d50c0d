"""Starting quickly: the collection is opened in a thread while the web framework is still being loaded.

Neither FastAPI nor anything that needs it is imported here before that thread runs.
"""

from __future__ import annotations

import ctypes
import gc
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

from twicetold.serve.options import Options, handed_over
from twicetold.serve.reading import Readers

if TYPE_CHECKING:
    from fastapi import FastAPI


_ARENAS = 2
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
    return Readers(Path(options.data), lanes=options.lanes)


def application() -> FastAPI:
    """Make the application of one process with the options the parent process handed over."""
    options = handed_over()
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
