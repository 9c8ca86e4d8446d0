// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace ako {

struct CallFact
{
    QString name;
    QStringList arguments; // as written, white space collapsed
    int line = 0;          // 1-based
};

// What a program that calls a kernel says about sizes.
struct SizeFacts
{
    QMap<QString, QString> constants; // "N" -> "1 << 20"
    QMap<QString, QStringList> lists; // what a loop goes through: "n" of "for (int n : {256, 1024})"
    QMap<QString, QString> lengths;   // a buffer's name -> its number of elements, or of bytes with a sizeof in it
    QList<CallFact> calls;
};

// `text` is a C or C++ source without comments and the contents of strings.
SizeFacts scanSizes(const QByteArray &text);

// An integer, as sources write it: "1 << 20", "1'000'000", "4096u". Empty: it is none.
QString plainInteger(const QString &text);

// "n = 4096" in a document: the name in lower case, and its values in their order, each once.
QMap<QString, QList<qint64>> documentedSizes(const QByteArray &text);

} // namespace ako
