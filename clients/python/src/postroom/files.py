"""The store of keys in a folder, for programs that outlive a crash."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

from .keys import KeptKey


class FileKeys:
    """Keeps the keys of one job in a folder, a file for each step, readable by its owner alone.

    A key is on the disk before the call goes out, so that it is found whatever ends the program, a power cut too. Several programs
    may share the folder: whoever comes first makes the key of a step, and the others take it. The files are those of the client for
    TypeScript.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)
        # Steps whose file and name are known to be on the disk.
        self._safe: set[str] = set()

    def keep(self, step: str, made: KeptKey) -> KeptKey:
        while True:
            known = self._read(step)
            if known is None:
                self._make(step, made)
                continue
            if step not in self._safe:
                # Also a name that another program has just made: nobody may call before it is on the disk.
                _sync(self._folder)
                self._safe.add(step)
            return known

    def renew(self, step: str, kept: KeptKey) -> None:
        os.replace(self._write(step, kept), self._place(step))

    def forget(self, step: str) -> None:
        self._safe.discard(step)
        self._place(step).unlink(missing_ok=True)
        if self._folder.exists():
            _sync(self._folder)

    def _place(self, step: str) -> Path:
        return self._folder / f"{hashlib.sha256(step.encode()).hexdigest()[:40]}.json"

    def _read(self, step: str) -> KeptKey | None:
        try:
            record = json.loads(self._place(step).read_text("utf-8"))
        except FileNotFoundError:
            return None
        # Python 3.10 reads no Z.
        return KeptKey(record["key"], datetime.fromisoformat(record["usedAt"].replace("Z", "+00:00")))

    def _make(self, step: str, made: KeptKey) -> None:
        """Makes the file of a step, unless there is one: of two programs at once, the first makes the key."""
        if not self._folder.exists():
            missing = [one for one in (self._folder, *self._folder.parents) if not one.exists()]
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for one in missing:
                _sync(one.parent)
        draft = self._write(step, made)
        try:
            os.link(draft, self._place(step))
        except FileExistsError:
            pass
        finally:
            draft.unlink(missing_ok=True)

    def _write(self, step: str, kept: KeptKey) -> Path:
        """A file under a temporary name, whole and on the disk."""
        draft = self._folder / f".{uuid.uuid4()}.new"
        used_at = kept.used_at.astimezone(timezone.utc).isoformat(timespec="milliseconds")
        record = {"step": step, "key": kept.key, "usedAt": used_at.replace("+00:00", "Z")}
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        return draft


def _sync(folder: Path) -> None:
    """The names in a folder are on the disk only once the folder itself is."""
    # Windows opens no folders, and keeps their names by itself.
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
