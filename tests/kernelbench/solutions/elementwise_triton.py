# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 1024}), triton.Config({"BLOCK": 2048})], key=["count"])
@triton.jit
def gate_kernel(x, y, out, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < count
    a = tl.load(x + offsets, mask=mask)
    b = tl.load(y + offsets, mask=mask)
    e = tl.exp(-2.0 * tl.abs(a))
    tanh = (1.0 - e) / (1.0 + e)
    tanh = tl.where(a < 0, -tanh, tanh)
    tl.store(out + offsets, tanh * tl.sigmoid(b) + a, mask=mask)


class ModelNew(torch.nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        gate_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel())
        return out
