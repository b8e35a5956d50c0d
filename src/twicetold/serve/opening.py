"""Starting quickly: the collection is opened in a thread while the web framework is still being loaded.

Neither FastAPI nor anything that needs it is imported here before that thread runs.
"""

from __future__ import annotations

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


def open_readers(options: Options) -> Readers:
    """Open the collection for reading. Raises BadData if it cannot be read."""
    # Several questions at once use the processors better than several threads for one: half the time goes into waiting otherwise.
    threadpool_limits(1, user_api="blas")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return Readers(Path(options.data), lanes=options.lanes)


def application() -> FastAPI:
    """Make the application of one process with the options the parent process handed over."""
    options = handed_over()
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
