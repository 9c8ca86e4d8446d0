// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace ako::acp {

// Takes out of a text what looks like a key: the values of this environment's variables that are named like one, and
// the forms that makers of keys give them. Best effort, for what is stored and shown.
class Secrets
{
public:
    explicit Secrets(const QProcessEnvironment &environment);

    void add(const QString &value); // one that is not in the environment
    QString masked(QString text) const;

private:
    QStringList m_values;
};

} // namespace ako::acp
