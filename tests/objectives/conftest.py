"""What tests of the losses share."""

import pytest

from demix.objectives.dot_infonce import DotSimilarity
from demix.objectives.kernels import elementwise
from demix.objectives.kernels.distances import MinusSquaredEuclidean


@pytest.fixture
def tiles(monkeypatch):
    """A function that sets the size of all tiles."""

    def set_size(height, width):
        for similarity in (DotSimilarity, MinusSquaredEuclidean):
            monkeypatch.setattr(similarity, "cpu_tile", (height, width))
        monkeypatch.setattr(elementwise, "CPU_TILE", (height, width))

    return set_size
