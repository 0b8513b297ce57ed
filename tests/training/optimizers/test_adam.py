"""Adam is torch's."""

import torch
from torch import nn
from updates import update


def test_the_published_recipe_is_torchs_adam_at_a_constant_rate():
    trained, plain = nn.Linear(3, 2), nn.Linear(3, 2)
    plain.load_state_dict(trained.state_dict())
    made, adam = update(trained), torch.optim.Adam(plain.parameters(), lr=1e-4)
    source = torch.Generator().manual_seed(0)
    for step in range(20):
        x = torch.randn(8, 3, generator=source)
        made.apply(trained(x).square().mean(), step)
        adam.zero_grad()
        plain(x).square().mean().backward()
        adam.step()
    for ours, theirs in zip(trained.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-7)
    assert {made.rate(step) for step in (0, 1, 1000, 300_002)} == {1e-4}
