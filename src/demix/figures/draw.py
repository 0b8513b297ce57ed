"""How each kind of figure is drawn and captioned."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from demix.figures import latent_scores, marginal_sweep, mask_traces, picture_grid, theory
from demix.figures.caption import latents_caption, pictures_caption, sweep_caption, theory_caption, traces_caption


@dataclass(frozen=True)
class Kind:
    """Drawing and caption, both from the figure's data and its plan; the caption has the judged claims in words too."""

    draw: Callable[[pd.DataFrame, Mapping[str, Any]], Figure]
    caption: Callable[[pd.DataFrame, Mapping[str, Any], list[tuple[str, str]]], str]


KINDS = {
    "marginal_sweep": Kind(marginal_sweep.draw, sweep_caption),
    "mask_traces": Kind(mask_traces.draw, traces_caption),
    "latent_scores": Kind(latent_scores.draw, latents_caption),
    "theory": Kind(theory.draw, theory_caption),
    "threedident_traversals": Kind(picture_grid.draw_traversals, pictures_caption),
    "threedident_gallery": Kind(picture_grid.draw_gallery, pictures_caption),
}
"""By the `kind` of a figure in the configuration."""
