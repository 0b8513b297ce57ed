"""InfoNCE with the dot product, as data."""

from demix.specs.networks.outputs import OutputSpec
from demix.specs.objectives.common.infonce import InfoNCESpec


class DotInfoNCESpec(InfoNCESpec):
    """InfoNCE with the dot product: ICML 2021, Eq. (1)."""

    def conditional_label(self, output: OutputSpec) -> str:
        """On a sphere: vMF with concentration radius^2 / tau (ICML 2021, Proposition 1); a trained one has no value."""
        if getattr(output, "learnable", False):
            return "vMF"
        return f"vMF(κ={getattr(output, 'radius', 1.0) ** 2 / self.tau:g})"
