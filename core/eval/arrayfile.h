// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/dtype.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ako::eval {

// One array of a file that the user has. The form is told by the name's end: .npy and .npz (NumPy), .safetensors, and
// .bin (the elements alone, little-endian, row by row).
struct ArrayFile
{
    std::string path;
    std::string key; // of an .npz or .safetensors file; empty: its only array
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;

    std::size_t bytes() const;
};

bool isArrayFileName(const std::string &path);

// The array's bytes, row by row, into data[0 .. bytes()). Type and shape have to be those that are expected: nothing is
// converted. No Python object is ever made of a file. Throws Failure(ProblemError) that names the file.
void readArray(const ArrayFile &file, unsigned char *data);

} // namespace ako::eval
