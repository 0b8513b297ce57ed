"""The supervised baseline."""

import torch
from losses import batch, linear_encoder
from torch import nn

from demix.problems.common.batch import Batch
from demix.specs.objectives.mean_squared_error import MeanSquaredErrorSpec
from demix.support.building import build


def test_the_supervised_objective_is_the_mean_squared_error():
    encoder, (observations, _), (factors, _) = linear_encoder(), batch(n=8, dim=4), batch(n=8, dim=3)
    loss = build(MeanSquaredErrorSpec())(encoder, Batch(observations, factors=factors), 0.0)
    expected = nn.functional.mse_loss(encoder(observations), factors)
    torch.testing.assert_close(loss.total, expected, rtol=1e-14, atol=0)
