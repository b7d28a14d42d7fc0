"""Takes from a process the right to write files outside one folder, with Linux's Landlock.

It holds for all that the process and its children do, C++ code included, and cannot be taken back.
The numbers are those of linux/landlock.h, the same on every architecture.
"""

import ctypes
import os
import sys
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38

# Writing to a file, and removing or making files, folders, links and devices: bits 1 and 4 to 12.
_WRITES = 1 << 1 | sum(1 << bit for bit in range(4, 13))
_SINCE = {2: 1 << 13, 3: 1 << 14}
"""Rights that later versions of Landlock added: moving to another folder, and truncating."""


class _Rules(ctypes.Structure):
    _fields_ = (("handled", ctypes.c_uint64),)


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def write_only_in(folders: list[Path]) -> bool:
    """Lets this process write only below `folders`. Returns False, with nothing changed, where there is no Landlock."""
    if sys.platform != "linux":
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = call(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    if version < 1:
        return False
    rights = _WRITES | sum(right for since, right in _SINCE.items() if version >= since)
    rules = _Rules(rights)
    ruleset = call(_CREATE_RULESET, ctypes.byref(rules), ctypes.sizeof(rules), 0)
    for folder in folders:
        place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        beneath = _Beneath(rights, place)
        call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(beneath), 0)
        os.close(place)
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    restricted: int = call(_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    return restricted == 0
