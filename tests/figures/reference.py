"""Make tests/figures/reference.json from torch, and the stored outputs in _static/figures/network.js.

    python tests/figures/reference.py

core.test.js holds _static/figures/core.js against this table, bit for bit. A tensor is stored as the base64 of its
little-endian bytes. Whether the weights carry one rounding or two (fused multiply-add or not) depends on the build of torch: the
table says which form it is, and refuses to be made where it is neither.
"""

import base64
import json
import platform
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent
NETWORK = HERE.parents[1] / "_static" / "figures" / "network.js"
SEEDS = [*range(12), 42, 123, 1234, 2024, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**40 + 5, 2**64 - 1, -1, -5, -(2**63)]
ARCHITECTURES = [[5, 2, 5], [9, 4, 2, 4, 9], [2, 4, 4, 1], [3, 1, 3], [1, 7, 6, 2]]


def packed(tensors):
    """The bytes of the tensors, one after the other, as base64."""
    flat = [tensor.detach().numpy().ravel() for tensor in tensors]
    return base64.b64encode(np.concatenate(flat).tobytes()).decode()


def linears(sizes):
    """The layers of a network, made by nn.Linear in order."""
    return nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))


def default_then_xavier(seed, sizes):
    """All parameters as nn.Linear draws them, then all weights as xavier_uniform_ draws them after that."""
    torch.manual_seed(seed)
    layers = linears(sizes)
    default = packed(layers.parameters())
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight)
    return [default, packed(layer.weight for layer in layers)]


def in_float64(make, *arguments):
    """What make(*arguments) returns where new tensors are float64."""
    torch.set_default_dtype(torch.float64)
    try:
        return make(*arguments)
    finally:
        torch.set_default_dtype(torch.float32)


def forward(layers, x):
    """The network's output: tanh on all layers but the last."""
    *hidden, last = layers
    for layer in hidden:
        x = torch.tanh(layer(x))
    return last(x)


@torch.no_grad()
def stored_outputs():
    """Outputs of MLP([2, 4, 4, 1]) for seed 0 at x = torch.rand(5, 2), in float32 and, by net.double(), in float64."""

    def run(dtype):
        torch.manual_seed(0)
        layers = linears([2, 4, 4, 1])
        x = torch.rand(5, 2)
        return forward(layers.to(dtype), x.to(dtype))[:, 0].tolist()

    return {"float32": run(torch.float32), "float64": run(torch.float64)}


def form():
    """Which of the two roundings this build of torch uses."""
    torch.manual_seed(0)
    drawn = nn.Linear(40, 40).weight.detach().numpy().ravel()
    bits = np.random.RandomState(0).randint(0, 2**32, size=1600, dtype=np.uint32) & 0xFFFFFF
    k = np.float32(1 / np.sqrt(40))
    x = bits.astype(np.float32) * np.float32(2.0**-24)
    if (drawn == (2 * x - 1) * k).all():
        return "fused"
    if (drawn == x * (2 * k) - k).all():
        return "two roundings"
    raise SystemExit("torch's weights are of neither form on this machine")


def table():
    """All that core.test.js compares with."""
    return {
        "torch": torch.__version__,
        "machine": platform.machine(),
        "form": form(),
        "architectures": ARCHITECTURES,
        # integers beyond 2**53 would be rounded by a JSON reader, so seeds are text
        "float32": {str(seed): [default_then_xavier(seed, sizes) for sizes in ARCHITECTURES] for seed in SEEDS},
        "float64": {str(seed): [in_float64(default_then_xavier, seed, sizes) for sizes in ARCHITECTURES] for seed in SEEDS[:3]},
        "outputs": stored_outputs(),
    }


def main():
    """Write the table, and its outputs into network.js."""
    made = table()
    parts = (f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in made.items())
    (HERE / "reference.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")
    lines = (f"    {kind}: {json.dumps(values)}," for kind, values in made["outputs"].items())
    stored = "const STORED = {\n" + "\n".join(lines) + "\n  };"
    source = NETWORK.read_text()
    source, count = re.subn(r"const STORED = \{.*?\};", lambda _: stored, source, flags=re.DOTALL)
    assert count == 1, "network.js has no place for the stored outputs"
    NETWORK.write_text(source)


if __name__ == "__main__":
    main()
