"""Samplers: support, moments and quantiles of every density on every space it lives on."""

import math
import signal
import time

import numpy as np
import pytest
import torch
from demix.specs.densities import DENSITIES_OF_SPACE
from demix.specs.problem import SyntheticProblem
from scipy import stats

from demix.latents.densities import base
from demix.latents.densities.generalized_normal import GeneralizedNormal
from demix.latents.densities.laplace import Laplace
from demix.latents.densities.normal import Normal
from demix.latents.densities.uniform import Uniform
from demix.latents.densities.vmf import VonMisesFisher
from demix.latents.spaces.box import Box
from demix.latents.spaces.sphere import Sphere
from demix.latents.spaces.unbounded import Unbounded
from demix.specs.base import parse
from demix.support.building import build
from demix.support.errors import ConfigError

DIM = 10
NARROW = {
    "uniform": {"kind": "uniform"},
    "vmf": {"kind": "vmf", "concentration": 10},
    "normal": {"kind": "normal", "std": 0.05},
    "laplace": {"kind": "laplace", "scale": 0.05},
    "generalized_normal": {"kind": "generalized_normal", "exponent": 3, "scale": 0.05},
}
PAIRS = [(space, density) for space, densities in DENSITIES_OF_SPACE.items() for density in sorted(densities)]
NOISES = [
    (Normal(0.05), stats.norm(scale=0.05)),
    (Normal(1.0), stats.norm(scale=1.0)),
    (Laplace(0.05), stats.laplace(scale=0.05)),
    (Laplace(1.0), stats.laplace(scale=1.0)),
    (GeneralizedNormal(3, 0.05), stats.gennorm(3, scale=0.05)),
    (GeneralizedNormal(1.5, 1.0), stats.gennorm(1.5, scale=1.0)),
    (GeneralizedNormal(8, 0.3), stats.gennorm(8, scale=0.3)),
]
every_pair = pytest.mark.parametrize(("space", "density"), PAIRS)
every_noise = pytest.mark.parametrize(("density", "law"), NOISES, ids=[str(density) for density, _ in NOISES])


@pytest.fixture
def must_end():
    """Ends a sampler that accepts nothing for ever."""

    def give_up(number, frame):
        raise TimeoutError("the sampler does not end")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 3)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, previous)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def problem(space, marginal, conditional=None, dim=DIM):
    spec = parse(
        SyntheticProblem, {"space": space, "dim": dim, "marginal": marginal, "conditional": conditional}, "test"
    )
    return build(spec, seed=0, weights=[np.eye(dim)])


def pairs(space, marginal, conditional, count, seed=0):
    drawn = problem(space, marginal, conditional)
    source = generator(seed)
    z = drawn.latents(count, source)
    return z, drawn.partners(z, source)


def assert_supported(space, sample):
    assert torch.isfinite(sample).all()
    if space == "sphere":
        torch.testing.assert_close(sample.norm(dim=-1), torch.ones(len(sample), dtype=sample.dtype))
    if space == "box":
        assert sample.min() >= 0
        assert sample.max() <= 1


def assert_follows(sample, cdf, least=1e-4):
    assert stats.kstest(np.asarray(sample, dtype=np.float64), cdf).pvalue > least


# Every density on every space


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


def test_the_space_decides_where_a_marginal_is_centred():
    narrow = {"kind": "normal", "std": 0.001}
    for space, middle in [("sphere", [1.0] + [0.0] * 9), ("box", [0.5] * 10), ("unbounded", [0.0] * 10)]:
        sample = problem(space, narrow).latents(1000, generator())
        torch.testing.assert_close(sample.mean(0), torch.tensor(middle), rtol=0, atol=2e-4)
    wide_box = problem({"kind": "box", "low": -2, "high": 4}, narrow).latents(1000, generator())
    torch.testing.assert_close(wide_box.mean(0), torch.ones(10), rtol=0, atol=2e-4)


# Moments


