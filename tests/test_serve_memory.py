"""The server's memory does not grow with its threads; `make soak` looks at half an hour of it."""

from __future__ import annotations

import platform
import re
import subprocess
import sys

import pytest

_MANY_THREADS = """
import ctypes, sys, threading
from twicetold.serve.startup import share_memory
if sys.argv[2] == "shared":
    share_memory()
libc = ctypes.CDLL(None)
libc.malloc.restype = libc.fopen.restype = ctypes.c_void_p
all_at_once = threading.Barrier(8)
def allocate():
    all_at_once.wait()
    libc.malloc(10_000)
    all_at_once.wait()
threads = [threading.Thread(target=allocate) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


def heaps(path, how):
    subprocess.run([sys.executable, "-c", _MANY_THREADS, str(path), how], check=True)
    return len(re.findall("<heap nr=", path.read_text()))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives each thread a heap of its own")
def test_threads_of_the_server_share_a_few_heaps(tmp_path):
    assert heaps(tmp_path / "shared", "shared") <= 2 < heaps(tmp_path / "usual", "usual")
