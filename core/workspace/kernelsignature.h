// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace ako {

// A parameter of the function that is timed, by how it is declared: pointers to const are inputs, others outputs,
// integers sizes, other numbers scalars.
struct KernelParameter
{
    enum class Kind { Input, Output, Axis, Scalar, Stream, Unknown };
    Kind kind = Kind::Unknown;
    QString name;
    QString type;           // as written
    QString dtype;          // of elements or of the value
    QString length;         // of a pointer: an expression over the axes; empty: unknown
    bool isAddedTo = false; // an output whose old content is read
    double scalar = 1.0;
    bool isScalarKnown = false;
};

KernelParameter parameterFrom(const QString &declaration);

} // namespace ako
