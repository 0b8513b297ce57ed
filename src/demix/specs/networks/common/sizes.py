"""What the layers of a network cost, and which images it can take."""

from dataclasses import dataclass

CONV_KERNEL = 4
"""Height and width of the kernels that halve or double an image (stride 2, padding 1)."""


@dataclass(frozen=True)
class LayerSize:
    """What a layer costs for one sample.

    Args:
        products: multiplications and additions, counted as one.
        values: numbers that it puts out.
    """

    products: int
    values: int


def check_image(name: str, shape: tuple[int, ...], halvings: int) -> None:
    """Refuse observations that a network which halves or doubles images cannot take or make.

    Raises:
        ValueError: they are no images, or cannot be halved so often.
    """
    if len(shape) != 3:
        raise ValueError(f"{name} takes images, not observations of shape {shape}")
    if shape[1] != shape[2] or shape[1] % 2**halvings:
        size = f"{shape[1]} x {shape[2]}"
        raise ValueError(f"{name} has {halvings} halvings or doublings, too many for images of {size}")
