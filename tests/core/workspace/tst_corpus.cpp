// SPDX-License-Identifier: GPL-3.0-or-later
// Small workspaces in the manner of real ones, each with the plan or the question that it has to lead to. A case is a
// text file in corpus/: what is expected, a line each, then the files, each after a line "==== [how] path".
#include "layout.h"

#include "workspace/planbuilder.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <sys/stat.h>

using namespace ako;

namespace {

struct Case
{
    QStringList expected; // "key: value"
    QList<std::pair<QString, QByteArray>> files;
};

Case readCase(const QString &path)
{
    Case result;
    for (const QByteArray &line : readFile(path).split('\n')) {
        if (line.startsWith("==== "))
            result.files.append({QString::fromUtf8(line.mid(5)), {}});
        else if (result.files.isEmpty())
            result.expected.append(QString::fromUtf8(line));
        else
            result.files.last().second += line + '\n';
    }
    if (!result.files.isEmpty())
        result.files.last().second.chop(1); // the file's own last line break
    return result;
}

QByteArray contentOf(const QByteArray &text)
{
    if (text == "@problem\n")
        return problemJson();
    if (text == "@cudaproblem\n")
        return problemJson().replace("\"cpu\"", "\"cuda\"").replace("ref.cpp", "ref.cu");
    return text == "@kernel\n" ? kernelSource() : text;
}

void unfold(const QString &root, const QString &head, const QByteArray &text)
{
    const QString how = head.section(u' ', 0, 0);
    const QString path = root + u'/' + head.section(u' ', 1);
    const QByteArray name = QFile::encodeName(path);
    QDir().mkpath(QFileInfo(path).path());
    if (how == QLatin1String("hex")) {
        writeFile(path, QByteArray::fromHex(text));
    } else if (how == QLatin1String("link")) {
        QCOMPARE(::symlink(text.trimmed().constData(), name.constData()), 0);
    } else if (how == QLatin1String("pipe")) {
        QCOMPARE(::mkfifo(name.constData(), 0600), 0);
    } else if (how == QLatin1String("repeat")) {
        writeFile(path, text.trimmed().split(' ').last().repeated(text.split(' ').first().toInt()));
    } else if (how == QLatin1String("sparse")) {
        writeFile(path, {});
        QVERIFY(QFile::resize(path, text.trimmed().toLongLong()));
    } else if (how == QLatin1String("program")) {
        writeFile(path, text);
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::ExeOwner));
    } else {
        writeFile(root + u'/' + head, contentOf(text));
    }
}

QString joined(const QStringList &list)
{
    return list.isEmpty() ? QStringLiteral("none") : list.join(QStringLiteral(", "));
}

// The kind that was seen in the kernel's file.
QString kindOf(const Inventory &inventory, const QString &kernel)
{
    const Inventory both = inventory.withSolution();
    const PythonNeeds *module = both.pythonFile(kernel);
    if (module && !module->kernelKind.isEmpty())
        return module->kernelKind;
    for (const Finding &finding : both.withRole(Role::Kernel)) {
        if (finding.path == kernel)
            return finding.kind;
    }
    return QStringLiteral("none");
}

QString valueOf(const ResolvedPlan &plan, const char *key)
{
    return plan.field(QLatin1String(key))->value;
}

// What the plan says of one expectation, for those that name a value.
QString actual(const QString &key, const Inventory &inventory, const ResolvedPlan &plan)
{
    static const QHash<QString, const char *> rows{
        {QStringLiteral("kernel"), planKey::kernel},       {QStringLiteral("reference"), planKey::reference},
        {QStringLiteral("inputs"), planKey::input},        {QStringLiteral("bench"), planKey::benchMode},
        {QStringLiteral("knowledge"), planKey::knowledge}, {QStringLiteral("scaffold"), planKey::scaffold},
        {QStringLiteral("cap"), planKey::iterationCap}};
    if (rows.contains(key))
        return valueOf(plan, rows.value(key));
    if (key == QLatin1String("kind"))
        return kindOf(inventory, valueOf(plan, planKey::kernel));
    if (key == QLatin1String("files"))
        return joined(plan.kernelFiles);
    if (key == QLatin1String("command"))
        return plan.benchCommand;
    if (key == QLatin1String("resumed"))
        return plan.resumed ? QStringLiteral("yes") : QStringLiteral("no");
    if (key == QLatin1String("quiet"))
        return plan.warnings.isEmpty() ? QStringLiteral("yes") : plan.warnings.join(u'\n');
    return QStringLiteral("(no such expectation)");
}

// All of it, for those that name a part of a text.
QString textFor(const QString &key, const ResolvedPlan &plan)
{
    if (key == QLatin1String("warning"))
        return plan.warnings.join(u'\n');
    if (key == QLatin1String("draft"))
        return plan.problemDraft;
    if (key == QLatin1String("writes"))
        return plan.filesToWrite.join(u'\n');
    if (key == QLatin1String("refusal"))
        return plan.refusal;
    if (key == QLatin1String("hints"))
        return plan.field(QLatin1String(planKey::hints))->notes.join(u'\n');
    return plan.toMarkdown(true);
}

