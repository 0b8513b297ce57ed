"""Run time and memory that a training requests of a cluster, from its spec. Generous: they are limits, not forecasts.

The time is that of the arithmetic at the rate of a slow device. The published contrastive run (300,003 steps of 6,144
pairs) gets 12 hours on a GPU, where its authors needed 5 to 10 on an RTX 2080 Ti (ICML 2021, Appendix A.3). A run that
needs longer is not lost: it goes on from its checkpoint in the next attempt, which may take longer.
"""

from math import prod

from demix.specs.networks.common.sizes import LayerSize
from demix.specs.problems.images import ImagesSpec
from demix.specs.run import RunSpec

GPU_OPERATIONS = 5e11
"""Operations in a second on a slow GPU."""

CPU_OPERATIONS = 8e9
"""Operations in a second and thread on a slow CPU."""

SECONDS_A_STEP = 0.002
"""What a step takes however small it is."""

OPERATIONS_A_DISTANCE = 20
"""For each coordinate of each pair of a batch, forward and backward."""

IMAGE_DATA_MB = 2000
"""Images of a data set in memory, and those to score on."""

RAW_SAMPLES = 10_000
"""Raw images to score, where a problem does not say how many."""

START_MINUTES = 10


def train_minutes(spec: RunSpec, gpus: int) -> float:
    """Minutes for one training.

    Args:
        spec: a run with a model.
        gpus: how many it has; without any it computes on its CPU threads.
    """
    assert spec.training is not None
    rate = GPU_OPERATIONS if gpus else CPU_OPERATIONS * spec.training.threads
    seconds = spec.training.steps * (SECONDS_A_STEP + step_operations(spec) / rate)
    return START_MINUTES + seconds / 60


def train_memory_mb(spec: RunSpec, gpus: int) -> int:
    """Host memory for one training, in MB: libraries, image data, and on a CPU the activations of a batch."""
    assert spec.training is not None
    data = IMAGE_DATA_MB if len(spec.problem.observation_shape) > 1 else 0
    if gpus:
        return 6000 + data
    values = spec.training.batch_size * sum(layer.values for layer in _layers(spec)) * 2
    return 2000 + data + round(8 * values * 4 / 1e6)


def encode_memory_mb(spec: RunSpec, gpus: int) -> int:
    """Host memory to encode an evaluation set of a finished training, in MB: libraries and image data."""
    return (6000 if gpus else 2000) + (IMAGE_DATA_MB if len(spec.problem.observation_shape) > 1 else 0)


def raw_memory_mb(spec: RunSpec) -> int:
    """Memory for the score of raw images, in MB: all samples as bytes, and three times in single precision."""
    samples = spec.problem.identity_samples if isinstance(spec.problem, ImagesSpec) else RAW_SAMPLES
    return 2000 + round(13 * samples * prod(spec.problem.observation_shape) / 1e6)


def step_operations(spec: RunSpec) -> float:
    """Floating-point operations of a step, those of an encoder by how fast it is: encoder on both members of a pair,
    and all pairs of the batch."""
    assert spec.training is not None
    assert spec.model is not None
    members = 2 if spec.model.objective.needs_pairs else 1
    batch = spec.training.batch_size
    products = sum(layer.products for layer in _layers(spec))
    distances = batch**2 * spec.codes if spec.model.objective.needs_pairs else 0
    encoding = 6.0 * products * batch * members / spec.model.encoder.efficiency
    return encoding + OPERATIONS_A_DISTANCE * distances


def _layers(spec: RunSpec) -> list[LayerSize]:
    """Sizes of all layers: of the encoder, and of networks that the objective owns."""
    assert spec.model is not None
    shape, outputs = spec.problem.observation_shape, spec.codes * spec.model.output.numbers_a_code
    return [*spec.model.encoder.layers(shape, outputs), *spec.model.objective.layers(shape, spec.codes)]
