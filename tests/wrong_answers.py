"""Wrong answers to the exercises, and a word that the verdict on each must hold.

By page and exercise: (code that sets the answer, word). Each is a slip that readers make.
"""

WRONG_ANSWERS = {
    "00_by_hand": {
        1: [
            ("answer_1 = 3 * 20 + 20 * 20 + 20 * 2", "biases"),
            ("answer_1 = 3 * 20 + 20 * 20 + 20 * 2 + 3 + 20 + 20 + 2", "inputs"),
            ("answer_1 = 4 * 20 + 21 * 2", "between"),
            ("answer_1 = 4 * 20 + 21 * 20 + 20 * 2", "outputs"),
            ("answer_1 = 3 + 20 + 20 + 2", "circles"),
            ("answer_1 = 3 * 20 + 20 * 20 + 20 * 2 + 3", "each unit"),
        ],
        2: [
            ("answer_2 = np.tanh(2 * np.tanh(1) - 1)", "last layer"),
            ("answer_2 = 5 * 0 + 2 * 1 - 1", "hidden layer"),
            ("answer_2 = 7 * np.tanh(-1) - 1", "columns"),
            ("answer_2 = 2 * np.tanh(5) - 1", "b0"),
            ("answer_2 = 2 * np.tanh(1)", "b1"),
            ("answer_2 = 2 * (np.tanh(5) - 4) - 1", "before the tanh"),
            ("answer_2 = 0.52", "decimals"),
        ],
        3: [
            (
                "def answer_3(params, x):\n"
                "    h = x\n"
                "    for W, b in params:\n"
                "        h = np.tanh(h @ W.T) + b\n"
                "    return h",
                "both",
            ),
            (
                "def answer_3(params, x):\n"
                "    h = x\n"
                "    for W, b in params:\n"
                "        h = np.tanh(h @ W.T + b)\n"
                "    return h",
                "a tanh on the last layer",
            ),
            (
                "def answer_3(params, x):\n"
                "    h = x\n"
                "    for W, b in params[:-1]:\n"
                "        h = np.tanh(h @ W.T) + b\n"
                "    return h @ params[-1][0].T + params[-1][1]",
                "a bias after the tanh",
            ),
            (
                "def answer_3(params, x):\n"
                "    h = x\n"
                "    for W, b in params:\n"
                "        h = h @ W.T + b\n"
                "    return h",
                "no tanh",
            ),
            (
                "def answer_3(params, x):\n"
                "    h = x\n"
                "    for W, b in params[:-1]:\n"
                "        h = np.tanh(h @ W.T)\n"
                "    return h @ params[-1][0].T",
                "biases are gone",
            ),
            (
                "def answer_3(params, x):\n"
                "    h = x\n"
                "    for k, (W, b) in enumerate(params):\n"
                "        h = h @ W.T + b\n"
                "        h = np.tanh(h) if k < 2 else h\n"
                "    return h",
                "sizes",
            ),
            ("answer_3 = mended(params, x)", "not a function"),
        ],
    },
    "01_tensors": {
        1: [
            ("answer_1 = lambda a: torch.from_numpy(a)", "dtype"),
            ("answer_1 = lambda a: torch.from_numpy(a).float()", "share"),
            ("answer_1 = lambda a: torch.tensor(a)", "dtype"),
            ("answer_1 = lambda a: torch.tensor(a, dtype=torch.float32)", "stride"),
            ("answer_1 = lambda a: torch.from_numpy(a).float().clone()", "stride"),
            ("answer_1 = lambda a: torch.from_numpy(a[::-1].copy()).float()", "hold"),
            ("answer_1 = lambda a: a.astype(np.float32)", "tensor"),
        ],
        2: [
            ("answer_2 = lambda pred, target: ((pred - target) ** 2).mean()", "every"),
            ("answer_2 = lambda pred, target: ((pred - target.reshape(-1, 1)) ** 2).mean()", "every"),
            ("answer_2 = lambda pred, target: ((pred.reshape(-1) - target.reshape(-1)) ** 2).sum()", "sum"),
            (
                "answer_2 = lambda pred, target: ((pred.reshape(-1) - target.reshape(-1)) ** "
                "2).mean().sqrt()",
                "root",
            ),
        ],
        3: [
            ("answer_3 = 2**24", "exactly"),
            ("answer_3 = 2**24 + 2", "exactly"),
            ("answer_3 = 2**23 + 1", "exactly"),
            ("answer_3 = 2**53 + 1", "float64"),
            ("answer_3 = 2**32", "differs"),
        ],
        4: [
            ("answer_4 = 6", "second"),
            ("answer_4 = 13", "second"),
            ("answer_4 = 20", "differs"),
            ("answer_4 = 2.0**-8", "not the step"),
            ("answer_4 = -8", "sign"),
        ],
    },
    "02_modules": {
        1: [
            ("answer_1 = 3 * 20 + 20 * 20 + 20 * 1", "weights"),
            ("answer_1 = 20 + 20 + 1", "biases"),
            ("answer_1 = 524", "inputs"),
            ("answer_1 = torch.tensor(520)", "last layer"),
            ("answer_1 = 37", "above"),
            ("answer_1 = 441", "differs"),
        ],
        2: [
            ("answer_2 = ['a.weight', 'a.bias', 'd']", "missing"),
            ("answer_2 = ['a.weight', 'd', 'e']", "missing"),
            ("answer_2 = ['a', 'd', 'e']", "module"),
            ("answer_2 = ['a.weight', 'a.bias', 'c', 'd', 'e']", "'c'"),
            ("answer_2 = ['a.weight', 'a.bias', 'b.0.weight', 'b.0.bias', 'd', 'e']", "'b.0.weight'"),
            ("answer_2 = 'a.weight'", "list"),
        ],
        3: [
            (
                "class Deep(nn.Module):\n"
                "    def __init__(self, width, depth):\n"
                "        super().__init__()\n"
                "        self.first = nn.Linear(1, width)\n"
                "        self.hidden = [nn.Linear(width, width) for _ in range(depth)]\n"
                "        self.last = nn.Linear(width, 1)\n"
                "\n"
                "    def forward(self, x):\n"
                "        x = torch.tanh(self.first(x))\n"
                "        for layer in self.hidden:\n"
                "            x = torch.tanh(layer(x))\n"
                "        return self.last(x)\n"
                "\n"
                "answer_3 = Deep",
                "not registered",
            ),
            (
                "class Deep(nn.Module):\n"
                "    def __init__(self, width, depth):\n"
                "        super().__init__()\n"
                "        self.first = nn.Linear(1, width)\n"
                "        self.hidden = nn.ModuleList([nn.Linear(width, width)] * depth)\n"
                "        self.last = nn.Linear(width, 1)\n"
                "\n"
                "    def forward(self, x):\n"
                "        x = torch.tanh(self.first(x))\n"
                "        for layer in self.hidden:\n"
                "            x = torch.tanh(layer(x))\n"
                "        return self.last(x)\n"
                "\n"
                "answer_3 = Deep",
                "again",
            ),
            (
                "class Deep(nn.Module):\n"
                "    def __init__(self, width, depth):\n"
                "        super().__init__()\n"
                "        self.first = nn.Linear(1, width)\n"
                "        self.hidden = nn.Sequential(\n"
                "            *[nn.Linear(width, width) for _ in range(depth)])\n"
                "        self.last = nn.Linear(width, 1)\n"
                "\n"
                "    def forward(self, x):\n"
                "        return self.last(self.hidden(torch.tanh(self.first(x))))\n"
                "\n"
                "answer_3 = Deep",
                "output",
            ),
            (
                "class Deep(nn.Module):\n"
                "    def __init__(self, width, depth):\n"
                "        super().__init__()\n"
                "        self.first = nn.Linear(1, width)\n"
                "        self.hidden = [nn.Linear(width, width) for _ in range(depth)]\n"
                "        self.copy = nn.ModuleList(\n"
                "            nn.Linear(width, width) for _ in range(depth))\n"
                "        self.last = nn.Linear(width, 1)\n"
                "\n"
                "    def forward(self, x):\n"
                "        x = torch.tanh(self.first(x))\n"
                "        for layer in self.hidden:\n"
                "            x = torch.tanh(layer(x))\n"
                "        return self.last(x)\n"
                "\n"
                "answer_3 = Deep",
                "not registered",
            ),
            ("answer_3 = MLP([1, 8, 8, 8, 8, 1])", "class"),
            ("answer_3 = MLP", "raised"),
        ],
        4: [
            ("def answer_4(state):\n    return state", "has no"),
            (
                "def answer_4(state):\n"
                '    return {key.replace("net", "layers"): p\n'
                "            for key, p in state.items()}",
                "has no",
            ),
            (
                "def answer_4(state):\n"
                "    result = {}\n"
                "    for key, p in state.items():\n"
                "        k = int(key[4])\n"
                "        result[f\"layers.{k // 2}.{key.split('.')[-1]}\"] = p\n"
                "    return result",
                "lost",
            ),
            (
                "def answer_4(state):\n"
                "    names = list(MLP([2, 4, 4, 1]).state_dict())\n"
                "    return dict(zip(names, state.values()))",
                "lost",
            ),
            (
                "def answer_4(state):\n"
                "    result = {}\n"
                "    for key, p in state.items():\n"
                '        _, k, kind = key.split(".")\n'
                '        result[f"layers.{len(state) // 2 - 1 - int(k) // 2}.{kind}"] = p\n'
                "    return result",
                "shape",
            ),
            (
                "def answer_4(state):\n"
                "    return {key: torch.zeros_like(p) for key, p in\n"
                '            ((k.replace(k.split(".")[1], str(int(k.split(".")[1]) // 2))\n'
                '              .replace("net", "layers"), p) for k, p in state.items())}',
                "outputs differ",
            ),
        ],
    },
    "03_equivalence": {
        1: [
            (
                "\n"
                "def answer_1(params, x):\n"
                "    h = x\n"
                "    for W, b in params:\n"
                "        h = np.maximum(h @ W.T + b, 0)\n"
                "    return h\n",
                "last layer",
            ),
            ("answer_1 = forward", "still tanh"),
            (
                "\n"
                "def answer_1(params, x):\n"
                "    h = x\n"
                "    for k, (W, b) in enumerate(params):\n"
                "        z = h @ W.T + b\n"
                "        h = np.max(z) if k < len(params) - 1 else z\n"
                "    return h\n",
                "raised",
            ),
            ("answer_1 = lambda p, x: forward_with(np.abs, p, x)", "negative z"),
            ("answer_1 = lambda p, x: forward_with(lambda z: z, p, x)", "nothing stands"),
            ("answer_1 = np.maximum(y64, 0)", "function"),
        ],
        2: [
            ("answer_2 = 'b'", "another line"),
            ("answer_2 = 'bc'", "another line"),
            ("answer_2 = 'bcef'", "without an error"),
            ("answer_2 = ['a', 'b', 'c', 'e']", "without an error"),
            ("answer_2 = 'bcez'", "from a to f"),
        ],
        3: [
            ("answer_3 = to_numpy", "changed with the network"),
            (
                "\n"
                "def answer_3(net):\n"
                "    return [(layer.weight.detach().numpy().copy(),\n"
                "             layer.bias.detach().numpy()) for layer in net.layers]\n",
                "b of layer 0 changed",
            ),
            ("answer_3 = lambda net: list(to_numpy(net))", "changed with the network"),
            ("answer_3 = lambda net: params", "differs"),
            ("answer_3 = to_numpy(net)", "function"),
            ("answer_3 = lambda net: net.state_dict()", "three pairs"),
        ],
        4: [
            ("answer_4 = points64", "agree on these points"),
            ("answer_4 = np.zeros((5, 2))", "agree on these points"),
            ("answer_4 = [3, 3]", "shape"),
            ("answer_4 = np.full((2, 5), 3.0)", "shape"),
            ("answer_4 = [[10, 10]]", "between"),
            ("answer_4 = 3 * np.ones((6, 2))", "one to five"),
        ],
    },
    "04_initialisation": {
        1: [
            ("answer_1 = math.sqrt(2 / 102)", "std"),
            ("answer_1 = 1 / math.sqrt(2)", "default"),
            ("answer_1 = math.sqrt(3 / 2)", "n_in"),
            ("answer_1 = 2 / 102", "variance"),
            ("answer_1 = -math.sqrt(6 / 102)", "sign"),
            ("answer_1 = (-math.sqrt(6 / 102), math.sqrt(6 / 102))", "alone"),
            (
                "torch.manual_seed(0)\nanswer_1 = nn.init.xavier_uniform_(torch.empty(100, 2)).abs().max()",
                "sample",
            ),
        ],
        2: [
            ("answer_2 = 0.005 / (0.2 / math.sqrt(600))", "mean"),
            ("answer_2 = 0.205 - 0.2", "gap"),
            ("answer_2 = 2.5", "per cent"),
            ("answer_2 = 0.2 / math.sqrt(2 * 599)", "divide"),
        ],
        3: [
            ("def answer_3(module):\n    pass", "default"),
            ("answer_3 = xavier", "Xavier"),
            (
                "def answer_3(module):\n"
                "    nn.init.normal_(module.weight, std=0.1)\n"
                "    nn.init.zeros_(module.bias)",
                "AttributeError",
            ),
            (
                "def answer_3(module):\n"
                "    if isinstance(module, nn.Linear):\n"
                "        n = module.in_features\n"
                "        nn.init.normal_(module.weight, std=1 / n)\n"
                "        nn.init.zeros_(module.bias)",
                "variance",
            ),
            (
                "def answer_3(module):\n"
                "    if isinstance(module, nn.Linear):\n"
                "        n = module.weight.shape[0]\n"
                "        nn.init.normal_(module.weight, std=n**-0.5)\n"
                "        nn.init.zeros_(module.bias)",
                "swapped",
            ),
            (
                "def answer_3(module):\n"
                "    if isinstance(module, nn.Linear):\n"
                "        n = module.in_features\n"
                "        nn.init.normal_(module.weight, std=n**-0.5)",
                "biases",
            ),
            (
                "def answer_3(module):\n"
                "    if isinstance(module, nn.Linear):\n"
                "        a = (3 / module.in_features) ** 0.5\n"
                "        nn.init.uniform_(module.weight, -a, a)\n"
                "        nn.init.zeros_(module.bias)",
                "normal",
            ),
            (
                "def answer_3(module):\n"
                "    if isinstance(module, nn.Linear):\n"
                "        module.weight.normal_()",
                "RuntimeError",
            ),
        ],
        4: [
            ("answer_4 = 12.57", "whole"),
            ("answer_4 = 12", "above"),
            ("answer_4 = 7", "variance"),
            ("answer_4 = math.log(1000) / math.log(math.sqrt(3))", "whole"),
            ("answer_4 = 20", "depth"),
        ],
    },
    "05_requires_grad": {
        1: [
            ("answer_1 = 48", "depend on a"),
            ("answer_1 = 24.0", "second factor"),
            ("answer_1 = torch.tensor(6.0)", "before the bracket"),
            ("answer_1 = -30.0", "sign"),
            ("answer_1 = [48]", "depend on a"),
            ("answer_1 = (30, 1)", "shape"),
        ],
        2: [
            (
                "\n"
                "def answer_2(w, b, x, t):\n"
                "    y = np.tanh(w * x + b)\n"
                "    return 2 * (y - t) * x, 2 * (y - t)\n",
                "slope of tanh is missing",
            ),
            (
                "\n"
                "def answer_2(w, b, x, t):\n"
                "    y = np.tanh(w * x + b)\n"
                "    d = (y - t) * (1 - y**2)\n"
                "    return d * x, d\n",
                "factor of two",
            ),
            (
                "\n"
                "def answer_2(w, b, x, t):\n"
                "    y = np.tanh(w * x + b)\n"
                "    d = 2 * (y - t) * (1 - y**2)\n"
                "    return d, d\n",
                "factor x",
            ),
            (
                "\n"
                "def answer_2(w, b, x, t):\n"
                "    y = np.tanh(w * x + b)\n"
                "    d = 2 * (y - t) * (1 - y**2)\n"
                "    return d, d * x\n",
                "order",
            ),
            (
                "\n"
                "def answer_2(w, b, x, t):\n"
                "    y = np.tanh(w * x + b)\n"
                "    d = 2 * (t - y) * (1 - y**2)\n"
                "    return d * x, d\n",
                "sign",
            ),
            (
                "\n"
                "def answer_2(w, b, x, t):\n"
                "    y = np.tanh(w * x + b)\n"
                "    return 2 * (y - t) * (1 - y**2) * x\n",
                "shape",
            ),
            ("answer_2 = lambda w, b, x, t: None", "not a number"),
            ("answer_2 = (0.1, 0.2)", "function"),
        ],
        3: [
            (
                "\n"
                "def answer_3(net, x, t, lr, steps):\n"
                "    for k in range(steps):\n"
                "        ((net(x) - t) ** 2).mean().backward()\n"
                "        for p in net.parameters():\n"
                "            p = p - lr * p.grad\n",
                "has not moved",
            ),
            (
                "\n"
                "def answer_3(net, x, t, lr, steps):\n"
                "    for k in range(steps):\n"
                "        ((net(x) - t) ** 2).mean().backward()\n"
                "        with torch.no_grad():\n"
                "            for p in net.parameters():\n"
                "                p -= lr * p.grad\n",
                "old gradients",
            ),
            (
                "\n"
                "def answer_3(net, x, t, lr, steps):\n"
                "    for k in range(steps):\n"
                "        net.zero_grad()\n"
                "        ((net(x) - t) ** 2).mean().backward()\n"
                "        for p in net.parameters():\n"
                "            p -= lr * p.grad\n",
                "in-place",
            ),
            (
                "\n"
                "def answer_3(net, x, t, lr, steps):\n"
                "    for k in range(steps):\n"
                "        net.zero_grad()\n"
                "        ((net(x) - t) ** 2).mean().backward()\n"
                "        with torch.no_grad():\n"
                "            for p in net.parameters():\n"
                "                p += lr * p.grad\n",
                "uphill",
            ),
            ("answer_3 = lambda net, x, t, lr, steps: None", "has not moved"),
            ("answer_3 = losses", "function"),
        ],
        4: [
            (
                "\n"
                "def answer_4(net, points):\n"
                "    p = points.requires_grad_()\n"
                "    g, = torch.autograd.grad(net(p).sum(), p)\n"
                "    h, = torch.autograd.grad(g[:, 0].sum(), p)\n"
                "    return g[:, 1:] - h[:, :1]\n",
                "raised",
            ),
            (
                "\n"
                "def answer_4(net, points):\n"
                "    p = points.requires_grad_()\n"
                "    g, = torch.autograd.grad(net(p).sum(), p, create_graph=True)\n"
                "    h, = torch.autograd.grad(g[:, 0].sum(), p)\n"
                "    return (g[:, 1:] - h[:, :1]).detach()\n",
                "recorded",
            ),
            (
                "\n"
                "def answer_4(net, points):\n"
                "    p = points.requires_grad_()\n"
                "    g, = torch.autograd.grad(net(p).sum(), p, create_graph=True)\n"
                "    return g[:, 1:] - g[:, :1]\n",
                "first derivative",
            ),
            (
                "\n"
                "def answer_4(net, points):\n"
                "    p = points.requires_grad_()\n"
                "    g, = torch.autograd.grad(net(p).sum(), p, create_graph=True)\n"
                "    h, = torch.autograd.grad(g[:, 1].sum(), p, create_graph=True)\n"
                "    return g[:, :1] - h[:, 1:]\n",
                "changed places",
            ),
            (
                "\n"
                "def answer_4(net, points):\n"
                "    p = points.requires_grad_()\n"
                "    g, = torch.autograd.grad(net(p).sum(), p, create_graph=True)\n"
                "    h, = torch.autograd.grad(g.sum(), p, create_graph=True)\n"
                "    return g[:, 1:] - h[:, :1]\n",
                "mixed",
            ),
            (
                "\n"
                "def answer_4(net, points):\n"
                "    p = points.requires_grad_()\n"
                "    g, = torch.autograd.grad(net(p).sum(), p, create_graph=True)\n"
                "    h, = torch.autograd.grad(g[:, 0].sum(), p, create_graph=True)\n"
                "    return g[:, 1:] - h\n",
                "shape",
            ),
            ("answer_4 = lambda net, points: net(points)", "differs"),
            ("answer_4 = lambda net, points: 0.0", "tensor"),
        ],
    },
    "06_init_order": {
        1: [
            ("answer_1 = [[88, 124, 132, 140], [44, 80, 132, 140]]", "bias"),
            ("answer_1 = [[108, 144, 152, 160], [51, 87, 152, 160]]", "first position is 0"),
            ("answer_1 = [[50, 86, 151, 159], [107, 143, 151, 159]]", "swapped"),
            ("answer_1 = [[107, 143, 151, 159], [107, 143, 151, 159]]", "encoder's Xavier"),
            ("answer_1 = [[0, 36, 44, 52], [50, 86, 151, 159]]", "defaults"),
            ("answer_1 = [107, 143, 151, 159]", "shape"),
        ],
        2: [
            ("answer_2 = [create2, xavier2, create1, xavier1]", "W1 and W2"),
            ("answer_2 = [create2, create1, xavier2, xavier1]", "W1 and W2"),
            ("answer_2 = [create1, create2, xavier1, xavier2]", "begin with create2"),
            ("answer_2 = [create2, xavier1, create1, xavier2]", "before it exists"),
            ("answer_2 = [create2, create1, xavier1]", "four lines"),
        ],
        3: [
            (
                "def answer_3(net):\n"
                "    torch.manual_seed(0)\n"
                "    for layer in net.modules():\n"
                "        if isinstance(layer, nn.Linear):\n"
                "            nn.init.xavier_uniform_(layer.weight)\n"
                "            nn.init.zeros_(layer.bias)",
                "another order",
            ),
            (
                "def answer_3(net):\n"
                "    for layer in net.modules():\n"
                "        if isinstance(layer, nn.Linear):\n"
                "            own = torch.Generator().manual_seed(0)\n"
                "            nn.init.xavier_uniform_(layer.weight, generator=own)\n"
                "            nn.init.zeros_(layer.bias)",
                "two layers",
            ),
            (
                "def answer_3(net):\n"
                "    for name, layer in net.named_modules():\n"
                "        if isinstance(layer, nn.Linear):\n"
                "            own = torch.Generator().manual_seed(hash(name) % 2**32)\n"
                "            nn.init.xavier_uniform_(layer.weight, generator=own)\n"
                "            nn.init.zeros_(layer.bias)",
                "crc32",
            ),
            (
                "def answer_3(net):\n"
                "    for name, layer in net.named_modules():\n"
                "        if isinstance(layer, nn.Linear):\n"
                "            own = torch.Generator().manual_seed(zlib.crc32(name.encode()))\n"
                "            nn.init.xavier_uniform_(layer.weight, generator=own)",
                "bias",
            ),
            (
                "def answer_3(net):\n"
                "    for name, layer in net.named_modules():\n"
                "        if isinstance(layer, nn.Linear):\n"
                "            torch.manual_seed(zlib.crc32(name.encode()))\n"
                "            nn.init.xavier_normal_(layer.weight)\n"
                "            nn.init.zeros_(layer.bias)",
                "crc32",
            ),
            (
                "def answer_3(net):\n"
                "    for name, layer in net.named_modules():\n"
                "        if isinstance(layer, nn.Linear):\n"
                "            torch.manual_seed(zlib.crc32(name.encode()))\n"
                "            nn.init.xavier_uniform_(layer.weight)\n"
                "            nn.init.zeros_(layer.bias)",
                "torch's own generator",
            ),
        ],
    },
}
