// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workspace/sizescanner.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>

namespace ako {

// A function defined at namespace scope.
struct FunctionFact
{
    QString name;
    int line = 0; // 1-based
    bool isExternC = false;
    bool isStatic = false;            // or in an anonymous namespace: not visible to other files
    bool isGlobal = false;            // __global__
    bool hasPointers = false;         // takes a pointer
    QString parameters;               // as written, white space collapsed
    QString returns;                  // "void", "int", "float *"
    qsizetype body = -1;              // where it begins in the text
    QMap<QString, QString> lengths{}; // of a pointer's target, over its own sizes, where its index expressions tell it
    QStringList passedOn{};           // pointers that it only hands on whole
    QStringList addedTo{};            // pointers whose targets it changes by what they held
    QList<CallFact> calls{};          // where it hands some on
};

struct IncludeFact
{
    QString path; // as written between the quotes
    int line = 0;
};

// What a C, C++, CUDA or HIP file defines and uses. Comments, strings and preprocessor lines are understood.
struct SourceFacts
{
    QString path; // workspace-relative
    QList<FunctionFact> functions;
    QList<IncludeFact> localIncludes; // #include "..." only
    QStringList systemIncludes;
    QSet<QString> calls; // identifiers followed by "(" inside function bodies
    bool hasMain = false;
    int mainLine = 0;
    SizeFacts sizes; // only where it has a main()

    bool isHeader() const;
    const FunctionFact *definition(const QString &symbol) const;
};

SourceFacts scanSource(const QString &path, const QByteArray &text);

// The text with comments and the contents of string and character literals blanked out; line breaks stay where they
// are, so that places agree with the original.
QByteArray withoutCommentsAndStrings(const QByteArray &text);

} // namespace ako
