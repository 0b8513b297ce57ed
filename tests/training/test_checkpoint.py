"""Checkpoints: two generations, damage, a full disk, two writers."""

import os

import pytest
import torch

from demix.support.errors import OwnedByAnotherError
from demix.training import checkpoint
from demix.training.checkpoint import Checkpoints


def test_a_damaged_checkpoint_falls_back_to_the_one_before(tmp_path, capsys):
    saved = Checkpoints(tmp_path, "key")
    saved.save({"step": 1})
    saved.save({"step": 2})
    content = bytearray((tmp_path / checkpoint.CURRENT).read_bytes())
    content[-1] ^= 1
    (tmp_path / checkpoint.CURRENT).write_bytes(content)
    assert Checkpoints(tmp_path, "key").load(torch.device("cpu")) == {"step": 1}
    assert "current.pt: damaged" in capsys.readouterr().err
    (tmp_path / checkpoint.PREVIOUS).write_bytes(b"short")
    assert Checkpoints(tmp_path, "key").load(torch.device("cpu")) is None


def test_a_checkpoint_of_another_key_is_not_used(tmp_path):
    Checkpoints(tmp_path, "old").save({"step": 1})
    assert Checkpoints(tmp_path, "new").load(torch.device("cpu")) is None


def test_a_full_disk_leaves_the_old_checkpoint_and_says_so(tmp_path, capsys, monkeypatch):
    saved = Checkpoints(tmp_path, "key")
    saved.save({"step": 1})

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    saved.save({"step": 2})
    monkeypatch.undo()
    assert "no checkpoint written ([Errno 28] No space left on device)" in capsys.readouterr().err
    assert Checkpoints(tmp_path, "key").load(torch.device("cpu")) == {"step": 1}
    assert {path.name for path in tmp_path.iterdir()} == {checkpoint.CURRENT, checkpoint.OWNER}


def test_a_second_writer_takes_over_and_the_first_stops_without_saving(tmp_path):
    first = Checkpoints(tmp_path, "key")
    first.save({"step": 1})
    second = Checkpoints(tmp_path, "key")
    with pytest.raises(OwnedByAnotherError, match="another process has taken over"):
        first.save({"step": 2})
    with pytest.raises(OwnedByAnotherError):
        first.remove()
    assert second.load(torch.device("cpu")) == {"step": 1}
    second.remove()
    assert not tmp_path.exists()
