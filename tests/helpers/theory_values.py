"""Values of theory that were computed independently of the package."""

import numpy as np

from demix.theory.box import BoxConditional

# N, kappa, k, log|S|, log C(k), A(kappa), cross-entropy, limit of loss - log M
SPHERE = [
    (2, 1, 1, 1.837877, 2.073791, 0.446390, 1.627401, -0.210476),
    (3, 1, 1, 2.531024, 2.692464, 0.313035, 2.379428, -0.151596),
    (3, 10, 10, 2.531024, 9.535292, 0.900000, 0.535292, -1.995732),
    (10, 1, 1, 3.238743, 3.288536, 0.099178, 3.189358, -0.049385),
    (10, 10, 1, 3.238743, 3.288536, 0.633668, 2.654868, -0.583875),
    (10, 10, 10, 3.238743, 7.090957, 0.633668, 0.754273, -2.484470),
]
# E[delta] / tau, E[log C(z)], cross-entropy of a coordinate
BOX = [
    (BoxConditional(1, 0.05), 0.941776, -2.360809, -1.419033),
    (BoxConditional.normal(0.05), 0.476123, -2.124547, -1.648424),
    (BoxConditional(3, 0.05), 0.323146, -2.446338, -2.123192),
]


def generator(seed=0):
    """Random numbers of a seed."""
    return np.random.default_rng(seed)