bool isPart(const QString &key)
{
    static const QStringList keys{QStringLiteral("warning"),  QStringLiteral("refusal"), QStringLiteral("hints"),
                                  QStringLiteral("evidence"), QStringLiteral("note"),    QStringLiteral("writes"),
                                  QStringLiteral("draft")};
    return keys.contains(key);
}

} // namespace

class CorpusTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plans_data();
    void plans();
    void isLargeEnough();

private:
    void check(const Case &expected, const Inventory &inventory, const ResolvedPlan &plan);
    void checkOpen(const QStringList &expected, const ResolvedPlan &plan);
};

void CorpusTest::plans_data()
{
    QTest::addColumn<QString>("path");
    const QDir corpus(QStringLiteral(AKO_SOURCE_DIR "/tests/core/workspace/corpus"));
    for (const QFileInfo &file : corpus.entryInfoList({QStringLiteral("*.case")}, QDir::Files, QDir::Name))
        QTest::newRow(qPrintable(file.baseName())) << file.filePath();
}

void CorpusTest::plans()
{
    QFETCH(QString, path);
    const Case read = readCase(path);
    QTemporaryDir folder;
    for (const auto &[head, text] : read.files)
        unfold(folder.path(), head, text);
    const QStringList before = treeState(folder.path());
    const Result<Inventory> inventory = takeInventory(folder.path());
    QVERIFY2(inventory, inventory ? "" : qPrintable(inventory.error().text()));
    QString request;
    QList<std::pair<QString, QString>> answers;
    for (const QString &line : read.expected) {
        const QString value = line.section(QStringLiteral(": "), 1);
        if (line.startsWith(QLatin1String("request: ")))
            request = value;
        else if (line.startsWith(QLatin1String("answer: ")))
            answers.append({value.section(u'=', 0, 0), value.section(u'=', 1)});
    }
    PlanBuilder builder(*inventory, request, {});
    for (const auto &[key, value] : answers) {
        const Result<void> set = builder.setAnswer(key, value);
        QVERIFY2(set, set ? "" : qPrintable(set.error().text()));
    }
    check(read, *inventory, builder.plan());
    QCOMPARE(treeState(folder.path()), before);
}

void CorpusTest::check(const Case &expected, const Inventory &inventory, const ResolvedPlan &plan)
{
    const QByteArray shown = plan.toMarkdown(true).toUtf8() + plan.warnings.join(u'\n').toUtf8();
    for (const QString &line : expected.expected) {
        const QString key = line.section(QStringLiteral(": "), 0, 0);
        const QString value = line.section(QStringLiteral(": "), 1);
        static const QStringList others{QStringLiteral("request"), QStringLiteral("answer"), QStringLiteral("open"),
                                        QStringLiteral("problem"), QStringLiteral("candidates")};
        if (value.isEmpty() || key.contains(u' ') || others.contains(key))
            continue;
        if (isPart(key))
            QVERIFY2(textFor(key, plan).contains(value), (line.toUtf8() + "\n" + shown).constData());
        else
            QVERIFY2(actual(key, inventory, plan) == value,
                     (line.toUtf8() + " but " + actual(key, inventory, plan).toUtf8() + "\n" + shown).constData());
    }
    checkOpen(expected.expected, plan);
}

// What is open, and nothing else is.
void CorpusTest::checkOpen(const QStringList &expected, const ResolvedPlan &plan)
{
    QStringList open;
    for (const QString &line : expected) {
        const QString rule = line.section(QStringLiteral(": "), 0, 0);
        const QString value = line.section(QStringLiteral(": "), 1);
        const PlanField *field = plan.field(value.section(u' ', 0, 0));
        const QString text = value.section(u' ', 1);
        if (rule == QLatin1String("candidates")) {
            QVERIFY2(field, qPrintable(line));
            QStringList offered = field->candidates;
            offered.sort();
            QCOMPARE(joined(offered), text);
        }
        if (rule != QLatin1String("open") && rule != QLatin1String("problem"))
            continue;
        QVERIFY2(field, qPrintable(line));
        const QString said = rule == QLatin1String("open") ? field->question : field->problem;
        QVERIFY2(said.contains(text), qPrintable(line + u'\n' + plan.toMarkdown(true)));
        open.append(field->key);
    }
    for (const PlanField &field : plan.fields)
        QVERIFY2((field.question.isEmpty() && field.problem.isEmpty()) || open.contains(field.key),
                 qPrintable(plan.toMarkdown(true)));
}

void CorpusTest::isLargeEnough()
{
    const QDir corpus(QStringLiteral(AKO_SOURCE_DIR "/tests/core/workspace/corpus"));
    QVERIFY(corpus.entryList({QStringLiteral("*.case")}).size() >= 60);
    QVERIFY(corpus.entryList({QStringLiteral("ambiguous-*.case")}).size() >= 15);
    QVERIFY(corpus.entryList({QStringLiteral("hostile-*.case")}).size() >= 10);
}

QTEST_GUILESS_MAIN(CorpusTest)
#include "tst_corpus.moc"
