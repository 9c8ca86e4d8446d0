// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/detectors.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace ako::detectors {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ako::Inventory", text);
}

QString zipKind(const QByteArray &head)
{
    // The first entry's name stands at offset 30 of its local header.
    const QByteArray name = head.mid(30, 200);
    if (name.contains(".npy"))
        return QStringLiteral("npz");
    return name.contains("data.pkl") ? QStringLiteral("pt") : QString();
}

bool isSafetensors(const QByteArray &head)
{
    if (head.size() < 10 || head[8] != '{')
        return false;
    quint64 length = 0;
    for (int i = 7; i >= 0; --i)
        length = (length << 8) | quint8(head[i]);
    return length >= 2 && length < 100'000'000;
}

QString dataKind(const QString &path, const QByteArray &head)
{
    if (head.startsWith("\x93NUMPY"))
        return QStringLiteral("npy");
    if (head.startsWith("PK\x03\x04"))
        return zipKind(head);
    if (isSafetensors(head))
        return QStringLiteral("safetensors");
    if (head.startsWith("\x89HDF\r\n"))
        return QStringLiteral("hdf5");
    const QString suffix = QFileInfo(path).suffix().toLower();
    const bool isPickle = head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
    if (isPickle && (suffix == QLatin1String("pt") || suffix == QLatin1String("pth") || suffix == QLatin1String("pkl")))
        return QStringLiteral("pickle");
    const bool isText = !head.contains('\0');
    if (!isText && (suffix == QLatin1String("bin") || suffix == QLatin1String("dat") || suffix == QLatin1String("raw")))
        return QStringLiteral("raw");
    return {};
}

QByteArray readSmall(const QString &path)
{
    const Result<QByteArray> content = readFileHead(path, 64LL * 1024);
    return content ? *content : QByteArray();
}

bool hasRecordedRun(const QString &workspace)
{
    static const QRegularExpression pattern(QStringLiteral("^\\d{8}[-_]\\d{6}_.+"));
    const QFileInfo folder(workspace + QStringLiteral("/trajectory"));
    if (!folder.isDir() || folder.isSymLink())
        return false;
    const QStringList runs = QDir(folder.filePath()).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return std::any_of(runs.cbegin(), runs.cend(), [](const QString &run) { return pattern.match(run).hasMatch(); });
}

QString gitFolder(const QString &workspace)
{
    for (QDir folder(workspace);;) {
        if (QFileInfo::exists(folder.filePath(QStringLiteral(".git"))))
            return folder.filePath(QStringLiteral(".git"));
        if (!folder.cdUp())
            return {};
    }
}

QString optimisedKernelOfHead(const QString &workspace)
{
    QString git = gitFolder(workspace);
    if (QFileInfo(git).isFile()) { // a linked work tree or a submodule: "gitdir: PATH"
        const QString target = QString::fromUtf8(readSmall(git)).trimmed().section(QStringLiteral("gitdir: "), 1);
        git = QDir(QFileInfo(git).path()).absoluteFilePath(target);
    }
    const QString head = QString::fromUtf8(readSmall(git + QStringLiteral("/HEAD"))).trimmed();
    const QString prefix = QStringLiteral("ref: refs/heads/opt/");
    return head.startsWith(prefix) ? head.mid(prefix.size()) : QString();
}

} // namespace

bool detectInputData(const QString &path, const QByteArray &head, Inventory &inventory)
{
    const QString kind = dataKind(path, head);
    if (kind.isEmpty())
        return false;
    const bool isKnown = kind != QLatin1String("raw") && kind != QLatin1String("pickle");
    const QString reason = kind == QLatin1String("pickle") ? tr("a pickle; it is never loaded by the inventory")
                           : isKnown                       ? tr("its first bytes are those of a %1 file").arg(kind)
                                                           : tr("binary data in a format that its bytes do not tell");
    inventory.findings.append(
        {Role::Input, path, kind, isKnown ? Certainty::Certain : Certainty::Likely, {Evidence{path, 0, reason}}});
    return true;
}

bool detectKnowledge(const QString &path, Inventory &inventory)
{
    const QFileInfo info(path);
    const QString name = info.fileName();
    static const QStringList ownNames{QStringLiteral("HINTS.md"), QStringLiteral("ITERATIONS.md"),
                                      QStringLiteral("_bench_output.txt")};
    static const QRegularExpression notKnowledge(
        QStringLiteral(
            "^(licen[cs]e|copying|changelog|authors|contributors|cmakelists|requirements|agents|claude|task)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QStringList suffixes{QStringLiteral("md"),  QStringLiteral("markdown"), QStringLiteral("rst"),
                                      QStringLiteral("pdf"), QStringLiteral("txt"),      QStringLiteral("patch"),
                                      QStringLiteral("diff")};
    const QString folder = path.section(QLatin1Char('/'), 0, 0);
    const bool isInFolder =
        path.contains(QLatin1Char('/')) && (folder == QLatin1String("knowledge") || folder == QLatin1String("context"));
    // Deeper down, text files are more often data than notes.
    const bool isNear = path.count(QLatin1Char('/')) <= (info.suffix().toLower() == QLatin1String("txt") ? 0 : 1);
    const bool isNote = isNear && suffixes.contains(info.suffix().toLower()) && !ownNames.contains(name) &&
                        !notKnowledge.match(name).hasMatch();
    if (!isInFolder && !isNote)
        return false;
    const QString reason = isInFolder ? tr("lies in %1/").arg(folder) : tr("a note or document");
    inventory.findings.append({Role::Knowledge,
                               path,
                               info.suffix().toLower(),
                               isInFolder ? Certainty::Certain : Certainty::Likely,
                               {Evidence{path, 0, reason}}});
    return true;
}

EarlierRun detectEarlierRun(const QString &workspace)
{
    EarlierRun run;
    run.branchKernel = optimisedKernelOfHead(workspace);
    const bool isApproved = QFileInfo(workspace + QStringLiteral("/.ako/approval.json")).isFile();
    const bool hasRuns = hasRecordedRun(workspace);
    const bool hasSolution = QFileInfo(workspace + QStringLiteral("/solution")).isDir();
    if (isApproved)
        run.evidence.append({QStringLiteral(".ako/approval.json"), 0, tr("a plan was approved here before")});
    if (hasRuns)
        run.evidence.append({QStringLiteral("trajectory/"), 0, tr("earlier benches are recorded here")});
    if (!run.branchKernel.isEmpty())
        run.evidence.append({{}, 0, tr("the branch is opt/%1").arg(run.branchKernel)});
    run.ofThisApp = isApproved;
    run.found = isApproved || (hasRuns && hasSolution);
    return run;
}

bool isInsideRepository(const QString &workspace)
{
    return !gitFolder(workspace).isEmpty();
}

} // namespace ako::detectors
