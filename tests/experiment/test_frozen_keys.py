"""Keys of sample specs, frozen: that they change is an accident unless everything is meant to be trained again.

`python tests/experiment/test_frozen_keys.py` freezes them anew.
"""

import json
from pathlib import Path

import pytest

from demix.experiment import keys
from demix.specs.base import content, parse
from demix.specs.run import RunSpec

FROZEN = Path(__file__).with_name("frozen_keys.json")
SAMPLES = json.loads(FROZEN.read_text())

WHY = """The content of the spec of '{name}' is not what it was: the key of every finished run with such a part changes,
and all are trained again. If a field was added, declare its neutral value, at which everything is as before:

    steepness: Annotated[float, Neutral(1.0)] = Field(1.0, description="...")

With that value it is in no key and is not passed to the implementation, which needs the same default; a later change of
the default of the field then trains nothing again either. A field that only decides what is scored is marked with
ForEvaluation(). If runs are meant to be trained again, say so in CHANGELOG.md and run

    python tests/experiment/test_frozen_keys.py
"""


def frozen(given):
    """Content of a sample and its key, with digests of code and versions that never change."""
    spec = parse(RunSpec, given, "sample")
    return {"content": content(spec, evaluation=False), "key": keys.result_key(spec, evaluation=False)}


def fix_code(patch):
    patch.setattr(keys, "module_digests", lambda modules: {"code": "fixed"})
    patch.setattr(keys, "_versions", lambda libraries: dict.fromkeys(libraries, "fixed"))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_key_of_a_spec_is_what_it_was(name, monkeypatch):
    fix_code(monkeypatch)
    sample = SAMPLES[name]
    now = frozen(sample["given"])
    assert now["content"] == sample["content"], WHY.format(name=name)
    assert now["key"] == sample["key"], "the content is as it was, but the digest of it is made in another way"


def freeze():
    with pytest.MonkeyPatch.context() as patch:
        fix_code(patch)
        samples = {name: {"given": sample["given"], **frozen(sample["given"])} for name, sample in SAMPLES.items()}
    FROZEN.write_text(json.dumps(samples, indent=1) + "\n")


if __name__ == "__main__":
    freeze()
