"""Files of arrays (`.npz`), which may come from anybody: read whole, or refused with a reason."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from bidwright.bridge.errors import InvalidError, one_sentence
from bidwright.bridge.regular_files import GIB, regular_file

Array = NDArray[Any]

_MOST_BYTES = 256 * GIB
"""Bytes of a file; what is taken of it is bounded by the memory there is."""


def read_arrays(path: Path, names: Sequence[str], also: Sequence[str] = ()) -> dict[str, Array]:
    """Return arrays of a file by their names; nothing in the file is run.

    Args:
        path: the file.
        names: arrays that it must have.
        also: arrays that are returned if it has them.

    Raises:
        InvalidError: The file is missing, damaged or something else; the message is the reason.
    """
    try:
        with (
            regular_file(path, _MOST_BYTES) as handle,
            os.fdopen(handle, "rb", closefd=False) as binary,
        ):
            # What is no archive is refused here: NumPy would speak of a pickle that is loaded
            # unsafely.
            file = np.load(binary, allow_pickle=False) if _is_archive(binary.peek(4)) else None
            if not isinstance(file, NpzFile):
                raise InvalidError("it is no .npz file")
            if lacking := [name for name in names if name not in file]:
                raise InvalidError(f"it has no array {lacking[0]!r}")
            # An archive reads an array when it is asked for, so all are read while the file is
            # open.
            arrays = {name: file[name] for name in (*names, *also) if name in file}
    except OSError as error:  # an `UnreadableError` names the file, which the callers do as well
        raise InvalidError((error.strerror or str(error)).lower()) from None
    except InvalidError:
        raise
    except MemoryError:
        raise InvalidError("an array in it is larger than the memory") from None
    except Exception as error:  # what an archive that is damaged at random makes its readers raise
        raise InvalidError(f"it is damaged ({one_sentence(str(error))})") from None
    for name, array in arrays.items():
        # A member of an archive that is no array comes as bytes.
        if not isinstance(array, np.ndarray):
            raise InvalidError(f"what it has as {name!r} is no array")
    return arrays


def _is_archive(head: bytes) -> bool:
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06")
