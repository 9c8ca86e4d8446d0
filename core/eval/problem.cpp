// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/problem.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ako::eval {

namespace {

constexpr std::array<std::pair<Distribution, std::string_view>, 10> distributionNames{{
    {Distribution::Normal, "normal"},
    {Distribution::Uniform, "uniform"},
    {Distribution::SignedUniform, "signed_uniform"},
    {Distribution::Constant, "constant"},
    {Distribution::Tiny, "tiny"},
    {Distribution::Large, "large"},
    {Distribution::Sparse, "sparse"},
    {Distribution::OneHot, "one_hot"},
    {Distribution::Sorted, "sorted"},
    {Distribution::Denormals, "denormals"},
}};

template <typename T>
const T *findByName(const std::vector<T> &items, const std::string &name)
{
    const auto found = std::find_if(items.begin(), items.end(), [&](const T &item) { return item.name == name; });
    return found == items.end() ? nullptr : &*found;
}

} // namespace

const Tensor *Problem::tensor(const std::string &wanted) const
{
    return findByName(tensors, wanted);
}

const Axis *Problem::axis(const std::string &wanted) const
{
    return findByName(axes, wanted);
}

const Scalar *Problem::scalar(const std::string &wanted) const
{
    return findByName(scalars, wanted);
}

std::vector<std::int64_t> shapeOf(const Tensor &tensor, const AxisValues &axes)
{
    std::vector<std::int64_t> shape;
    for (const std::string &extent : tensor.shape)
        shape.push_back(evaluateExpression(extent, axes));
    return shape;
}

std::int64_t elementsOf(const Tensor &tensor, const AxisValues &axes)
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shapeOf(tensor, axes))
        count *= extent;
    return count;
}

std::string_view distributionName(Distribution distribution)
{
    for (const auto &[value, name] : distributionNames) {
        if (value == distribution)
            return name;
    }
    return "normal";
}

std::optional<Distribution> distributionFromName(std::string_view name)
{
    if (name == "one-hot")
        name = "one_hot";
    for (const auto &[value, known] : distributionNames) {
        if (known == name)
            return value;
    }
    return std::nullopt;
}

} // namespace ako::eval
