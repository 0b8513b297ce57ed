"""KITTI Masks: the published pickle and what is in it."""

from pathlib import Path

from numpy.typing import NDArray

from demix.datasets.common.conversion import Conversion, Inputs
from demix.datasets.common.masks import checked_masks, mask_data
from demix.datasets.common.safe_pickle import load_arrays
from demix.specs.datasets.common.masks import SIZE
from demix.support.errors import DataError

MASKS, FACTORS = "pedestrians", "pedestrians_latents"


class KittiMasks:
    """The published file (Klindt et al. 2021; Zenodo record 3931823), a dict of two lists of arrays.

    Args:
        sha256: checksum that the file must have; checked where it is fetched.
    """

    def __init__(self, *, sha256: str | None):
        self.sha256 = sha256

    def convert(self, inputs: Inputs) -> Conversion:
        """All sequences of the file.

        Raises:
            DataError: it is cut off, damaged, would call anything, or holds something else.
        """
        (file,) = inputs.files.values()
        return mask_data(*sequences_in(file))


def sequences_in(path: Path) -> tuple[list[NDArray], list[NDArray]]:
    """Masks and factors of every sequence of the published file.

    Raises:
        DataError: as for `KittiMasks.convert`.
    """
    content = load_arrays(path)
    if not isinstance(content, dict) or not {MASKS, FACTORS} <= content.keys():
        raise DataError(f"{path.name} has no lists {MASKS} and {FACTORS}")
    masks, factors = content[MASKS], content[FACTORS]
    if not isinstance(masks, list) or not isinstance(factors, list) or len(masks) != len(factors):
        raise DataError(f"{path.name}: {MASKS} and {FACTORS} are no lists of one length")
    try:
        return checked_masks(masks, factors, SIZE)
    except (ValueError, TypeError, AttributeError) as error:
        raise DataError(f"{path.name}: {error}") from None
