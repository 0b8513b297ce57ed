"""Downloads that go on where they broke off, from the first address that answers.

Proxies are those of the environment (HTTPS_PROXY, NO_PROXY, ...), as in urllib.
"""

import http.client
import json
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from demix.support.errors import DataError
from demix.support.files import write_json

TIMEOUT = 30.0
"""Seconds without a byte after which a connection is given up."""

PAUSES = (1.0, 4.0)
"""Seconds before another try at the same address."""

CHUNK = 1 << 20
SECONDS_BETWEEN_LINES = 10.0
FAILURES = (OSError, http.client.HTTPException)  # URLError and timeouts are OSErrors


def fetch(urls: Sequence[str], target: Path, *, pauses: Sequence[float] = PAUSES, timeout: float = TIMEOUT) -> str:
    """Download a file. What has come of it stays in TARGET.part, where the next call goes on.

    Args:
        urls: addresses of the same file, tried in turn.
        target: where it goes; whole or not at all.
        pauses: seconds to wait before each further try at one address.
        timeout: seconds.

    Returns:
        The address that it came from.

    Raises:
        DataError: none of them gave the whole file; every address is named with what went wrong.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    failures = []
    for url in urls:
        for pause in (*pauses, None):
            try:
                _fetch_from(url, target, timeout)
                return url
            except FAILURES as error:
                failure = error
            if isinstance(failure, urllib.error.HTTPError) and failure.code == 416:  # no such range: begin anew
                target.with_name(f"{target.name}.part").unlink(missing_ok=True)
            elif pause is None or (isinstance(failure, urllib.error.HTTPError) and failure.code < 500):
                break
            print(f"{url}: {failure}; trying again", file=sys.stderr, flush=True)
            time.sleep(pause or 0.0)
        failures.append(f"{url}: {getattr(failure, 'reason', None) or failure or type(failure).__name__}")
    raise DataError("; ".join(failures) or "no address to download from")


def _fetch_from(url: str, target: Path, timeout: float) -> None:
    """Bring TARGET.part to its full length and rename it."""
    part, about = target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.part.json")
    request = urllib.request.Request(url, headers={"User-Agent": "demix"})
    start = _resumable(part, about, url)
    if start:
        request.add_header("Range", f"bytes={start}-")
        request.add_header("If-Range", json.loads(about.read_text())["validator"])
    opener = urllib.request.build_opener()  # urlopen would remember the proxies of its first call
    with opener.open(request, timeout=timeout) as response:
        if response.status != 206:  # the whole file: it has changed, or this server knows no ranges
            start = 0
        length = response.headers.get("Content-Length")
        total = start + int(length) if length else None
        validator = response.headers.get("ETag") or response.headers.get("Last-Modified")
        write_json(about, {"url": url, "validator": validator, "size": total})
        with open(part, "ab" if start else "wb") as file:
            _copy(response, file, start, total, target.name)
        if total is not None and part.stat().st_size != total:
            raise OSError(f"broke off after {part.stat().st_size:,} of {total:,} bytes")
    part.replace(target)
    about.unlink()


def _resumable(part: Path, about: Path, url: str) -> int:
    """Bytes that are there of this very file: of this address, with a validator to compare, and not all of it."""
    try:
        known, size = json.loads(about.read_text()), part.stat().st_size
    except (OSError, ValueError):
        return 0
    whole = known.get("size") is not None and size >= known["size"]
    weak = (known.get("validator") or "W/").startswith("W/")
    return 0 if known.get("url") != url or weak or whole else size


def _copy(response, file, start: int, total: int | None, name: str) -> None:
    done, clock, said = start, time.monotonic(), time.monotonic()
    while chunk := response.read1(CHUNK):
        file.write(chunk)
        done += len(chunk)
        if time.monotonic() - said >= SECONDS_BETWEEN_LINES:
            said = time.monotonic()
            rate = (done - start) / (said - clock) / 1e6
            of = f" of {total / 1e6:.1f}" if total else ""
            print(f"{name}: {done / 1e6:.1f}{of} MB, {rate:.1f} MB/s", file=sys.stderr, flush=True)
