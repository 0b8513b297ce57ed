"""Memory that a training step frees stays with the process.

Without that the C library gives large tensors back to the system when they are freed, and the next step fetches their
pages anew, one fault for 4 KiB: a tenth of the step of a small encoder with a large batch. Bits do not change.
"""

import ctypes

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4  # names of glibc's malloc.h
_NEVER = -1


def keep_freed_memory() -> bool:
    """Have the C library keep what is freed; returns whether it does. Only glibc can."""
    try:
        libc = ctypes.CDLL(None)
        libc.gnu_get_libc_version  # noqa: B018  another library's mallopt has other names
        return bool(libc.mallopt(_MMAP_MAX, 0)) and bool(libc.mallopt(_TRIM_THRESHOLD, _NEVER))
    except (AttributeError, OSError):
        return False
