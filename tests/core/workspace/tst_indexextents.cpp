// SPDX-License-Identifier: GPL-3.0-or-later
// How far the index expressions of a function reach.
#include "workspace/indexextents.h"
#include "workspace/sourcefacts.h"

#include <QTest>

using namespace ako;

class TestIndexExtents : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reaches_data();
    void reaches();
    void cannotBeTold_data();
    void cannotBeTold();
    void changedByWhatItHeld_data();
    void changedByWhatItHeld();
    void handedOn();
    void hugeBody();
};

namespace {

const QStringList parameters{QStringLiteral("x"), QStringLiteral("y"), QStringLiteral("m"), QStringLiteral("n"),
                             QStringLiteral("k")};

QString lengthOf(const char *body)
{
    return indexExtents(QString::fromLatin1(body), parameters).lengths.value(QStringLiteral("x"));
}

} // namespace

void TestIndexExtents::reaches_data()
{
    QTest::addColumn<QString>("length");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const char *length, const char *body) {
        QTest::newRow(name) << QString::fromLatin1(length) << QByteArray(body);
    };
    row("a loop", "n", "for (int i = 0; i < n; ++i) x[i] = 0;");
    row("up to and with", "n+1", "for (int i = 0; i <= n; i++) x[i] = 0;");
    row("rows and columns", "m*n", "for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) x[i * n + j] = 0;");
    row("three deep", "k*m*n",
        "for (int a = 0; a < m; ++a) for (int b = 0; b < n; ++b) for (int c = 0; c < k; ++c) x[(a * n + b) * k + c] = "
        "0;");
    row("a row's pointer", "m*n",
        "for (size_t r = 0; r < m; ++r) { const float *row = x + r * n; for (size_t c = 0; c < n; ++c) s += row[c]; }");
    row("a row's pointer by address", "m*n",
        "for (int r = 0; r < m; ++r) { float *row = &x[r * n]; for (int c = 0; c < n; ++c) row[c] = 0; }");
    row("an index of its own", "m*n",
        "for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) { const int at = i * n + j; x[at] = 0; }");
    row("casts", "m*n",
        "for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) x[(size_t)i * n + static_cast<size_t>(j)] = 0;");
    row("neighbours", "n", "for (int i = 1; i < n - 1; ++i) y[i] = x[i - 1] + x[i] + x[i + 1];");
    row("the largest of several", "2*n", "for (int i = 0; i < n; ++i) y[i] = x[i] + x[i + n];");
    row("two an iteration", "2*n", "for (int i = 0; i < n; ++i) y[i] = x[2 * i] * x[2 * i + 1];");
    row("tiles with min", "n",
        "for (int t = 0; t < n; t += 64) for (int i = t; i < std::min(t + 64, n); ++i) x[i] = 0;");
    row("a thread and its guard", "n", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; x[i] = 0;");
    row("a thread that enters", "n", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { x[i] = 0; }");
    row("two threads", "m*n", "int r = blockIdx.y; int c = threadIdx.x; if (r < m && c < n) x[r * n + c] = 0;");
    row("a constant", "16", "for (int i = 0; i < 16; ++i) x[i] = 0;");
    row("one element", "1", "x[0] = 1;");
}

void TestIndexExtents::reaches()
{
    QFETCH(QByteArray, body);
    QTEST(lengthOf(body.constData()), "length");
}

void TestIndexExtents::cannotBeTold_data()
{
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const char *body) { QTest::newRow(name) << QByteArray(body); };
    row("an index from memory", "for (int i = 0; i < n; ++i) y[i] = x[idx[i]];");
    row("an index from a call", "for (int i = 0; i < n; ++i) y[i] = x[hash(i)];");
    row("no bound", "int i = threadIdx.x; x[i] = 0;");
    row("two bounds of one name", "for (int i = 0; i < n; ++i) x[i] = 0; for (int i = 0; i < m; ++i) x[i] = 1;");
    row("through the pointer itself", "for (int i = 0; i < n; ++i) *x++ = 0;");
    row("also handed on", "for (int i = 0; i < n; ++i) x[i] = 0; memset(x, 0, m);");
    row("an alias handed on", "float *p = x + n; p[0] = 1; fill(p, m);");
    row("a while loop", "int i = 0; while (more()) x[i++] = 0;");
    row("a division", "for (int i = 0; i < n; ++i) x[i / 2] = 0;");
    row("not used", "y[0] = 1;");
    row("brackets without an end", "x[((((((((((((((((((((((((((((((((((((((((((((((((((((((");
    row("defined by itself", "int i = i + 1; x[i] = 0;");
}

void TestIndexExtents::cannotBeTold()
{
    QFETCH(QByteArray, body);
    QCOMPARE(lengthOf(body.constData()), QString());
}

void TestIndexExtents::changedByWhatItHeld_data()
{
    QTest::addColumn<bool>("isAddedTo");
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, bool isAddedTo, const char *body) {
        QTest::newRow(name) << isAddedTo << QByteArray(body);
    };
    row("added to", true, "for (int i = 0; i < n; ++i) x[i] += y[i];");
    row("counted", true, "for (int i = 0; i < n; ++i) x[y[i]]++;");
    row("set", false, "for (int i = 0; i < n; ++i) x[i] = y[i];");
    row("set, then added to", false, "for (int i = 0; i < n; ++i) { x[i] = 0; x[i] += y[i]; }");
    row("compared", false, "for (int i = 0; i < n; ++i) if (x[i] == 0) return;");
    row("read", false, "for (int i = 0; i < n; ++i) y[i] = x[i];");
}

void TestIndexExtents::changedByWhatItHeld()
{
    QFETCH(QByteArray, body);
    const QStringList found = indexExtents(QString::fromUtf8(body), parameters).addedTo;
    QTEST(found.contains(QStringLiteral("x")), "isAddedTo");
}

// A launcher knows no more than the kernel that it starts.
void TestIndexExtents::handedOn()
{
    const SourceFacts facts = scanSource(QStringLiteral("k.cu"), R"(
__global__ void add(const float *a, float *b, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) b[i] += a[i];
}
extern "C" void launch(const float *x, float *y, int n, cudaStream_t stream) {
    add<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);
}
)");
    const FunctionFact *kernel = facts.definition(QStringLiteral("add"));
    QVERIFY(kernel);
    QCOMPARE(kernel->lengths.value(QStringLiteral("a")), QStringLiteral("count"));
    QCOMPARE(kernel->lengths.value(QStringLiteral("b")), QStringLiteral("count"));
    const FunctionFact *launcher = facts.definition(QStringLiteral("launch"));
    QVERIFY(launcher);
    QCOMPARE(launcher->passedOn, QStringList({QStringLiteral("x"), QStringLiteral("y")}));
    QVERIFY(std::ranges::any_of(launcher->calls, [](const CallFact &call) {
        return call.name == QStringLiteral("add") && call.arguments.size() == 3;
    }));
}

void TestIndexExtents::hugeBody()
{
    QVERIFY(lengthOf(QByteArray("x[0] = 1;").repeated(100000).constData()).isEmpty());
}

QTEST_GUILESS_MAIN(TestIndexExtents)
#include "tst_indexextents.moc"
