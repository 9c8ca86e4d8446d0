// SPDX-License-Identifier: GPL-3.0-or-later
#include "agents/acp/secrets.h"

#include <QRegularExpression>

#include <algorithm>

namespace ako::acp {

namespace {

constexpr qsizetype shortestSecret = 8;

} // namespace

Secrets::Secrets(const QProcessEnvironment &environment)
{
    static const QRegularExpression names(QStringLiteral("KEY|TOKEN|SECRET|PASSW|CREDENTIAL"),
                                          QRegularExpression::CaseInsensitiveOption);
    for (const QString &name : environment.keys()) {
        const QString value = environment.value(name).trimmed();
        if (value.size() >= shortestSecret && names.match(name).hasMatch())
            m_values << value;
    }
    // The longest first: one may be part of another.
    std::ranges::sort(m_values, [](const QString &a, const QString &b) { return a.size() > b.size(); });
}

void Secrets::add(const QString &value)
{
    if (value.size() >= shortestSecret && !m_values.contains(value))
        m_values.prepend(value);
}

QString Secrets::masked(QString text) const
{
    static const QRegularExpression forms(QStringLiteral(
        "\\b(?:sk|rk|pk)-[A-Za-z0-9_-]{16,}|\\bgh[pousr]_[A-Za-z0-9]{20,}|\\bgithub_pat_[A-Za-z0-9_]{20,}"
        "|\\bAIza[A-Za-z0-9_-]{30,}|\\bxox[abprs]-[A-Za-z0-9-]{10,}|\\bAKIA[A-Z0-9]{16}\\b"
        "|\\beyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}"
        "|(?<=Bearer )[A-Za-z0-9._~+/-]{16,}"));
    const QString mask = QStringLiteral("***");
    for (const QString &value : m_values)
        text.replace(value, mask);
    text.replace(forms, mask);
    return text;
}

} // namespace ako::acp
