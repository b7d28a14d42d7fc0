"""One round of training a generator and a discriminator, each with an optimizer of its own."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus


def loss_of_discriminator(on_real: Tensor, on_fake: Tensor) -> Tensor:
    """Returns the cross entropy of calling the real examples real, and the fake ones fake."""
    return softplus(-on_real).mean() + softplus(on_fake).mean()


def loss_of_generator(on_fake: Tensor) -> Tensor:
    """Returns the cross entropy of calling the fake examples real."""
    return softplus(-on_fake).mean()


def train(
    generator: nn.Module,
    discriminator: nn.Module,
    generator_optimizer: torch.optim.Optimizer,
    discriminator_optimizer: torch.optim.Optimizer,
    real: Tensor,
    noise: Tensor,
) -> tuple[float, float]:
    """Steps the discriminator, then the generator against the new discriminator; returns the two losses.

    >>> generator, discriminator = nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(generator.weight, 2.0), nn.init.constant_(discriminator.weight, 0.0)
    >>> optimizers = [torch.optim.SGD(part.parameters(), lr=1.0) for part in (generator, discriminator)]
    >>> losses = train(generator, discriminator, *optimizers, torch.tensor([[5.0]]), torch.tensor([[1.0]]))
    >>> discriminator.weight.item()  # 0.5 · 5 - 0.5 · 2
    1.5
    """
    fake = generator(noise)

    # detach: this loss is not to reach the generator
    first = loss_of_discriminator(discriminator(real), discriminator(fake.detach()))
    step(discriminator_optimizer, first)

    # a new forward of the discriminator, whose parameters have changed; frozen: this loss is not to reach them
    discriminator.requires_grad_(False)
    second = loss_of_generator(discriminator(fake))
    step(generator_optimizer, second)
    discriminator.requires_grad_(True)
    return first.item(), second.item()


def step(optimizer: torch.optim.Optimizer, loss: Tensor) -> None:
    """Moves the optimizer's parameters along the gradient of the loss, and of nothing else."""
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()
