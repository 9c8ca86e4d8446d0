# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.first = nn.Linear(features, hidden)
        self.norm = nn.BatchNorm1d(hidden)
        self.register_buffer("scale", torch.linspace(0.5, 2.0, hidden))
        self.register_buffer("order", torch.randperm(hidden))
        self.bias = nn.Parameter(torch.zeros(hidden))

    def forward(self, x):
        hidden = self.norm(self.first(x)) * self.scale
        return hidden[:, self.order] + self.bias


def get_inputs():
    return [torch.randn(128, 64)]


def get_init_inputs():
    return [64, 96]
