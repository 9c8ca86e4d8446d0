# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return self.norm(x)


def get_inputs():
    return [torch.randn(256, 768)]


def get_init_inputs():
    return [768]
