// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace ako::test {

// Makes the folders above it. Fails the test where it cannot.
void writeFile(const QString &path, const QByteArray &content);
void writeProgram(const QString &path, const QByteArray &content); // that its owner may run
QByteArray readFile(const QString &path);                          // empty where there is none

} // namespace ako::test
