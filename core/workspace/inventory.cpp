// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/inventory.h"

#include "workspace/detectors.h"
#include "workspace/filetree.h"
#include "workspace/hints.h"
#include "workspace/pythonparser.h"
#include "workspace/scaffold.h"
#include "workspace/statefolder.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace ako {

namespace {

constexpr qint64 textLimit = 2LL * 1024 * 1024;    // a source file that a person wrote is smaller
constexpr qint64 totalLimit = 128LL * 1024 * 1024; // of all that is read of one workspace
constexpr int sniffLimit = 2000;                   // data files looked at
constexpr qint64 parseLimit = 4LL * 1024 * 1024;   // of what Python itself reads; a cold start's time grows with it

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Inventory", text);
}

enum class Kind { Source, Python, Json, Script, Other };

Kind kindByName(const QString &path)
{
    const QFileInfo info(path);
    const QString suffix = info.suffix().toLower();
    if (detectors::isSourceName(path))
        return Kind::Source;
    if (suffix == QLatin1String("py"))
        return Kind::Python;
    if (suffix == QLatin1String("json"))
        return Kind::Json;
    const bool isMake = info.fileName().endsWith(QLatin1String("akefile"));
    return isMake || suffix == QLatin1String("sh") || suffix == QLatin1String("bash") ? Kind::Script : Kind::Other;
}

int depthOf(const QString &path)
{
    return int(path.count(QLatin1Char('/')));
}

class InventoryTaker
{
public:
    explicit InventoryTaker(const FileTree &tree)
        : m_tree(tree)
    {
        m_inventory.workspace = tree.root;
        m_inventory.notes = tree.notes;
        m_inventory.isCut = tree.isCut;
    }

    Inventory run()
    {
        QList<FileTree::File> files = m_tree.files;
        // What lies near the top matters most, should the limit on reading be met.
        std::stable_sort(files.begin(), files.end(), [](const FileTree::File &a, const FileTree::File &b) {
            return depthOf(a.path) < depthOf(b.path);
        });
        for (const FileTree::File &file : std::as_const(files)) {
            m_inventory.files.append(file.path);
            if (file.linkTarget.isEmpty()) // the file it leads to is looked at in its own place
                look(file);
        }
        lookAtPython();
        m_inventory.sortByPath();
        for (const PythonText &readme : std::as_const(m_readmes)) {
            detectors::detectDocumentedCommands(readme.path, readme.text, m_inventory);
            m_inventory.documentedSizes.insert(documentedSizes(readme.text));
        }
        if (m_unread > 0)
            m_inventory.notes.append(tr("%1 files were not looked into: the workspace is too big.").arg(m_unread));
        return m_inventory;
    }

private:
    void look(const FileTree::File &file)
    {
        const Kind kind = kindByName(file.path);
        if (kind == Kind::Other)
            lookAtOther(file);
        else if (file.size > textLimit)
            m_inventory.notes.append(tr("%1 was not looked into: it is larger than 2 MiB.").arg(file.path));
        else if (m_read > totalLimit)
            ++m_unread;
        else
            lookAtText(kind, file.path);
    }

    void lookAtText(Kind kind, const QString &path)
    {
        const Result<QByteArray> text = readFileHead(m_tree.root + QLatin1Char('/') + path, textLimit);
        if (!text) {
            m_inventory.notes.append(text.error().message);
            return;
        }
        m_read += text->size();
        if (kind == Kind::Source)
            detectors::detectSource(path, *text, m_inventory);
        else if (kind == Kind::Python)
            m_python.append({path, *text});
        else if (kind == Kind::Script)
            detectors::detectBenchScript(path, *text, m_inventory);
        else
            detectors::detectProblem(path, *text, m_inventory) ||
                detectors::detectDefinition(m_tree, path, *text, m_inventory);
    }

    // Python itself reads those that could matter, the nearest to the top first; the scanner what is left.
    void lookAtPython()
    {
        QList<PythonText> texts;
        QList<qsizetype> places;
        qint64 size = 0;
        for (qsizetype i = 0; i < m_python.size(); ++i) {
            if (!detectors::mayMatter(m_python[i].path, m_python[i].text) ||
                size + m_python[i].text.size() > parseLimit)
                continue;
            size += m_python[i].text.size();
            texts.append(m_python[i]);
            places.append(i);
        }
        QHash<qsizetype, PythonFacts> parsed;
        const QList<PythonFacts> facts = parsePython(texts.isEmpty() ? QString() : parsingPython(m_tree.root), texts);
        for (qsizetype i = 0; i < facts.size(); ++i)
            parsed.insert(places[i], facts[i]);
        for (qsizetype i = 0; i < m_python.size(); ++i)
            detectors::detectPython(m_python[i].path, m_python[i].text,
                                    parsed.contains(i) ? parsed[i] : scanPython(m_python[i].text), m_inventory);
    }

