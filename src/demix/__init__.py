"""demix: when does contrastive learning recover the true generative factors of data?

The names below are imported when they are first used, so that commands which need no torch never load it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from demix.latents.densities.generalized_normal import GeneralizedNormal as GeneralizedNormal
    from demix.latents.densities.laplace import Laplace as Laplace
    from demix.latents.densities.normal import Normal as Normal
    from demix.latents.densities.uniform import Uniform as Uniform
    from demix.latents.densities.vmf import VonMisesFisher as VonMisesFisher
    from demix.latents.generators.mixing import MixingNetwork as MixingNetwork
    from demix.latents.generators.mixing import draw_mixing_weights as draw_mixing_weights
    from demix.objectives.align_uniform import align_uniform as align_uniform
    from demix.objectives.aninfonce import aninfonce as aninfonce
    from demix.objectives.dot_infonce import dot_infonce as dot_infonce
    from demix.objectives.lp_infonce import lp_infonce as lp_infonce
    from demix.scores import linear_r2 as linear_r2
    from demix.scores import mean_correlation as mean_correlation
    from demix.spaces import Box as Box
    from demix.spaces import Sphere as Sphere
    from demix.spaces import Unbounded as Unbounded
    from demix.support.building import build as build
    from demix.tables.published import published_table as published_table
    from demix.theory.box import BoxConditional as BoxConditional
    from demix.theory.finite import box_losses as box_losses
    from demix.theory.finite import sphere_loss as sphere_loss
    from demix.theory.mass import mass_to_move_box as mass_to_move_box
    from demix.theory.mass import mass_to_move_sphere as mass_to_move_sphere
    from demix.theory.sphere import sphere_cross_entropy as sphere_cross_entropy

_MODULES = {
    "build": "building",
    "GeneralizedNormal": "densities.generalized_normal",
    "Laplace": "densities.laplace",
    "Normal": "densities.normal",
    "Uniform": "densities.uniform",
    "VonMisesFisher": "densities.vmf",
    "MixingNetwork": "mixing",
    "draw_mixing_weights": "mixing",
    "aninfonce": "objectives.aninfonce",
    "align_uniform": "objectives.align_uniform",
    "dot_infonce": "objectives.dot_infonce",
    "lp_infonce": "objectives.lp_infonce",
    "linear_r2": "scores",
    "mean_correlation": "scores",
    "Box": "spaces",
    "Sphere": "spaces",
    "Unbounded": "spaces",
    "published_table": "tables.published",
    "BoxConditional": "theory.box",
    "box_losses": "theory.finite",
    "sphere_loss": "theory.finite",
    "mass_to_move_box": "theory.mass",
    "mass_to_move_sphere": "theory.mass",
    "sphere_cross_entropy": "theory.sphere",
}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'demix' has no attribute '{name}'")
    return getattr(import_module(f"demix.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
