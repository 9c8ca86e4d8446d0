// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/kernelsignature.h"

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

namespace ako {

namespace {

QString dtypeOf(const QString &type)
{
    static const QHash<QString, QString> known{{QStringLiteral("float"), QStringLiteral("float32")},
                                               {QStringLiteral("double"), QStringLiteral("float64")},
                                               {QStringLiteral("int"), QStringLiteral("int32")},
                                               {QStringLiteral("int32_t"), QStringLiteral("int32")},
                                               {QStringLiteral("long"), QStringLiteral("int64")},
                                               {QStringLiteral("long long"), QStringLiteral("int64")},
                                               {QStringLiteral("int64_t"), QStringLiteral("int64")},
                                               {QStringLiteral("int16_t"), QStringLiteral("int16")},
                                               {QStringLiteral("short"), QStringLiteral("int16")},
                                               {QStringLiteral("int8_t"), QStringLiteral("int8")},
                                               {QStringLiteral("char"), QStringLiteral("int8")},
                                               {QStringLiteral("signed char"), QStringLiteral("int8")},
                                               {QStringLiteral("uint8_t"), QStringLiteral("uint8")},
                                               {QStringLiteral("unsigned char"), QStringLiteral("uint8")},
                                               {QStringLiteral("bool"), QStringLiteral("bool")},
                                               {QStringLiteral("__half"), QStringLiteral("float16")},
                                               {QStringLiteral("half"), QStringLiteral("float16")},
                                               {QStringLiteral("__nv_bfloat16"), QStringLiteral("bfloat16")},
                                               {QStringLiteral("nv_bfloat16"), QStringLiteral("bfloat16")}};
    return known.value(type);
}

bool isIndex(const QString &type)
{
    static const QStringList names{
        QStringLiteral("int"),      QStringLiteral("long"),          QStringLiteral("long long"),
        QStringLiteral("unsigned"), QStringLiteral("unsigned int"),  QStringLiteral("size_t"),
        QStringLiteral("int32_t"),  QStringLiteral("int64_t"),       QStringLiteral("uint32_t"),
        QStringLiteral("uint64_t"), QStringLiteral("unsigned long"), QStringLiteral("ptrdiff_t")};
    return names.contains(type);
}

} // namespace

KernelParameter parameterFrom(const QString &declaration)
{
    static const QRegularExpression shape(QStringLiteral("^(.*?)([*&\\s])\\s*(\\w+)\\s*(\\[\\s*\\])?$"));
    static const QRegularExpression noise(
        QStringLiteral("\\b(const|restrict|__restrict__|__restrict|std|struct)\\b|::|[*&]"));
    const auto match = shape.match(declaration.simplified());
    KernelParameter parameter;
    if (!match.hasMatch())
        return parameter;
    const QString declared = match.captured(1) + match.captured(2);
    parameter.name = match.captured(3);
    parameter.type = QString(declared).remove(noise).simplified();
    const bool isPointer = declared.contains(u'*') || !match.captured(4).isEmpty();
    const bool isConst = declared.contains(QRegularExpression(QStringLiteral("\\bconst\\b")));
    const bool isStream = parameter.type == QLatin1String("cudaStream_t") ||
                          (parameter.type == QLatin1String("void") && parameter.name == QLatin1String("stream"));
    parameter.dtype = dtypeOf(parameter.type);
    if (isStream)
        parameter.kind = KernelParameter::Kind::Stream;
    else if (isPointer && declared.count(u'*') <= 1 && !parameter.dtype.isEmpty())
        parameter.kind = isConst ? KernelParameter::Kind::Input : KernelParameter::Kind::Output;
    else if (!isPointer && !declared.contains(u'&') && isIndex(parameter.type))
        parameter.kind = KernelParameter::Kind::Axis;
    else if (!isPointer && !declared.contains(u'&') && !parameter.dtype.isEmpty())
        parameter.kind = KernelParameter::Kind::Scalar;
    return parameter;
}

} // namespace ako