@pytest.mark.parametrize(
    ("density", "std"),
    [(Laplace(0.05), 0.0707), (GeneralizedNormal(3, 0.05), 0.0305), (Normal(0.05), 0.05), (Normal(2.0), 2.0)],
    ids=repr,
)
def test_noise_has_the_standard_deviation_of_its_name(density, std):
    sample = density.unbounded(torch.zeros(20_000, DIM), generator())
    assert sample.std().item() == pytest.approx(std, rel=0.01)
    assert sample.mean().item() == pytest.approx(0, abs=0.01 * std)


def test_a_generalised_normal_of_exponent_two_is_narrower_than_the_normal():
    centre = torch.zeros(20_000, DIM)
    ratio = (
        GeneralizedNormal(2, 0.05).unbounded(centre, generator()).std()
        / Normal(0.05).unbounded(centre, generator(1)).std()
    )
    assert ratio.item() == pytest.approx(1 / math.sqrt(2), rel=0.01)


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


def test_the_normal_marginal_of_the_sphere_leans_to_the_pole():
    z = problem("sphere", {"kind": "normal", "std": 1}).latents(100_000, generator())
    assert z[:, 0].mean().item() == pytest.approx(0.297, abs=0.003)
    torch.testing.assert_close(z[:, 1:].mean(0), torch.zeros(9), rtol=0, atol=0.005)


# Quantiles on R^dim and in the box


@every_noise
def test_unbounded_samples_follow_their_density(density, law):
    centre = torch.linspace(-2, 2, 5).repeat(4000, 1)
    sample = density.unbounded(centre, generator(2)).double() - centre
    for column in sample.T:
        assert_follows(column, law.cdf)
    assert np.abs(np.corrcoef(sample.T) - np.eye(5)).max() < 0.08


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 0.5)])
@every_noise
def test_box_samples_follow_the_truncated_density(density, law, low, high):
    centres = low + (high - low) * torch.tensor([0.0, 0.03, 0.5, 0.9, 1.0], dtype=torch.float64)
    sample = Box(5, low, high).draw(density, centres.repeat(4000, 1), generator(2))
    for column, centre in zip(sample.T, centres.tolist(), strict=True):
        below, above = law.cdf(low - centre), law.cdf(high - centre)

        def truncated(x, centre=centre, below=below, above=above):
            return (law.cdf(x - centre) - below) / (above - below)

        assert_follows(column, truncated)
        assert column.min() >= low
        assert column.max() <= high
    assert np.abs(np.corrcoef(sample.T) - np.eye(5)).max() < 0.08


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 0.5)])
def test_uniform_box_samples_are_uniform(low, high):
    sample = Box(3, low, high).draw(Uniform(), torch.zeros(5000, 3), generator())
    for column in sample.T:
        assert_follows(column, stats.uniform(low, high - low).cdf)


@pytest.mark.parametrize("density", [Normal(1e-3), Laplace(1e-3), GeneralizedNormal(3, 1e-3)], ids=repr)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_very_narrow_densities_stay_finite_and_in_the_box(density, dtype):
    centre = torch.tensor([0.0, 1e-4, 0.5, 1.0], dtype=dtype).repeat(2000, 1)
    sample = density.in_box(centre, 0.0, 1.0, generator())
    assert_supported("box", sample)
    assert (sample - centre).abs().max() < 0.02
    free = density.unbounded(centre, generator())[:, 2]
    assert sample[:, 2].std().item() == pytest.approx(free.std().item(), rel=0.1)


@pytest.mark.parametrize("density", [Normal(1e3), Laplace(1e3), GeneralizedNormal(3, 30.0)], ids=repr)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_very_wide_densities_fill_the_box_evenly(density, dtype):
    centre = torch.tensor([0.0, 0.5, 1.0], dtype=dtype).repeat(2000, 1)
    sample = density.in_box(centre, 0.0, 1.0, generator())
    assert_supported("box", sample)
    for column in sample.T:
        assert_follows(column, stats.uniform.cdf)


