# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, logits, labels):
        return F.cross_entropy(logits, labels)


def get_inputs():
    return [torch.randn(1024, 100), torch.randint(0, 100, (1024,))]


def get_init_inputs():
    return []
