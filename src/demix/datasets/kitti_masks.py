"""KITTI Masks: the published pickle and what is in it."""

from pathlib import Path

from demix.datasets.common.mask_sequences import MaskSequences, checked_pairs
from demix.datasets.common.safe_pickle import load_arrays
from demix.specs.mask_pairs import SIZE
from demix.support.errors import DataError

FILE = "kitti_peds_v2.pickle"
MASKS, FACTORS = "pedestrians", "pedestrians_latents"


class KittiMasksFile:
    """The published file (Klindt et al. 2021; Zenodo record 3931823), a dict of two lists of arrays.

    Args:
        sha256: checksum that the file must have; checked where it is fetched.
    """

    def __init__(self, *, sha256: str | None):
        self.sha256 = sha256

    def sequences(self, path: Path) -> MaskSequences:
        """All sequences of the file.

        Raises:
            DataError: it is cut off, damaged, would call anything, or holds something else.
        """
        content = load_arrays(path)
        if not isinstance(content, dict) or not {MASKS, FACTORS} <= content.keys():
            raise DataError(f"{path.name} has no lists {MASKS} and {FACTORS}")
        masks, factors = content[MASKS], content[FACTORS]
        if not isinstance(masks, list) or not isinstance(factors, list) or len(masks) != len(factors):
            raise DataError(f"{path.name}: {MASKS} and {FACTORS} are no lists of one length")
        try:
            return checked_pairs(masks, factors, SIZE)
        except (ValueError, TypeError, AttributeError) as error:
            raise DataError(f"{path.name}: {error}") from None
