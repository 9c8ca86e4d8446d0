// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/layout.h"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace ako::eval {

using nlohmann::json;

namespace {

constexpr std::size_t roundUp(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

template <typename T>
std::array<unsigned char, 8> cellOf(double value)
{
    T typed;
    if constexpr (std::is_floating_point_v<T>)
        typed = static_cast<T>(value);
    else if constexpr (std::is_same_v<T, bool>)
        typed = value != 0;
    else
        typed = static_cast<T>(std::llround(value));
    std::array<unsigned char, 8> cell{};
    std::memcpy(cell.data(), &typed, sizeof typed);
    return cell;
}

std::array<unsigned char, 8> smallCell(DType type, double value)
{
    std::array<unsigned char, 8> cell{};
    storeFloating(type, value, cell.data(), 0);
    return cell;
}

std::array<unsigned char, 8> scalarCell(DType type, double value, bool widened)
{
    switch (type) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float8E4M3:
    case DType::Float8E5M2:
        return widened ? cellOf<double>(roundedTo(type, value)) : smallCell(type, value);
    case DType::Float32: // the golden sees the number the kernel sees
        return widened ? cellOf<double>(static_cast<double>(static_cast<float>(value))) : cellOf<float>(value);
    case DType::Float64:
        return cellOf<double>(value);
    case DType::Int64:
        return cellOf<std::int64_t>(value);
    case DType::Int32:
        return cellOf<std::int32_t>(value);
    case DType::Int16:
        return cellOf<std::int16_t>(value);
    case DType::Int8:
        return cellOf<std::int8_t>(value);
    case DType::UInt8:
        return cellOf<std::uint8_t>(value);
    case DType::Bool:
        return cellOf<bool>(value);
    }
    return {};
}

BufferSpec specOf(const Tensor &tensor, const AxisValues &axes, bool widened)
{
    BufferSpec spec;
    spec.name = tensor.name;
    spec.dtype = tensor.dtype;
    spec.storage = widened && isFloating(tensor.dtype) ? DType::Float64 : tensor.dtype;
    const std::vector<std::int64_t> shape = shapeOf(tensor, axes);
    spec.count = static_cast<std::size_t>(elementsOf(tensor, axes));
    spec.rowLength = shape.empty() ? 1 : static_cast<std::size_t>(shape.back());
    spec.align = std::max(tensor.align, sizeOf(spec.storage));
    spec.isInput = tensor.isInput;
    spec.isOutput = tensor.isOutput;
    return spec;
}

} // namespace

std::size_t WorkloadLayout::slotBytes() const
{
    std::size_t total = 0;
    for (const BufferSpec &buffer : buffers)
        total += roundUp(buffer.bytes(), 4096) + 4 * 4096;
    return total;
}

std::size_t WorkloadLayout::outputStride() const
{
    return roundUp(outputOffset(0, buffers.size()), 4096);
}

std::size_t WorkloadLayout::outputOffset(std::size_t slot, std::size_t buffer) const
{
    std::size_t offset = slot == 0 ? 0 : slot * outputStride();
    for (std::size_t i = 0; i < buffer; ++i) {
        if (buffers[i].isOutput)
            offset += roundUp(buffers[i].bytes(), 64);
    }
    return offset;
}

WorkloadLayout makeLayout(const Problem &problem, const Workload &workload, bool widened, std::size_t slots)
{
    WorkloadLayout layout;
    for (const Tensor &tensor : problem.tensors)
        layout.buffers.push_back(specOf(tensor, workload.axes, widened));
    for (const Axis &axis : problem.axes)
        layout.axes.push_back(workload.axes.at(axis.name));
    for (const Scalar &scalar : problem.scalars)
        layout.scalars.push_back(scalarCell(scalar.dtype, workload.scalars.at(scalar.name), widened));
    layout.slots = slots;
    return layout;
}

json layoutToJson(const WorkloadLayout &layout)
{
    json buffers = json::array();
    for (const BufferSpec &buffer : layout.buffers) {
        buffers.push_back({{"name", buffer.name},
                           {"dtype", int(buffer.dtype)},
                           {"storage", int(buffer.storage)},
                           {"count", buffer.count},
                           {"row", buffer.rowLength},
                           {"align", buffer.align},
                           {"in", buffer.isInput},
                           {"out", buffer.isOutput}});
    }
    return {{"buffers", buffers}, {"axes", layout.axes}, {"scalars", layout.scalars}, {"slots", layout.slots}};
}

WorkloadLayout layoutFromJson(const json &object)
{
    WorkloadLayout layout;
    for (const json &item : object.at("buffers")) {
        BufferSpec spec;
        spec.name = item.at("name");
        spec.dtype = static_cast<DType>(item.at("dtype").get<int>());
        spec.storage = static_cast<DType>(item.at("storage").get<int>());
        spec.count = item.at("count");
        spec.rowLength = item.at("row");
        spec.align = item.at("align");
        spec.isInput = item.at("in");
        spec.isOutput = item.at("out");
        layout.buffers.push_back(spec);
    }
    layout.axes = object.at("axes").get<std::vector<std::int64_t>>();
    layout.scalars = object.at("scalars").get<std::vector<std::array<unsigned char, 8>>>();
    layout.slots = object.at("slots");
    return layout;
}

json ruleToJson(const InputRule &rule)
{
    json object{{"dist", int(rule.distribution)},
                {"mean", rule.mean},
                {"std", rule.std},
                {"value", rule.value},
                {"density", rule.density}};
    if (rule.low)
        object["low"] = *rule.low;
    if (rule.high)
        object["high"] = *rule.high;
    if (rule.distribution == Distribution::Stored)
        object["stored"] = {rule.offset, int(rule.fresh)};
    return object;
}

InputRule ruleFromJson(const json &object)
{
    InputRule rule;
    rule.distribution = static_cast<Distribution>(object.at("dist").get<int>());
    rule.mean = object.at("mean");
    rule.std = object.at("std");
    rule.value = object.at("value");
    rule.density = object.at("density");
    if (object.contains("low"))
        rule.low = object.at("low").get<double>();
    if (object.contains("high"))
        rule.high = object.at("high").get<double>();
    if (object.contains("stored")) {
        rule.offset = object.at("stored").at(0);
        rule.fresh = static_cast<Fresh>(object.at("stored").at(1).get<int>());
    }
    return rule;
}

} // namespace ako::eval
