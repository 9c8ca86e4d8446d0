// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/planfields.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMap>

#include <algorithm>

namespace ako::planning {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Plan", text);
}

class DependencyFinder
{
public:
    DependencyFinder(const Inventory &inventory, const QStringList &references, PlanField &field, QStringList &warnings)
        : m_inventory(inventory)
        , m_references(references)
        , m_field(field)
        , m_warnings(warnings)
    {
    }

    QStringList run(const QStringList &files)
    {
        m_files = files;
        m_top = QFileInfo(files.value(0)).path();
        qsizetype followed = 0;
        do {
            for (; followed < m_files.size(); ++followed) {
                const QString file = m_files[followed]; // a copy: the list grows
                followIncludes(file);
                followImports(file);
            }
            addDefiners();
        } while (followed < m_files.size());
        std::sort(m_files.begin() + files.size(), m_files.end());
        return m_files;
    }

private:
    void add(const QString &file, const Evidence &evidence)
    {
        if (m_files.contains(file))
            return;
        m_files.append(file);
        m_field.evidence.append(evidence);
    }

    void followIncludes(const QString &file)
    {
        const SourceFacts *source = m_inventory.source(file);
        if (!source)
            return;
        for (const IncludeFact &include : source->localIncludes) {
            const QString path = QDir::cleanPath(QFileInfo(file).path() + QLatin1Char('/') + include.path);
            if (m_inventory.contains(path))
                add(path, {file, include.line, tr("includes %1, which goes with it").arg(path)});
            else
                warnIfElsewhere(file, include);
        }
    }

    // Of a Python file: modules and packages beside it or beside the kernel, and sources that it has compiled.
    void followImports(const QString &file)
    {
        const PythonNeeds *needs = m_inventory.pythonFile(file);
        if (!needs)
            return;
        const QString folder = QFileInfo(file).path();
        for (auto it = needs->imports.cbegin(); it != needs->imports.cend(); ++it) {
            const qsizetype dots =
                std::find_if(it.key().cbegin(), it.key().cend(), [](QChar c) { return c != u'.'; }) - it.key().cbegin();
            QString start = dots > 0 ? folder : m_top;
            for (qsizetype level = 1; level < dots; ++level)
                start += QLatin1String("/..");
            addModule(file, it.value(), start, it.key().mid(dots).split(QLatin1Char('.')));
        }
        for (const QString &mention : needs->mentions)
            addIfThere(QDir::cleanPath(folder + QLatin1Char('/') + mention), file, 0);
    }

    void addModule(const QString &file, int line, const QString &start, const QStringList &names)
    {
        QString path = start;
        for (const QString &name : names) {
            path += QLatin1Char('/') + name;
            addIfThere(QDir::cleanPath(path + QLatin1String(".py")), file, line);
            addIfThere(QDir::cleanPath(path + QLatin1String("/__init__.py")), file, line);
        }
    }

    void addIfThere(const QString &path, const QString &file, int line)
    {
        if (path != file && m_inventory.contains(path))
            add(path, {file, line, tr("uses %1, which goes with it").arg(path)});
    }

    // Not beside the file that includes it: the user's build finds it by an include path, the evaluator's will not.
    void warnIfElsewhere(const QString &file, const IncludeFact &include)
    {
        const QString suffix = QLatin1Char('/') + include.path;
        for (const QString &other : m_inventory.files) {
            if (other != include.path && !other.endsWith(suffix))
                continue;
            m_warnings.append(
                tr("%1:%2 includes \"%3\", which lies at %4 and not beside it: the copy in solution/ will not "
                   "find it. Write the path relative to the file that includes it.")
                    .arg(file)
                    .arg(include.line)
                    .arg(include.path, other));
            return;
        }
    }

    // What the files call and do not define, where exactly one other file defines it.
    void addDefiners()
    {
        QSet<QString> wanted;
        for (const QString &file : std::as_const(m_files)) {
            if (const SourceFacts *source = m_inventory.source(file))
                wanted += source->calls;
        }
        for (const QString &file : std::as_const(m_files)) {
            const SourceFacts *source = m_inventory.source(file);
            for (const FunctionFact &function : source ? source->functions : QList<FunctionFact>())
                wanted.remove(function.name);
        }
        const QMap<QString, QList<const SourceFacts *>> definers = definersOf(wanted);
        for (auto it = definers.cbegin(); it != definers.cend(); ++it) {
            const FunctionFact *function = it->size() == 1 ? it->first()->definition(it.key()) : nullptr;
            if (function)
                add(it->first()->path, {it->first()->path, function->line,
                                        tr("defines %1(), which the kernel calls").arg(function->name)});
        }
    }

    QMap<QString, QList<const SourceFacts *>> definersOf(const QSet<QString> &wanted) const
    {
        QMap<QString, QList<const SourceFacts *>> definers;
        for (const SourceFacts &source : m_inventory.sources) {
            if (source.isHeader() || source.hasMain || m_references.contains(source.path) ||
                m_files.contains(source.path))
                continue;
            for (const FunctionFact &function : source.functions) {
                if (!function.isStatic && wanted.contains(function.name))
                    definers[function.name].append(&source);
            }
        }
        return definers;
    }

    const Inventory &m_inventory;
    QStringList m_references;
    PlanField &m_field;
    QStringList &m_warnings;
    QStringList m_files;
    QString m_top; // where the kernel itself lies
};

} // namespace

QStringList withDependencies(const Inventory &inventory, const QStringList &files, const QStringList &references,
                             PlanField &field, QStringList &warnings)
{
    return DependencyFinder(inventory, references, field, warnings).run(files);
}

} // namespace ako::planning
