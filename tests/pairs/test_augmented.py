"""Random views: every operation against torchvision's, parameters by image and generator."""

import numpy as np
import pytest
import torch
from torchvision.transforms.v2 import InterpolationMode
from torchvision.transforms.v2 import functional as reference

from demix.pairs.augmented import OPERATIONS, change, crops, jittered, resized_crop
from demix.pairs.common.base import Samples
from demix.specs.pairs.augmented import AugmentedSpec
from demix.support.building import build
from demix.support.randomness import torch_generator

SIZE = 24


def images(count=6, size=SIZE):
    """Noise on a ramp, with some grey, black and white pixels."""
    made = torch.rand(count, 3, size, size, generator=torch_generator(0, "pictures"))
    made = (made + torch.linspace(0, 1, size)) / 2
    made[:, :, 0, :3] = torch.tensor([0.0, 0.4, 1.0])
    return made


def views_of(seed=0, count=50, **fields):
    return build(AugmentedSpec(**fields), samples=Samples(np.arange(count)), seed=seed, device="cpu")


def test_crops_are_torchvisions_of_each_image():
    windows = crops(6, SIZE, 0.08, torch_generator(3, "crops"))
    made = resized_crop(images(), windows)
    for number, (image, window) in enumerate(zip(images(), windows.T.int().tolist(), strict=True)):
        wanted = reference.resized_crop(image, *window, [SIZE, SIZE], InterpolationMode.BICUBIC, antialias=True)
        torch.testing.assert_close(made[number], wanted.clamp(0, 1), atol=1e-5, rtol=0)


def test_crops_keep_the_image_and_their_law():
    top, left, height, width = crops(20_000, 64, 0.08, torch_generator(0, "crops"))
    assert (torch.stack([top, left]) >= 0).all()
    assert ((top + height) <= 64).all()
    assert ((left + width) <= 64).all()
    share, ratio = height * width / 64**2, width / height
    assert 0.07 < share.min() < 0.09
    assert share.max() == 1
    assert ratio.min() > 0.7
    assert ratio.max() < 1.43
    assert abs(ratio.log().mean()) < 0.01
    # what fits is drawn uniformly below the largest share that fits with every ratio
    small = share[share < 0.6]
    assert abs(small.mean() - 0.34) < 0.01


@pytest.mark.parametrize(
    ("number", "operation"),
    list(enumerate([reference.adjust_brightness, reference.adjust_contrast, reference.adjust_saturation])),
)
@pytest.mark.parametrize("factor", [0.2, 0.9, 1.8])
def test_brightness_contrast_and_saturation_are_torchvisions(number, operation, factor):
    made = OPERATIONS[number](images(), torch.full((6, 1, 1, 1), factor))
    torch.testing.assert_close(made, operation(images(), factor), atol=1e-6, rtol=0)


@pytest.mark.parametrize("factor", [-0.2, 0.05, 0.2])
def test_hue_is_torchvisions(factor):
    made = OPERATIONS[3](images(), torch.full((6, 1, 1, 1), factor))
    torch.testing.assert_close(made, reference.adjust_hue(images(), factor), atol=1e-5, rtol=0)


def test_every_image_has_its_own_factors_and_its_own_order():
    factors = torch.tensor([[1.5, 0.5], [0.4, 1.0], [1.7, 0.3], [0.1, -0.2]])
    order = torch.tensor([[0, 3], [1, 2], [2, 1], [3, 0]])
    made = jittered(images(2), factors, order)
    for number in range(2):
        wanted = images(2)[number : number + 1]
        for operation in order[:, number].tolist():
            wanted = OPERATIONS[operation](wanted, factors[operation, number].reshape(1, 1, 1, 1))
        torch.testing.assert_close(made[number : number + 1], wanted)
    untouched = jittered(images(2), factors, torch.full((4, 2), -1))
    assert torch.equal(untouched, images(2))


def test_only_chosen_images_change():
    made = images()
    change(made, torch.tensor([1, 0, 0, 1, 0, 0], dtype=torch.bool), lambda part, f: part * f, torch.arange(6.0))
    assert torch.equal(made[[1, 2, 4, 5]], images()[[1, 2, 4, 5]])
    assert not made[0].any()
    assert torch.equal(made[3], images()[3] * 3)


def test_views_depend_on_seed_position_and_member_alone(untouched_global_randomness):
    first = views_of().view(images(), 512, 0)
    assert first.shape == images().shape
    assert first.min() >= 0
    assert first.max() <= 1
    assert torch.equal(first, views_of().view(images(), 512, 0))
    for other in (
        views_of(seed=1).view(images(), 512, 0),
        *(views_of().view(images(), *at) for at in ((0, 0), (512, 1))),
    ):
        assert not torch.equal(first, other)
    given = images()
    views_of().view(given, 0, 0)
    assert torch.equal(given, images())


def test_parts_can_be_left_out():
    plain = {"smallest_crop": 1, "jitter": 0, "grayscale": 0}
    square = views_of(**plain).view(images(200, 8), 0, 0)  # of the whole area only the whole image fits
    torch.testing.assert_close(square, images(200, 8))
    grey = views_of(**{**plain, "grayscale": 1}).view(images(), 0, 0)
    torch.testing.assert_close(grey, reference.rgb_to_grayscale(images(), 3), atol=1e-4, rtol=0)
    views = views_of(**plain, flip=True).view(images(200, 8), 0, 0)
    is_flipped = ((views - images(200, 8)).abs() > 0.01).flatten(1).any(dim=1)
    torch.testing.assert_close(views[is_flipped], images(200, 8)[is_flipped].flip(-1))
    assert 0.35 < is_flipped.float().mean() < 0.65


def test_pairs_are_one_image_twice_and_uniform():
    pairs = views_of(count=5).pairs(0, 5000)
    assert pairs.anchor is pairs.positive
    assert np.allclose(np.bincount(pairs.anchor) / 5000, 0.2, atol=0.03)
    assert not torch.equal(pairs.anchor, views_of(count=5).pairs(8192, 5000).anchor)
