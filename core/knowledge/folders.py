"""Reading an import: which Markdown files there are now, and what those say that have changed.

Blocks: it is run in a thread. What is on the disk is hostile: links are not followed, and a file is opened
by the folder that was looked at, so that nothing leads out of the import while it is read.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.knowledge.documents import (
    NAME_RULE,
    TEXT_AT_MOST,
    FileText,
    Import,
    Skipped,
    clean_line,
    clean_text,
    is_name,
    title_of,
)

SUFFIXES = (".md", ".markdown")
LARGEST_FILE = TEXT_AT_MOST
READ_AT_MOST = 64 * 1024 * 1024
"""Bytes, of a file and of all that is read in one look."""

FILES_AT_MOST = 2_000
FOLDERS_AT_MOST = 500
TOLD_AT_MOST = 200
"""Files that are skipped and named."""

DEPTH_AT_MOST = 20
_NOT_ENTERED = frozenset({"node_modules", "__pycache__"})

_YOUNG_NS = 2_000_000_000
"""A file may change again within the grain of its times: until it is this old they tell nothing."""

_OPEN_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(slots=True)
class Scan:
    """What was found. `changed`: to be written; `unchanged`: names of documents that are true as they are.

    `folders` are to be watched to notice the next change, none of them with what is below it.
    """

    changed: list[FileText] = field(default_factory=list[FileText])
    unchanged: set[str] = field(default_factory=set[str])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    folders: set[str] = field(default_factory=set[str])
    _read: int = 0

    def take(self, name: str, path: Path, folder: int, known: Mapping[str, str]) -> None:
        """Look at one file, by its name in the open folder."""
        try:
            self._take(name, path, folder, known)
        except OSError as error:
            self.skip(name, error.strerror or str(error))

    def _take(self, name: str, path: Path, folder: int, known: Mapping[str, str]) -> None:
        if not is_name(name):
            return self.skip(name, NAME_RULE)
        if len(self.changed) + len(self.unchanged) >= FILES_AT_MOST:
            return self.skip(name, f"there are more than {FILES_AT_MOST} files")
        descriptor = os.open(path.name, _OPEN_FLAGS, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return self.skip(name, "it is no ordinary file")
            stamp = _stamp(status)
            if stamp and stamp == known.get(name):
                self.unchanged.add(name)
                return None
            if self._read > READ_AT_MOST:
                return self.skip(name, f"there is more than {READ_AT_MOST // 1024 // 1024} MiB to read")
            content = file.read(LARGEST_FILE + 1)
        self._read += len(content)
        if len(content) > LARGEST_FILE:
            return self.skip(name, f"it is larger than {LARGEST_FILE // 1024} KiB")
        try:
            text = clean_text(content.decode("utf-8-sig"))
        except UnicodeDecodeError:
            return self.skip(name, "it is no UTF-8 text")
        self.changed.append(FileText(name, str(path), title_of(text) or path.stem, text, stamp))
        return None

    def skip(self, path: str, reason: str) -> None:
        if len(self.skipped) < TOLD_AT_MOST:
            self.skipped.append(Skipped(clean_line(path), reason))


def scan(followed: Import, known: Mapping[str, str]) -> Scan:
    """Look at the import; `known` are the stamps of its documents. Raises nothing for what it meets."""
    found = Scan()
    root = Path(followed.path)
    try:
        mode = root.lstat().st_mode
    except OSError as error:
        found.skip("", f"it cannot be looked at: {error.strerror}")
        found.folders.add(_nearest_folder(root))
        return found
    if stat.S_ISDIR(mode):
        _scan_folder(found, followed, known)
    else:
        _scan_file(found, followed, known)
    # The folder above tells when the import itself is renamed or made again.
    found.folders.add(_nearest_folder(root))
    return found


def _scan_file(found: Scan, followed: Import, known: Mapping[str, str]) -> None:
    path = Path(followed.path)
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        found.skip("", error.strerror or str(error))
        return
    try:
        found.take(followed.label, path, folder, known)
    finally:
        os.close(folder)


def _scan_folder(found: Scan, followed: Import, known: Mapping[str, str]) -> None:
    def unreadable(error: OSError) -> None:
        found.skip(str(error.filename or ""), error.strerror or str(error))

    root = Path(followed.path)
    for place, folders, files, descriptor in os.fwalk(root, follow_symlinks=False, onerror=unreadable):
        here = Path(place)
        inside = here.relative_to(root)
        found.folders.add(place)
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in _NOT_ENTERED)
        if folders and len(inside.parts) >= DEPTH_AT_MOST:
            found.skip(str(inside), f"it is more than {DEPTH_AT_MOST} folders deep")
            folders.clear()
        if len(found.folders) >= FOLDERS_AT_MOST and folders:
            found.skip(str(inside), f"there are more than {FOLDERS_AT_MOST} folders")
            folders.clear()
        for name in sorted(files):
            if name[0] != "." and name.lower().endswith(SUFFIXES):
                document = f"{followed.label}/{(inside / name).as_posix()}"
                found.take(document, here / name, descriptor, known)


def _stamp(status: os.stat_result) -> str:
    youngest = max(status.st_mtime_ns, status.st_ctime_ns)
    if abs(time.time_ns() - youngest) < _YOUNG_NS:
        return ""
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def _nearest_folder(path: Path) -> str:
    """The folder above it, or the nearest one that is there and can be looked at."""
    readable = (above for above in path.parents if os.access(above, os.R_OK | os.X_OK) and above.is_dir())
    return str(next(readable, path.anchor))
