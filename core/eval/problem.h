// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eval/dtype.h"
#include "eval/expression.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ako::eval {

// How an input's elements are drawn. Parameters have a meaning by distribution; see inputs.h.
enum class Distribution {
    Normal,
    Uniform,
    SignedUniform,
    Constant,
    Tiny,
    Large,
    Sparse,
    OneHot,
    Sorted,
    Denormals,
    Stored
};

// What makes the content of an input from a file another one in every call.
enum class Fresh {
    Jitter, // each element times a factor from 0.75 to 1.25; floating types
    Rows,   // the rows (of a vector: the elements) moved on in a circle
    None
};

struct InputRule
{
    Distribution distribution = Distribution::Normal;
    double mean = 0, std = 1;        // normal
    std::optional<double> low, high; // uniform, sorted: [low, high); integers: [low, high]
    double value = 1;                // constant, one-hot
    double density = 0.1;            // sparse
    std::string file, key;           // stored: relative to the problem's folder; key: of an archive
    Fresh fresh = Fresh::None;       // stored
    std::size_t offset = 0;          // stored: where StoredInputs put it
    bool operator==(const InputRule &) const = default;
};

struct Tensor
{
    std::string name;
    std::vector<std::string> shape; // expressions over the axes
    DType dtype = DType::Float32;
    std::size_t align = 64;                 // bytes
    bool isInput = false, isOutput = false; // both: inout
    bool vary = true;                       // may be drawn from other distributions than the declared one
};

struct Axis
{
    std::string name;
    enum class Kind { Variable, Constant, Expression } kind = Kind::Variable;
    std::int64_t value = 0;
    std::string expression;
};

struct Scalar
{
    std::string name;
    DType dtype = DType::Float32;
};

struct Tolerance
{
    std::optional<double> rtol, atol; // atol in units of the output
    std::optional<double> atolRms;    // in units of the golden's rms
    double matchedRatio = 1.0;
    double rmsFactor = 4.0; // error budget: rms(error) <= rmsFactor * reference's own error
};

struct Workload
{
    std::string id;
    AxisValues axes; // all of them, derived ones too
    double weight = 1;
    bool timed = true;
    std::map<std::string, InputRule> inputs;
    std::map<std::string, double> scalars;
    Tolerance tolerance;
    std::string place; // JSON pointer
};

inline constexpr const char *streamArgument = "@stream";

struct Work
{
    std::string readBytes, writeBytes;        // expressions, may be empty
    std::map<std::string, std::string> flops; // fp32, fp64, int
};

struct Reference
{
    std::vector<std::string> sources; // paths relative to the problem's folder
    std::string symbol, golden;       // golden: same arguments, floating tensors and scalars as double; may be empty
    std::vector<std::string> flags;
};

// problem.json, tag ako.problem/1, checked.
struct Problem
{
    std::string name, folder, path, hash;
    bool onGpu = false; // "device": "cuda"
    std::vector<Axis> axes;
    std::vector<Tensor> tensors; // inputs, then outputs
    std::vector<Scalar> scalars;
    std::string symbol;
    bool returnsInt = false;            // the entry returns an int, 0 for success
    std::vector<std::string> arguments; // names of tensors, axes, scalars in call order; streamArgument on a GPU
    std::optional<Reference> reference;
    std::optional<Work> work;
    std::vector<std::string> selfTestSkip; // zeros, shuffled, other_seed, input_copy
    bool demandsDeterminism = false;
    std::vector<Workload> workloads;

    const Tensor *tensor(const std::string &name) const;
    const Axis *axis(const std::string &name) const;
    const Scalar *scalar(const std::string &name) const;
};

std::vector<std::int64_t> shapeOf(const Tensor &tensor, const AxisValues &axes);
std::int64_t elementsOf(const Tensor &tensor, const AxisValues &axes);
std::string_view distributionName(Distribution distribution);
std::optional<Distribution> distributionFromName(std::string_view name);

// Reads and checks the file. Throws Failure(ProblemError or BadShape): broken JSON by line and column, everything else
// by the JSON pointer of the offending value.
Problem readProblem(const std::string &path);
Problem parseProblem(const std::string &text, const std::string &path);

} // namespace ako::eval
