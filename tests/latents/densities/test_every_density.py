"""Every density on every space it lives on: support, seeds, nearness of partners, and what is refused."""

import pytest
import torch
from sampling import DIM, NARROW, PAIRS, assert_supported, generator, pairs, problem

from demix.specs.base import parse
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.support.errors import ConfigError

every_pair = pytest.mark.parametrize(("space", "density"), PAIRS)


@pytest.mark.usefixtures("untouched_global_randomness")
@every_pair
def test_marginals_lie_in_their_space(space, density):
    sample = problem(space, NARROW[density]).latents(500, generator())
    assert sample.shape == (500, DIM)
    assert sample.dtype == torch.float32
    assert_supported(space, sample)
    assert len(sample.unique(dim=0)) == 500


@pytest.mark.usefixtures("untouched_global_randomness")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@every_pair
def test_partners_lie_in_their_space(space, density, dtype):
    marginal = NARROW["normal"] if space == "unbounded" else NARROW["uniform"]
    drawn = problem(space, marginal, NARROW[density])
    z = drawn.latents(500, generator())
    z = torch.nn.functional.normalize(z.to(dtype), dim=-1) if space == "sphere" else z.to(dtype)
    before = z.clone()
    partners = drawn.partners(z, generator(1))
    assert partners.shape == z.shape
    assert partners.dtype == dtype
    assert partners.device == z.device
    assert_supported(space, partners)
    assert torch.equal(z, before)
    assert not (partners == z).any()


@every_pair
def test_one_seed_gives_one_sample(space, density):
    marginal = NARROW["normal"] if space == "unbounded" else NARROW["uniform"]
    (z, partners), again = (pairs(space, marginal, NARROW[density], 50, seed=3) for _ in range(2))
    assert torch.equal(z, again[0])
    assert torch.equal(partners, again[1])
    assert not torch.equal(partners, pairs(space, marginal, NARROW[density], 50, seed=4)[1])


@every_pair
def test_narrow_partners_are_near_and_uniform_ones_are_not(space, density):
    marginal = {"kind": "normal", "std": 1} if space == "unbounded" else NARROW["uniform"]
    z, partners = pairs(space, marginal, NARROW[density], 2000)
    shuffled = (z - partners.roll(1, 0)).norm(dim=-1).mean()
    ratio = (z - partners).norm(dim=-1).mean() / shuffled
    assert ratio == pytest.approx(1, abs=0.03) if density == "uniform" else ratio < 0.65


@pytest.mark.parametrize(
    ("conditional", "expected"),
    [
        (NARROW["normal"], 0.9889),
        (NARROW["laplace"], 0.9782),
        ({"kind": "vmf", "concentration": 1}, 0.0992),
        ({"kind": "vmf", "concentration": 10}, 0.6337),
    ],
)
def test_partners_on_the_sphere_have_the_expected_cosine(conditional, expected):
    z, partners = pairs("sphere", "uniform", conditional, 40_000)
    cosine = (z * partners).sum(-1).double()
    assert cosine.mean().item() == pytest.approx(expected, abs=5e-5 + 4 * cosine.std().item() / 200)


@pytest.mark.parametrize(
    ("space", "density"),
    [
        ("box", {"kind": "vmf", "concentration": 1}),
        ("unbounded", {"kind": "vmf", "concentration": 1}),
        ("unbounded", "uniform"),
    ],
)
@pytest.mark.parametrize("role", ["marginal", "conditional"])
def test_a_density_that_its_space_lacks_is_refused_in_one_line(space, density, role):
    data = {"space": space, "marginal": "uniform" if space == "box" else NARROW["normal"], role: density}
    with pytest.raises(ConfigError) as error:
        parse(SyntheticProblemSpec, data, "problems.mine")
    kind = density if isinstance(density, str) else density["kind"]
    message = str(error.value)
    assert message.startswith("problems.mine")
    assert f"{role}: unknown density of space {space} '{kind}'" in message
    assert all(name in message for where, name in PAIRS if where == space)
    assert "\n" not in message
