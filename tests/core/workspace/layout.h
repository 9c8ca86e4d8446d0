// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QString>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

// A workspace as a table: path -> content. "link -> target" as the path makes a symbolic link.
using Layout = QMap<QString, QByteArray>;

inline void writeFile(const QString &path, const QByteArray &content)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    QCOMPARE(file.write(content), content.size());
}

inline QByteArray readFile(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void lay(const QString &root, const Layout &layout)
{
    for (auto it = layout.cbegin(); it != layout.cend(); ++it) {
        const QStringList link = it.key().split(QStringLiteral(" -> "));
        const QString path = root + QLatin1Char('/') + link.first();
        if (link.size() == 1) {
            writeFile(path, it.value());
            continue;
        }
        QDir().mkpath(QFileInfo(path).path());
        QCOMPARE(::symlink(QFile::encodeName(link.last()).constData(), QFile::encodeName(path).constData()), 0);
    }
}

// Every entry below a folder with all that a write would change.
inline QStringList treeState(const QString &root)
{
    QStringList state;
    QStringList paths{root};
    QDirIterator it(root, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                    QDirIterator::Subdirectories);
    while (it.hasNext())
        paths.append(it.next());
    for (const QString &path : std::as_const(paths)) {
        struct stat status = {};
        ::lstat(QFile::encodeName(path).constData(), &status);
        state.append(QStringLiteral("%1 %2 %3 %4.%5 %6.%7")
                         .arg(path)
                         .arg(status.st_mode)
                         .arg(status.st_size)
                         .arg(status.st_mtim.tv_sec)
                         .arg(status.st_mtim.tv_nsec)
                         .arg(status.st_ctim.tv_sec)
                         .arg(status.st_ctim.tv_nsec));
    }
    state.sort();
    return state;
}

inline QByteArray problemJson(const QByteArray &extra = {})
{
    return R"({"schema": "ako.problem/1", "name": "scale", "device": "cpu",
 "axes": {"n": {"type": "var"}},
 "inputs": {"x": {"shape": ["n"], "dtype": "float32"}},
 "outputs": {"y": {"shape": ["n"], "dtype": "float32"}},
 "entry": {"symbol": "scale_run", "args": ["x", "y", "n"]},
 "reference": {"source": "ref.cpp"},
 )" + extra +
           R"("workloads": [{"id": "main", "axes": {"n": 1024}, "inputs": {"x": {"type": "random", "dist": "normal", "std": 1.0}}}]}
)";
}

inline QByteArray kernelSource()
{
    return R"(#include <cstdint>
extern "C" void scale_run(const float *x, float *y, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        y[i] = 2.0f * x[i];
}
)";
}
