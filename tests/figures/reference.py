"""Make tests/figures/reference.json from torch.

    python -m tests.figures.reference

core.test.js holds _static/figures/core.js, and the outputs stored in network.js, against this
table, bit for bit. A tensor is stored as the base64 of its little-endian bytes. Whether the weights
carry one rounding or two (fused multiply-add or not) depends on the build of torch: core.test.js
finds out which.
"""

import base64
import json
import platform
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn

TABLE = Path(__file__).with_name("reference.json")
LARGE = [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**40 + 5, 2**64 - 1]
SEEDS = [*range(12), 42, 123, 1234, 2024, *LARGE, -1, -5, -(2**63)]
ARCHITECTURES = [[5, 2, 5], [9, 4, 2, 4, 9], [2, 4, 4, 1], [3, 1, 3], [1, 7, 6, 2]]


def packed(tensors):
    """The bytes of the tensors, one after the other, as base64."""
    flat = [tensor.detach().numpy().ravel() for tensor in tensors]
    return base64.b64encode(np.concatenate(flat).tobytes()).decode()


def default_then_xavier(seed, sizes, dtype):
    """All parameters as nn.Linear draws them, then all weights as xavier_uniform_ draws them after that."""
    torch.manual_seed(seed)
    layers = nn.ModuleList(nn.Linear(*pair, dtype=dtype) for pair in pairwise(sizes))
    default = packed(layers.parameters())
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight)
    return [default, packed(layer.weight for layer in layers)]


def outputs(dtype):
    """What MLP([2, 4, 4, 1]) makes of x = torch.rand(5, 2) for seed 0, turned into `dtype` when drawn."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.rand(5, 2)
    return net.to(dtype)(x.to(dtype))[:, 0].tolist()


def drawn(seeds, dtype):
    """The weights of each architecture, by seed."""
    # integers beyond 2**53 would be rounded by a JSON reader, so seeds are text
    return {str(seed): [default_then_xavier(seed, sizes, dtype) for sizes in ARCHITECTURES] for seed in seeds}


if __name__ == "__main__":
    table = {
        "torch": torch.__version__,
        "machine": platform.machine(),
        "architectures": ARCHITECTURES,
        "float32": drawn(SEEDS, torch.float32),
        "float64": drawn(SEEDS[:3], torch.float64),
        "outputs": {"float32": outputs(torch.float32), "float64": outputs(torch.float64)},
    }
    entries = (f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in table.items())
    TABLE.write_text("{\n" + ",\n".join(entries) + "\n}\n")
