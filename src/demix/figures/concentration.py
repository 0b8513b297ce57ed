"""How concentrated a density is, and how much mass separates it from uniform, given its spec."""

from demix.specs.densities import Density, Normal, VonMisesFisher
from demix.specs.problem import SyntheticProblem
from demix.specs.problems import Problem
from demix.support.errors import ConfigError

AXES = {"vmf": "Concentration κ", "normal": "Concentration 1/σ²"}
"""Label of an axis that runs over the concentration of a density."""


def concentration(density: Density | None) -> float | None:
    """Kappa of a von Mises-Fisher density, 1 / std^2 of a normal one, None for any other."""
    if isinstance(density, VonMisesFisher):
        return density.concentration
    if isinstance(density, Normal):
        return density.std**-2
    return None


def with_concentration(problem: SyntheticProblem, value: float) -> SyntheticProblem:
    """The same problem with a more or a less concentrated marginal of the same kind."""
    change = {"concentration": value} if isinstance(problem.marginal, VonMisesFisher) else {"std": value**-0.5}
    return problem.model_copy(update={"marginal": problem.marginal.model_copy(update=change)})


def with_mass_to_move(problem: Problem, where: str) -> SyntheticProblem:
    """The problem itself, if its marginal has a mass to move.

    Raises:
        ConfigError: it is neither von Mises-Fisher on the sphere nor normal in the box.
    """
    if not isinstance(problem, SyntheticProblem):
        raise ConfigError(f"{where}: only a synthetic problem has a marginal with a mass to move, not {problem.kind}")
    kinds = problem.space.kind, problem.marginal.kind
    if kinds not in (("sphere", "vmf"), ("box", "normal")):
        raise ConfigError(
            f"{where}: the mass to move is known for a vmf marginal on the sphere and a normal one in the box, "
            f"not for {kinds[1]} on space {kinds[0]}"
        )
    return problem


def mass_to_move(problem: SyntheticProblem) -> float:
    """Fraction of the marginal's mass that has to move to make it uniform."""
    from demix.theory.mass import mass_to_move_box, mass_to_move_sphere

    marginal, space = problem.marginal, problem.space
    if isinstance(marginal, VonMisesFisher):
        return mass_to_move_sphere(marginal.concentration, problem.dim)
    assert isinstance(marginal, Normal)
    assert space.kind == "box"
    return mass_to_move_box(marginal.std, problem.dim, space.high - space.low)