def test_a_density_far_outside_its_box_gives_up(monkeypatch):
    monkeypatch.setattr(base, "MAX_ROUNDS", 20)
    start = time.perf_counter()
    with pytest.raises(RuntimeError, match=r"GeneralizedNormal.* hardly ever falls into \[0\.0, 1\.0\]"):
        GeneralizedNormal(3, 0.05).in_box(torch.full((100, 3), 50.0), 0.0, 1.0, generator())
    assert time.perf_counter() - start < 1


def test_a_single_coordinate_that_never_fits_is_counted(monkeypatch):
    monkeypatch.setattr(base, "MAX_ROUNDS", 20)
    centre = torch.full((100, 3), 0.5)
    centre[7, 1] = 50.0
    with pytest.raises(RuntimeError, match=": 1 coordinates are left"):
        GeneralizedNormal(3, 0.05).in_box(centre, 0.0, 1.0, generator())


# Quantiles on the sphere


def angle(sample, mean):
    """Angle to the mean in double precision, exact for small angles too."""
    return 2 * np.arcsin(np.clip((sample - mean).norm(dim=-1).numpy() / 2, 0, 1))


def vmf_angle_cdf(kappa, dim):
    """CDF of the angle, whose density is prop. to exp(kappa cos) sin^(dim - 2), integrated on a grid."""
    largest = min(math.pi, 15 * math.sqrt(dim / kappa)) if kappa else math.pi
    grid = np.linspace(0, largest, 200_001)
    density = np.exp(-2 * kappa * np.sin(grid / 2) ** 2) * np.sin(grid) ** (dim - 2)
    cdf = np.concatenate([[0], np.cumsum(density[1:] + density[:-1])])
    return lambda x: np.interp(x, grid, cdf / cdf[-1])


def some_mean(dim):
    mean = torch.linspace(-1, 2, dim, dtype=torch.float64)
    return mean / mean.norm()


@pytest.mark.parametrize("kappa", [0, 0.5, 1, 10, 100, 1e5, 1e10])
@pytest.mark.parametrize("dim", [2, 3, 5, 10])
def test_vmf_angles_follow_the_integrated_density(dim, kappa):
    mean = some_mean(dim)
    sample = VonMisesFisher(kappa).on_sphere(mean.expand(20_000, dim), generator(5))
    assert_follows(angle(sample, mean), vmf_angle_cdf(kappa, dim))


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("kappa", [1e5, 1e10, 1e15, 1e20])
@pytest.mark.parametrize("dim", [2, 3, 10])
def test_concentrated_vmf_distances_are_chi_squared(dim, kappa):
    mean = torch.eye(1, dim, dtype=torch.float64).expand(20_000, dim)
    sample = VonMisesFisher(kappa).on_sphere(mean, generator())
    squared = (sample[:, 1:].square().sum(-1) * kappa).numpy()  # kappa sin^2
    assert_follows(squared, stats.chi2(dim - 1).cdf)


@pytest.mark.parametrize("kappa", [0.5, 10, 1e5])
@pytest.mark.parametrize("dim", [3, 5, 10])
def test_vmf_directions_around_the_mean_are_uniform(dim, kappa):
    mean = some_mean(dim)
    sample = VonMisesFisher(kappa).on_sphere(mean.expand(20_000, dim), generator(2))
    frame = torch.linalg.qr(torch.cat([mean[:, None], torch.eye(dim, dtype=torch.float64)[:, 1:]], dim=1))[0]
    tangent = torch.nn.functional.normalize(sample @ frame[:, 1:], dim=-1)
    for column in tangent.T:
        if dim == 3:  # an angle on the circle
            assert_follows(column, lambda t: 1 - np.arccos(np.clip(t, -1, 1)) / np.pi)
        else:
            assert_follows((1 + column) / 2, stats.beta((dim - 2) / 2, (dim - 2) / 2).cdf)


