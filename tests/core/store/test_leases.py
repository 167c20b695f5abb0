from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import InvalidRequest, StoreError
from core.store.leases import Holder, Lease, Leases
from core.store.store import Store
from tests.core.store.helpers import child, open_store


def leases(folder: Path, console: str = "pts/1") -> Leases:
    return Leases(folder / "quarterdeck.sqlite3", folder / "locks", console, lambda: 5_000)


def test_a_conversation_has_one_holder_and_the_others_learn_who(tmp_path: Path) -> None:
    mine, yours = leases(tmp_path), leases(tmp_path, "pts/2")
    lease = mine.acquire("c")
    assert isinstance(lease, Lease) and lease.held
    assert yours.acquire("c") == mine.acquire("c") == Holder(os.getpid(), "pts/1", 5_000)
    assert isinstance(yours.acquire("d"), Lease)


def test_a_released_conversation_can_be_taken(tmp_path: Path) -> None:
    mine, yours = leases(tmp_path), leases(tmp_path, "pts/2")
    lease = mine.acquire("c")
    assert isinstance(lease, Lease)
    lease.release()
    taken = yours.acquire("c")
    assert isinstance(taken, Lease)
    lease.release()
    assert taken.held and not lease.held
    assert mine.acquire("c") == Holder(os.getpid(), "pts/2", 5_000)


def test_what_is_released_leaves_no_file(tmp_path: Path) -> None:
    mine = leases(tmp_path)
    for name in ("c", "d"):
        mine.acquire(name)
    assert len(list((tmp_path / "locks").iterdir())) == 2
    mine.release_all()
    assert list((tmp_path / "locks").iterdir()) == []


def test_a_file_that_its_holder_removes_while_it_is_taken_is_not_a_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, yours = leases(tmp_path), leases(tmp_path, "pts/2")
    lease = mine.acquire("c")
    assert isinstance(lease, Lease)
    real_open = os.open

    def open_just_before_the_release(path: Path, flags: int, mode: int = 0o777) -> int:
        descriptor = real_open(path, flags, mode)
        lease.release()
        return descriptor

    monkeypatch.setattr(os, "open", open_just_before_the_release)
    taken = yours.acquire("c")
    monkeypatch.undo()
    assert isinstance(taken, Lease)
    assert mine.acquire("c") == Holder(os.getpid(), "pts/2", 5_000)


@pytest.mark.parametrize("written", [b"", b"{", b"[]", b'{"pid": "x", "console": 3}', b"\xff\xfe"])
def test_a_holder_that_has_not_signed_is_a_holder(tmp_path: Path, written: bytes) -> None:
    mine = leases(tmp_path)
    mine.acquire("c")
    (tmp_path / "locks" / "c.lease").write_bytes(written)
    assert mine.acquire("c") == Holder(0, "", 0)


@pytest.mark.parametrize("name", ["", "../c", "a/b", ".", "a b", "x" * 129])
def test_an_id_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidRequest):
        leases(tmp_path).acquire(name)


def test_a_folder_that_cannot_be_used_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "locks").touch()
    with pytest.raises(StoreError, match="cannot be opened"):
        leases(tmp_path).acquire("c")


async def test_a_killed_console_has_let_go(store: Store, path: Path) -> None:
    async with child("lease", path, "c") as other:
        await other.expect("taken")
        holder = store.leases.acquire("c")
        assert isinstance(holder, Holder) and holder.console == "pts/7" and holder.pid != os.getpid()
        await other.kill()
        assert isinstance(store.leases.acquire("c"), Lease)


async def test_another_console_is_told_who_has_it(store: Store, path: Path) -> None:
    store.leases.acquire("c")
    async with child("lease", path, "c") as other:
        await other.expect("held by test")


async def test_a_closed_store_has_let_go(path: Path) -> None:
    async with open_store(path) as store:
        lease = store.leases.acquire("c")
    assert isinstance(lease, Lease) and not lease.held
