"""The description of every key of the configuration."""

import sys

import pytest

from demix import describe
from demix.specs.families import kinds
from demix.support.errors import ConfigError


def described(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["demix.describe", *arguments])
    describe.main()
    return capsys.readouterr().out


def test_everything_is_there(monkeypatch, capsys):
    text = described(monkeypatch, capsys)
    for family in ("latents.densities", "networks.encoders", "objectives", "problems", "pairs", "scores", "datasets"):
        assert f"\n{family}: " in text
        assert all(f"\n  {kind}: " in text for kind in kinds(family))
    for key in ("suites", "scales", "baselines", "seeds_of", "vary", "batch_size", "encoder"):
        assert f" {key} " in text


def test_a_kind_comes_with_its_parameters_and_their_meaning(monkeypatch, capsys):
    text = described(monkeypatch, capsys, "latents.densities")
    assert text.splitlines()[0].startswith("latents.densities: A density around a centre.")
    assert "    concentration  (needed)  kappa; larger is narrower" in text
    assert "config:" not in text


def test_a_key_that_holds_a_member_of_a_family_refers_to_it(monkeypatch, capsys):
    assert "[see networks.encoders]" in described(monkeypatch, capsys, "model")


def test_an_unknown_part_is_named(monkeypatch, capsys):
    with pytest.raises(ConfigError, match="unknown part 'modell' \\(did you mean 'model'\\?\\)"):
        described(monkeypatch, capsys, "modell")
