"""How concentrated a density is, and how much mass separates it from uniform, given its spec."""

from demix.specs.latents.densities import DensitySpec
from demix.specs.problems.synthetic import SyntheticProblemSpec
from demix.theory.mass import mass_to_move_box, mass_to_move_sphere

AXES = {"vmf": "Concentration κ", "normal": "Concentration 1/σ²"}
"""Label of an axis that runs over the concentration of a density."""


def concentration(density: DensitySpec | None) -> float | None:
    """Kappa of a von Mises-Fisher density, 1 / std^2 of a normal one, None for any other."""
    if density is None or density.kind not in AXES:
        return None
    return density.concentration if density.kind == "vmf" else density.std**-2  # type: ignore[attr-defined]


def with_concentration(problem: SyntheticProblemSpec, value: float) -> SyntheticProblemSpec:
    """The same problem with a more or a less concentrated marginal of the same kind."""
    change = {"concentration": value} if problem.marginal.kind == "vmf" else {"std": value**-0.5}
    return problem.model_copy(update={"marginal": problem.marginal.model_copy(update=change)})


def mass_to_move(problem: SyntheticProblemSpec) -> float:
    """Fraction of the mass of a von Mises-Fisher or normal marginal that has to move to make it uniform."""
    value, space = concentration(problem.marginal), problem.space
    assert value is not None, f"no mass to move for {problem.marginal.kind}"
    if space.kind == "sphere":
        return mass_to_move_sphere(value, problem.dim)
    return mass_to_move_box(problem.marginal.std, problem.dim, space.high - space.low)  # type: ignore[attr-defined]