@pytest.mark.parametrize("kappa", [0.5, 10])
def test_vmf_on_the_circle_is_symmetric(kappa):
    sample = VonMisesFisher(kappa).on_sphere(torch.tensor([[1.0, 0.0]]).expand(20_000, 2), generator())
    assert stats.binomtest(int((sample[:, 1] > 0).sum()), 20_000).pvalue > 1e-4


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("kappa", [0, 1e-8, 1e5, 1e8, 1e12, 1e16, 1e30])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("dim", [2, 10])
def test_vmf_is_finite_and_of_unit_length_at_every_concentration(dim, dtype, kappa):
    mean = some_mean(dim).to(dtype).expand(1000, dim)
    sample = VonMisesFisher(kappa).on_sphere(mean, generator())
    assert_supported("sphere", sample)
    if kappa >= 1e5:
        assert (sample - mean).norm(dim=-1).max() < 10 * math.sqrt(dim / kappa) + 1e-6


@pytest.mark.parametrize("dim", [2, 3, 10])
def test_uniform_points_and_vmf_of_no_concentration_are_the_same(dim):
    mean = some_mean(dim).expand(20_000, dim)
    cosines = [(d.on_sphere(mean, generator(1)) @ mean[0] + 1) / 2 for d in (Uniform(), VonMisesFisher(0))]
    for cosine in cosines:
        assert_follows(cosine, stats.beta((dim - 1) / 2, (dim - 1) / 2).cdf)


def projected(noise, mean, count):
    """The projected density as the authors define it, with numpy's own samplers."""
    drawn = mean + noise(np.random.default_rng(11), (count, len(mean)))
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def gennorm_noise(exponent, scale):
    return lambda rng, shape: scale * rng.choice([-1, 1], shape) * rng.gamma(1 / exponent, 1, shape) ** (1 / exponent)


@pytest.mark.parametrize("diagonal", [False, True], ids=["pole", "diagonal"])
@pytest.mark.parametrize(
    ("density", "noise"),
    [
        (Normal(0.05), lambda rng, shape: rng.normal(0, 0.05, shape)),
        (Normal(1.0), lambda rng, shape: rng.normal(0, 1.0, shape)),
        (Laplace(0.05), lambda rng, shape: rng.laplace(0, 0.05, shape)),
        (Laplace(1.0), lambda rng, shape: rng.laplace(0, 1.0, shape)),
        (GeneralizedNormal(3, 0.05), gennorm_noise(3, 0.05)),
        (GeneralizedNormal(3, 1.0), gennorm_noise(3, 1.0)),
    ],
    ids=lambda x: str(x) if hasattr(x, "noise") else "",
)
def test_projected_densities_agree_with_a_simulation(density, noise, diagonal):
    mean = some_mean(DIM) if diagonal else Sphere(DIM).middle().double()
    ours = Sphere(DIM).draw(density, mean.expand(20_000, DIM), generator()).numpy()
    theirs = projected(noise, mean.numpy(), 20_000)
    for statistic in [lambda z: z @ mean.numpy(), lambda z: z[:, 0], lambda z: z[:, 1], lambda z: np.abs(z).max(1)]:
        assert stats.ks_2samp(statistic(ours), statistic(theirs)).pvalue > 1e-4


# What does not exist


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
        parse(SyntheticProblem, data, "problems.mine")
    kind = density if isinstance(density, str) else density["kind"]
    message = str(error.value)
    assert message.startswith("problems.mine")
    assert f"{role}: unknown density of space {space} '{kind}'" in message
    assert all(name in message for name in DENSITIES_OF_SPACE[space])
    assert "\n" not in message


@pytest.mark.parametrize(
    ("space", "density"),
    [(Box(3), VonMisesFisher(1.0)), (Unbounded(3), VonMisesFisher(1.0)), (Unbounded(3), Uniform())],
)
def test_code_without_a_spec_cannot_draw_it_either(space, density):
    with pytest.raises(NotImplementedError, match=type(density).__name__):
        space.draw(density, torch.zeros(2, 3), generator())
