# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import torch.nn as nn


class Model(nn.Module):
    """A dict with a nested tuple, an integer output and a plain number."""

    def forward(self, batch):
        x, mask = batch["x"], batch["mask"]
        kept = torch.where(mask, x, torch.zeros_like(x))
        top, index = torch.topk(kept, 5, dim=1)
        return {"top": (top, index), "mean": [kept.mean(dim=1)], "rows": x.shape[0]}


def get_inputs():
    x = torch.randn(128, 256)
    return [{"x": x, "mask": torch.rand(128, 256) < 0.7}]


def get_init_inputs():
    return []
