"""Data sets of 3DIdent as data: sizes, what is refused."""

import pytest

from demix.experiment.keys import key_parts
from demix.specs.base import parse
from demix.specs.datasets.common.threedident import LATENTS
from demix.specs.datasets.threedident import RenderedThreeDIdentSpec
from demix.specs.datasets.threedident_archives import ThreeDIdentArchivesSpec
from demix.specs.datasets.threedident_folder import ThreeDIdentFolderSpec
from demix.specs.problems.images import ImagesSpec
from demix.support.errors import ConfigError
from demix_render import scene


def test_size_and_samples_are_those_of_the_preset_unless_given():
    assert (RenderedThreeDIdentSpec().pixels, RenderedThreeDIdentSpec().samples_a_pixel) == (224, 512)
    fast = RenderedThreeDIdentSpec(preset="fast", size=64)
    assert (fast.shape, fast.samples_a_pixel) == ((3, 64, 64), 16)
    assert RenderedThreeDIdentSpec(preset="smoke", samples=9).samples_a_pixel == 9
    assert ThreeDIdentArchivesSpec().shape == ThreeDIdentFolderSpec(path="here").shape == (3, 224, 224)
    assert RenderedThreeDIdentSpec().shards == {"train": 250_000, "test": 25_000}


def test_both_programs_mean_the_same_by_latents_and_presets():
    assert LATENTS is scene.LATENT_NAMES
    for name, preset in scene.PRESETS.items():
        spec = RenderedThreeDIdentSpec(preset=name)
        assert (spec.pixels, spec.samples_a_pixel) == (preset.size, preset.samples)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"held": {"hue": 0}}, "hue"),
        ({"held": {"x": 1.5}}, "less than or equal to 1, got 1.5"),
        ({"held": dict.fromkeys(LATENTS[:9], 0.0)}, "at least two of the 10 latents must vary, 9 are held"),
        ({"preset": "best"}, "'paper', 'fast' or 'smoke', got 'best'"),
        ({"sizes": 3}, "did you mean 'size'"),
    ],
)
def test_a_wrong_field_is_named_with_its_value(fields, complaint):
    with pytest.raises(ConfigError, match=r"problem\.data") as error:
        parse(RenderedThreeDIdentSpec, fields, "problem.data")
    assert complaint in str(error.value)


def test_what_packs_fetches_and_writes_renders_nothing_anew():
    code = set(key_parts(RenderedThreeDIdentSpec())["code"])
    assert {"demix.datasets.threedident", "demix.datasets.common.moments", "demix_render.blender"} <= code
    assert not {name for name in code if name.startswith("demix.support")}
    common = {name for name in code if name.startswith("demix.datasets.common.")}
    assert common == {"demix.datasets.common.moments", "demix.datasets.common.threedident"}


def test_a_training_on_images_depends_on_no_download_and_no_writing():
    problem = {"data": "kitti_masks", "pairs": "frames_of_a_sequence"}
    code = set(key_parts(parse(ImagesSpec, problem, "problem"))["code"])
    assert {"demix.problems.images", "demix.pairs.frames_of_a_sequence", "demix.datasets.kitti_masks"} <= code
    apart = ("card", "checksums", "download", "fetched", "folder", "packing", "rendering", "shards")
    assert code.isdisjoint({f"demix.datasets.common.{name}" for name in apart} | {"demix.support.files"})
