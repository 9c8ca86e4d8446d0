// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/functionsizes.h"

#include "workspace/indexextents.h"
#include "workspace/kernelsignature.h"

#include <algorithm>

namespace ako {

namespace {

constexpr qsizetype mostCalls = 40; // of one function

QString bodyAt(const QByteArray &text, qsizetype begin)
{
    int depth = 1;
    for (qsizetype at = begin; at < text.size(); ++at) {
        depth += text[at] == '{' ? 1 : 0;
        depth -= text[at] == '}' ? 1 : 0;
        if (depth == 0)
            return QString::fromUtf8(text.mid(begin, at - begin));
    }
    return {};
}

} // namespace

void addFunctionSizes(const QByteArray &blanked, SourceFacts &facts)
{
    // Only of files with something that could be timed, as big trees hold many others.
    const bool mayHoldKernel =
        std::ranges::any_of(facts.functions, [](const FunctionFact &f) { return f.isExternC || f.isGlobal; });
    for (FunctionFact &function : facts.functions) {
        if (!mayHoldKernel || !function.hasPointers || function.body < 0)
            continue;
        const QString body = bodyAt(blanked, function.body);
        QStringList names;
        for (const QString &parameter : function.parameters.split(u','))
            names.append(parameterFrom(parameter).name);
        const IndexExtents extents = indexExtents(body, names);
        function.lengths = extents.lengths;
        function.passedOn = extents.passedOn;
        function.addedTo = extents.addedTo;
        if (!function.passedOn.isEmpty())
            function.calls = scanSizes(body.toUtf8()).calls.mid(0, mostCalls);
    }
}

} // namespace ako
