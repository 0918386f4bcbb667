"""How public answers and files are compressed: by the name in `Content-Encoding`, the smaller one first."""

import gzip
from collections.abc import Callable
from functools import partial

import brotli

ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "br": partial(brotli.compress, quality=5),
    "gzip": partial(gzip.compress, compresslevel=6, mtime=0),
}
