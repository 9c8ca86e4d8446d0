# SPDX-License-Identifier: GPL-3.0-or-later
"""The references that the corpus of solutions is held against, and one problem as a folder."""

PROBLEMS = {
    "affine": """
import torch
def helper(x):
    return x * 2 + 1
class Model(torch.nn.Module):
    def forward(self, x):
        return helper(x)
def get_inputs():
    return [torch.randn(64, 96)]
def get_init_inputs():
    return []
""",
    "double": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2
def get_inputs():
    return [torch.randn(64, 96)]
def get_init_inputs():
    return []
""",
    "rows": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=1)
def get_inputs():
    return [torch.randn(200, 50)]
def get_init_inputs():
    return []
""",
    "product": """
import torch
class Model(torch.nn.Module):
    def forward(self, a, b):
        return a @ b
def get_inputs():
    a = torch.randn(16, 8192)
    return [a, torch.randn(8192, 16) - 1e-3 * a.t().sign()]
def get_init_inputs():
    return []
""",
    "small": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.where(x > 0, x, x * 1e-3)
def get_inputs():
    return [torch.randn(64, 96)]
def get_init_inputs():
    return []
""",
    "labels": """
import torch
class Model(torch.nn.Module):
    def forward(self, x, target):
        return torch.nn.functional.cross_entropy(x, target)
def get_inputs():
    return [torch.randn(128, 10), torch.randint(0, 10, (128,))]
def get_init_inputs():
    return []
""",
    "logarithm": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.log(x)
def get_inputs():
    return [torch.randn(64, 96)]
def get_init_inputs():
    return []
""",
    "dropout": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.5, True)
def get_inputs():
    return [torch.randn(64, 96)]
def get_init_inputs():
    return []
""",
    "work": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.softmax(torch.tanh(x * 1.5), dim=1)
def get_inputs():
    return [torch.randn(128, 1024)]
def get_init_inputs():
    return []
""",
    "twice": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        for _ in range(2):
            y = torch.softmax(torch.tanh(x * 1.5), dim=1)
        return y
def get_inputs():
    return [torch.randn(128, 1024)]
def get_init_inputs():
    return []
""",
    "constant": """
import torch
X = torch.linspace(-3, 3, 64 * 96).reshape(64, 96)
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2 + 1
def get_inputs():
    return [X]
def get_init_inputs():
    return []
""",
    "weak": """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.clamp(x, 5.0, 6.0) - 5.0
def get_inputs():
    return [torch.rand(64, 96)]
def get_init_inputs():
    return []
""",
}

DEFINITION = {
    "name": "scaled_rows",
    "axes": {"rows": {"type": "var"}, "cols": {"type": "var"}},
    "inputs": {"x": {"shape": ["rows", "cols"], "dtype": "float32"}},
    "outputs": {"y": {"shape": ["rows", "cols"], "dtype": "float32"}},
    "reference": "import torch\ndef run(x):\n    return x / x.abs().sum(dim=1, keepdim=True)\n",
}
WORKLOADS = [
    {"uuid": "main", "axes": {"rows": 32, "cols": 128}, "inputs": {"x": {"type": "random"}}},
    {"uuid": "odd", "axes": {"rows": 7, "cols": 37}, "inputs": {"x": {"type": "random"}}},
]
