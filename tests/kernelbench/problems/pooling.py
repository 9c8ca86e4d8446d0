# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, size, stride):
        super().__init__()
        self.pool = nn.MaxPool2d(size, stride, padding=1, return_indices=True)

    def forward(self, x):
        return self.pool(x)


def get_inputs():
    return [torch.randn(8, 16, 48, 48)]


def get_init_inputs():
    return [3, 2]
