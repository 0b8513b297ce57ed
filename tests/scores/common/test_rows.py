"""Rows of scores: a row for each seed and request, with the provenance of the run."""

import pytest
from made_codes import finished_seed, latents, rotation, score_spec

from demix.scores.common.rows import score_rows
from demix.specs.scores import ScoreRequest
from demix.support.codes import CodedSet, write_codes
from demix.support.errors import ConfigError, DataError


def request(evaluation_set="marginal", kind="mcc", **parameters):
    return ScoreRequest(evaluation_set=evaluation_set, score=score_spec(kind, **parameters))


R2 = request(kind="r2")


def test_every_seed_has_a_row_for_each_request(tmp_path):
    folders = [finished_seed(tmp_path / f"seed{seed}", seed, commit=f"c{seed}") for seed in (0, 1)]
    rows = score_rows("mine", "key", [R2, request(correlation="spearman")], folders)
    assert [(row["seed"], row["score"]) for row in rows] == [
        (seed, name) for seed in (0, 1) for name in ("r2", "mcc(correlation=spearman)")
    ]
    assert [row["value"] for row in rows] == pytest.approx([1, 1, 1, 1])
    assert {(row["run"], row["key"], row["device"], row["torch"]) for row in rows} == {("mine", "key", "a CPU", "2")}
    assert [row["commit"] for row in rows] == ["c0", "c0", "c1", "c1"]


def test_two_requests_that_differ_in_one_parameter_are_two_values(tmp_path):
    z = latents(n=200)
    folder = finished_seed(tmp_path, sets={"marginal": CodedSet(z**5, {"factors": z})})
    pearson, spearman = score_rows("mine", "", [request(), request(correlation="spearman")], [folder])
    assert pearson["value"] < 0.95
    assert spearman["value"] == pytest.approx(1)


def test_only_requested_scores_are_computed(tmp_path):
    z = latents()
    unfit = CodedSet(z, {"labels": z[:, 0]})
    folder = finished_seed(tmp_path, sets={"marginal": CodedSet(z, {"factors": z}), "unfit": unfit})
    assert len(score_rows("mine", "", [R2], [folder])) == 1
    assert score_rows("mine", "", [], [folder]) == []


def test_facts_of_the_problem_are_columns_by_their_name(tmp_path):
    folder = finished_seed(tmp_path, facts={"pair_width": 0.5, "anything": 2.0})
    (row,) = score_rows("mine", "", [R2], [folder])
    assert (row["fact_pair_width"], row["fact_anything"]) == (0.5, 2.0)


def test_the_data_of_a_record_is_named_unless_every_seed_has_its_own(tmp_path):
    shared = finished_seed(tmp_path / "a", data={"kind": "masks", "hash": "0123456789abcdef"})
    own = finished_seed(tmp_path / "b", data={"kind": "synthetic", "hash": "0123456789abcdef", "of_seed": True})
    assert [row["data"] for row in score_rows("mine", "", [R2], [shared, own])] == ["masks 0123456789ab", None]


def test_a_set_that_was_encoded_later_counts_for_its_own_seed(tmp_path):
    folders = [finished_seed(tmp_path / f"seed{seed}", seed) for seed in (0, 1)]
    z = latents(k=2)
    files = [folder / "sets" / "test-01234567.npz" for folder in folders]
    for file, codes in zip(files, (z, z @ rotation(2)), strict=True):
        write_codes(file, {"test": CodedSet(codes, {"factors": z})})
    first, second = score_rows("mine", "", [request("test")], folders, reversed(files))
    assert first["value"] == pytest.approx(1)
    assert second["value"] < 0.99
    with pytest.raises(ConfigError, match="--sets: unknown folder"):
        score_rows("mine", "", [request("test")], folders[:1], files)


def test_a_set_that_the_run_does_not_have_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"run mine .*unknown evaluation set 'margnal' \(did you mean 'marginal'\?\)"):
        score_rows("mine", "", [request("margnal")], [finished_seed(tmp_path)])


def test_what_is_not_known_of_a_set_is_named(tmp_path):
    folder = finished_seed(tmp_path, sets={"plain": CodedSet(latents(), {"labels": latents()})})
    with pytest.raises(ConfigError, match=r"run mine, evaluation set plain .*score mcc needs factors, but only labels"):
        score_rows("mine", "", [request("plain")], [folder])


def test_a_missing_or_damaged_file_is_named_in_one_line(tmp_path):
    folder = finished_seed(tmp_path)
    (folder / "provenance.json").write_text("{}")
    with pytest.raises(DataError, match=r"provenance.json: no record of a result \(seed: field required\)"):
        score_rows("mine", "", [R2], [folder])
    (folder / "codes.npz").unlink()
    with pytest.raises(DataError, match=r"codes\.npz"):
        score_rows("mine", "", [R2], [folder])