    void lookAtOther(const FileTree::File &file)
    {
        if (detectors::isReadme(file.path))
            lookAtReadme(file.path);
        if (detectors::detectKnowledge(file.path, m_inventory) || file.size == 0 || m_sniffed >= sniffLimit)
            return;
        ++m_sniffed;
        const Result<QByteArray> head = readFileHead(m_tree.root + QLatin1Char('/') + file.path, 512);
        if (head)
            detectors::detectInputData(file.path, *head, m_inventory);
    }

    void lookAtReadme(const QString &path)
    {
        const Result<QByteArray> text = readFileHead(m_tree.root + QLatin1Char('/') + path, 256LL * 1024);
        if (text)
            m_readmes.append({path, *text});
    }

    const FileTree &m_tree;
    Inventory m_inventory;
    QList<PythonText> m_python;
    QList<PythonText> m_readmes;
    qint64 m_read = 0;
    int m_sniffed = 0;
    int m_unread = 0;
};

void lookAtRun(Inventory &inventory)
{
    inventory.earlierRun = detectors::detectEarlierRun(inventory.workspace);
    inventory.isRepository = detectors::isInsideRepository(inventory.workspace);
    // With what the Python evaluator needs: it is a superset.
    inventory.scaffoldPresent = scaffoldFiles(inventory.workspace, EvaluatorKind::KernelBench);
    const QStringList missing = missingScaffold(inventory.workspace, EvaluatorKind::KernelBench);
    inventory.scaffoldPresent.removeIf([&](const QString &file) { return missing.contains(file); });
    inventory.benchOutput = keptBenchOutput(inventory.workspace);
    const Result<QByteArray> hints = readHintsFile(inventory.workspace);
    if (hints)
        inventory.hintsContent = *hints;
    else
        inventory.hintsProblem = hints.error().message + QStringLiteral(". ") + hints.error().remedy;
}

// A folder that is a link is none of the workspace's.
std::shared_ptr<const Inventory> solutionOf(const QString &workspace)
{
    const QString folder = QStringLiteral("solution");
    const QFileInfo info(workspace + QLatin1Char('/') + folder);
    if (!info.isDir() || info.isSymLink())
        return nullptr;
    Result<FileTree> tree = FileTree::walk(info.filePath());
    if (!tree)
        return nullptr;
    tree->root = workspace;
    for (FileTree::File &file : tree->files) {
        file.path.prepend(folder + QLatin1Char('/'));
        if (!file.linkTarget.isEmpty())
            file.linkTarget.prepend(folder + QLatin1Char('/'));
    }
    return std::make_shared<const Inventory>(InventoryTaker(*tree).run());
}

} // namespace

bool Inventory::contains(const QString &path) const
{
    return std::binary_search(files.cbegin(), files.cend(), path);
}

bool Inventory::hasFolder(const QString &path) const
{
    const QString prefix = path.endsWith(QLatin1Char('/')) ? path : path + QLatin1Char('/');
    const auto first = std::lower_bound(files.cbegin(), files.cend(), prefix);
    return first != files.cend() && first->startsWith(prefix);
}

const SourceFacts *Inventory::source(const QString &path) const
{
    const auto found = std::ranges::lower_bound(sources, path, {}, &SourceFacts::path);
    return found == sources.cend() || found->path != path ? nullptr : &*found;
}

const PythonNeeds *Inventory::pythonFile(const QString &path) const
{
    const auto found = std::ranges::lower_bound(pythonFiles, path, {}, &PythonNeeds::path);
    return found == pythonFiles.cend() || found->path != path ? nullptr : &*found;
}

Inventory Inventory::withSolution() const
{
    Inventory both = *this;
    if (!solution)
        return both;
    both.files += solution->files;
    both.findings += solution->findings;
    both.sources += solution->sources;
    both.pythonFiles += solution->pythonFiles;
    both.sortByPath();
    return both;
}

void Inventory::sortByPath()
{
    files.sort();
    std::ranges::sort(sources, {}, &SourceFacts::path);
    std::ranges::sort(pythonFiles, {}, &PythonNeeds::path);
}

const ProblemFacts *Inventory::problem(const QString &path) const
{
    const auto found =
        std::find_if(problems.cbegin(), problems.cend(), [&](const ProblemFacts &p) { return p.path == path; });
    return found == problems.cend() ? nullptr : &*found;
}

QList<Finding> Inventory::withRole(Role role) const
{
    QList<Finding> found;
    std::copy_if(findings.cbegin(), findings.cend(), std::back_inserter(found),
                 [role](const Finding &finding) { return finding.role == role; });
    return found;
}

Result<Inventory> takeInventory(const QString &workspace)
{
    const Result<FileTree> tree = FileTree::walk(workspace);
    if (!tree)
        return std::unexpected(tree.error());
    Inventory inventory = InventoryTaker(*tree).run();
    lookAtRun(inventory);
    inventory.solution = solutionOf(tree->root);
    return inventory;
}

} // namespace ako
