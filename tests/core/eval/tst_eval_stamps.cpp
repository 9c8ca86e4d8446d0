// SPDX-License-Identifier: GPL-3.0-or-later
// The channel that times and outputs come over, and the look at a process's threads.
#include "eval/stampreader.h"
#include "eval/threadwatch.h"

#include <QTest>

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

using namespace ako::eval;

namespace {

constexpr std::uint64_t token = 77, key = 0x1234;
constexpr std::int64_t second = 1'000'000'000;

WorkloadLayout layoutOf(std::size_t slots, std::size_t first, std::size_t last)
{
    WorkloadLayout layout;
    layout.slots = slots;
    for (const std::size_t count : {first, std::size_t(16), last}) {
        BufferSpec spec;
        spec.name = "buffer " + std::to_string(layout.buffers.size());
        spec.count = count;
        spec.isOutput = layout.buffers.size() != 1;
        spec.isInput = !spec.isOutput;
        layout.buffers.push_back(spec);
    }
    return layout;
}

std::size_t bytesOf(const Pieces &pieces)
{
    return std::accumulate(pieces.begin(), pieces.end(), std::size_t(0),
                           [](std::size_t sum, const Piece &piece) { return sum + piece.size; });
}

// A worker with outputs in a memory of its own, laid out as the parent's.
struct Sender
{
    Sender(const WorkloadLayout &itsLayout, const RunOrder &itsOrder)
        : layout(itsLayout)
        , order(itsOrder)
        , outputs(layout.sharedBytes(), 7)
        , received(layout.sharedBytes(), 0)
        , descriptor(reader.open())
    {
        reader.expectRun(layout, order, token, received.data());
    }
    std::vector<iovec> placesOf(const Pieces &pieces)
    {
        std::vector<iovec> places;
        for (const Piece &piece : pieces)
            places.push_back(
                {outputs.data() + layout.outputOffset(piece.slot, piece.buffer) + piece.offset, piece.size});
        return places;
    }
    bool send(StampType type, const std::vector<iovec> &parts = {}, std::uint64_t with = token)
    {
        lastNs = sendStamp(descriptor.get(), type, with, parts);
        return lastNs > 0 && reader.take();
    }
    // Where it lies depends on the time of the stamp before it.
    Pieces part() const { return lastPart(layout, {order.slots[1]}, partKey(key, lastNs)); }
    bool sendPart() { return send(StampType::Part, placesOf(part())); }
    bool sendAll()
    {
        bool good = send(StampType::Part, placesOf(lastPart(layout, order.slots, partKey(key, lastNs))));
        for (const Pieces &pieces : snapshotPlan(layout, order.slots, key))
            good = send(StampType::Pieces, placesOf(pieces)) && good;
        return good;
    }

    WorkloadLayout layout;
    RunOrder order;
    std::vector<unsigned char> outputs, received;
    StampReader reader;
    Descriptor descriptor;
    std::int64_t lastNs = 0;
};

} // namespace

Q_DECLARE_METATYPE(std::function<bool(Sender &)>)

class TestEvalStamps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plansEveryByteOnce_data();
    void plansEveryByteOnce();
    void picksAPartOfAnOutput();
    void takesARun();
    void takesAPartThatNobodyKnowsBefore();
    void refusesForgeries_data();
    void refusesForgeries();
    void measuresItself();
    void noticesThatTheClockWasSet();
    void watchesThreads();
    void seesWhatWakesUp();
};

void TestEvalStamps::plansEveryByteOnce_data()
{
    QTest::addColumn<qulonglong>("slots");
    QTest::addColumn<qulonglong>("first");
    QTest::addColumn<qulonglong>("last");
    QTest::newRow("a number") << 1ULL << 1ULL << 1ULL;
    QTest::newRow("small, many") << 256ULL << 100ULL << 3ULL;
    QTest::newRow("an odd size") << 3ULL << 19201ULL << 1000003ULL;
    QTest::newRow("large") << 1ULL << (4ULL << 20) << 1ULL;
}

void TestEvalStamps::plansEveryByteOnce()
{
    QFETCH(qulonglong, slots);
    QFETCH(qulonglong, first);
    QFETCH(qulonglong, last);
    const WorkloadLayout layout = layoutOf(slots, first, last);
    std::vector<std::size_t> all(slots);
    std::iota(all.begin(), all.end(), std::size_t(0));
    std::vector<unsigned char> seen(layout.sharedBytes(), 0);
    for (const Pieces &pieces : snapshotPlan(layout, all, key)) {
        QVERIFY(!pieces.empty() && pieces.size() <= 128);
        QVERIFY(bytesOf(pieces) <= std::size_t(128) << 10);
        for (const Piece &piece : pieces) {
            QVERIFY(piece.offset + piece.size <= layout.buffers[piece.buffer].bytes());
            const std::size_t begin = layout.outputOffset(piece.slot, piece.buffer) + piece.offset;
            for (std::size_t i = begin; i < begin + piece.size; ++i)
                ++seen[i];
        }
    }
    for (std::size_t slot = 0; slot < slots; ++slot) {
        for (const std::size_t buffer : {std::size_t(0), std::size_t(2)}) {
            const auto *begin = seen.data() + layout.outputOffset(slot, buffer);
            QVERIFY(std::all_of(begin, begin + layout.buffers[buffer].bytes(), [](int count) { return count == 1; }));
        }
    }
    const auto front = [&](std::uint64_t with) {
        const Piece piece = snapshotPlan(layout, all, with).front().front();
        return std::pair(layout.outputOffset(piece.slot, piece.buffer) + piece.offset, piece.size);
    };
    if (slots * (first + last) > 2)
        QVERIFY(front(1) != front(2) || front(2) != front(3) || front(3) != front(4));
}

void TestEvalStamps::picksAPartOfAnOutput()
{
    const WorkloadLayout layout = layoutOf(2, 5000, 2);
    for (std::uint64_t with = 0; with < 200; ++with) {
        const Pieces parts = secretPart(layout, 1, with);
        QCOMPARE(parts.size(), std::size_t(1));
        const Piece &part = parts.front();
        QVERIFY(part.slot == 1 && part.buffer != 1);
        QVERIFY(part.size > 0 && part.offset + part.size <= layout.buffers[part.buffer].bytes());
    }
    WorkloadLayout none = layout;
    none.buffers = {layout.buffers[1]};
    QVERIFY(secretPart(none, 0, key).empty());
}

void TestEvalStamps::takesARun()
{
    const RunOrder order{{2, 0, 1}, 1, key};
    Sender sender(layoutOf(3, 5000, 70000), order);
    QVERIFY(sender.send(StampType::Awake));
    QVERIFY(sender.send(StampType::Begin));
    QVERIFY(sender.send(StampType::Pause));
    QVERIFY(sender.sendPart());
    QVERIFY(sender.send(StampType::Resume));
    QVERIFY(sender.send(StampType::End));
    QVERIFY(!sender.reader.isComplete());
    QVERIFY(sender.sendAll());
    QVERIFY(sender.send(StampType::Taken));
    QVERIFY(sender.reader.isComplete() && sender.reader.isQuiet() && sender.reader.goesForward());
    QVERIFY(!sender.reader.changed());
    for (const std::size_t slot : order.slots) {
        for (const std::size_t buffer : {std::size_t(0), std::size_t(2)}) {
            const std::size_t begin = sender.layout.outputOffset(slot, buffer);
            QCOMPARE(std::memcmp(sender.received.data() + begin, sender.outputs.data() + begin,
                                 sender.layout.buffers[buffer].bytes()),
                     0);
        }
    }
    QVERIFY(sender.reader.at(StampType::End) > sender.reader.at(StampType::Begin));
    QVERIFY(sender.reader.pausedNs() > 0);
    const Instant now = Instant::now();
    const std::int64_t passed =
        (sender.reader.isStamped() ? now.stampedNs : now.rawNs) - sender.reader.at(StampType::Begin);
    QVERIFY(passed > 0 && passed < 3600 * second);
    // What was there in the pause became something else.
    sender.received.assign(sender.received.size(), 8);
    QCOMPARE(sender.reader.changed().value_or(Piece{9, 9, 9, 9}).slot, std::size_t(0));
    QVERIFY(sender.reader.lingeredNs() > 0);
}

// Who has the key of the order still does not know which part is looked at first.
void TestEvalStamps::takesAPartThatNobodyKnowsBefore()
{
    const WorkloadLayout layout = layoutOf(3, 500000, 70000);
    int same = 0;
    const auto offsetOf = [&](std::int64_t ns) {
        const Piece piece = lastPart(layout, {2, 0, 1}, partKey(key, ns)).front();
        return layout.outputOffset(piece.slot, piece.buffer) + piece.offset;
    };
    for (std::int64_t ns = 1000; ns < 1200; ++ns)
        same += offsetOf(ns) == offsetOf(ns + 1);
    QVERIFY2(same < 10, qPrintable(QString::number(same)));
    // The reader takes the part of that time only, and compares it with what the outputs came to be there.
    Sender sender(layout, {{2, 0, 1}, std::nullopt, key});
    QVERIFY(sender.send(StampType::Awake) && sender.send(StampType::Begin) && sender.send(StampType::End));
    const Piece piece = lastPart(layout, sender.order.slots, partKey(key, sender.lastNs)).front();
    sender.outputs[layout.outputOffset(piece.slot, piece.buffer) + piece.offset + 1] ^= 1; // not written yet
    const auto place = sender.placesOf({piece});
    QVERIFY(sender.send(StampType::Part, place));
    sender.outputs[layout.outputOffset(piece.slot, piece.buffer) + piece.offset + 1] ^= 1;
    for (const Pieces &pieces : snapshotPlan(layout, sender.order.slots, key))
        QVERIFY(sender.send(StampType::Pieces, sender.placesOf(pieces)));
    QVERIFY(sender.send(StampType::Taken) && sender.reader.isComplete());
    QVERIFY(sender.reader.changed().has_value());
}

void TestEvalStamps::refusesForgeries_data()
{
    QTest::addColumn<std::function<bool(Sender &)>>("goesThrough");
    using Forgery = std::function<bool(Sender &)>;
    const auto row = [](const char *name, const Forgery &forgery) { QTest::newRow(name) << forgery; };
    row("a begin too many", [](Sender &s) { return s.send(StampType::Begin); });
    row("an end that comes early", [](Sender &s) { return s.send(StampType::End); });
    row("another token", [](Sender &s) { return s.send(StampType::Pause, {}, token + 1); });
    row("a part too small", [](Sender &s) {
        const bool paused = s.send(StampType::Pause);
        std::vector<iovec> places = s.placesOf(s.part());
        --places[0].iov_len;
        return paused && s.send(StampType::Part, places);
    });
    row("a part too large", [](Sender &s) {
        const bool paused = s.send(StampType::Pause);
        std::vector<iovec> places = s.placesOf(s.part());
        ++places[0].iov_len;
        return paused && s.send(StampType::Part, places);
    });
    row("no time at all",
        [](Sender &s) { return send(s.descriptor.get(), "x", 1, MSG_NOSIGNAL) == 1 && s.reader.take(); });
    row("a second end", [](Sender &s) {
        return s.send(StampType::Pause) && s.sendPart() && s.send(StampType::Resume) && s.send(StampType::End) &&
               s.send(StampType::End);
    });
    row("more than all", [](Sender &s) {
        return s.send(StampType::Pause) && s.sendPart() && s.send(StampType::Resume) && s.send(StampType::End) &&
               s.sendAll() && s.send(StampType::Taken) && s.send(StampType::Taken);
    });
}

void TestEvalStamps::refusesForgeries()
{
    QFETCH(std::function<bool(Sender &)>, goesThrough);
    Sender sender(layoutOf(3, 5000, 70000), {{2, 0, 1}, 1, key});
    QVERIFY(sender.send(StampType::Awake) && sender.send(StampType::Begin));
    QVERIFY(!goesThrough(sender));
}

void TestEvalStamps::measuresItself()
{
    StampReader reader;
    const Descriptor descriptor = reader.open();
    reader.expectPairs(2, token);
    for (const StampType type : {StampType::Begin, StampType::End, StampType::Begin, StampType::End})
        QVERIFY(sendStamp(descriptor.get(), type, token) > 0);
    QVERIFY(reader.take() && reader.isComplete());
    QCOMPARE(reader.pairs().size(), std::size_t(2));
    for (const std::int64_t time : reader.pairs())
        QVERIFY(time > 0 && time < second);
}

void TestEvalStamps::noticesThatTheClockWasSet()
{
    const Instant earlier{100 * second, 5 * second};
    QVERIFY((Instant{101 * second, 6 * second}).agreesWith(earlier));
    QVERIFY((Instant{101 * second + 10'000, 6 * second}).agreesWith(earlier));
    QVERIFY(!(Instant{102 * second, 6 * second}).agreesWith(earlier));
    QVERIFY(!(Instant{99 * second, 6 * second}).agreesWith(earlier));
}

void TestEvalStamps::watchesThreads()
{
    ThreadWatch watch(getpid());
    std::atomic<int> turn = 0;
    std::atomic<bool> spins = false;
    std::thread thread([&] {
        turn.wait(0);
        turn.wait(1);
        turn.wait(2);
    });
    const auto wake = [&](int next) {
        turn = next;
        turn.notify_all();
    };
    QVERIFY(watch.note(10 * second));
    QVERIFY(watch.allSleep());
    QVERIFY(watch.sleptSince());
    wake(1);
    QVERIFY(watch.note(10 * second)); // asleep again
    wake(2);                          // and awake in between
    QTRY_VERIFY(!watch.sleptSince());
    QVERIFY(watch.note(10 * second));
    QVERIFY(watch.sleptSince());
    std::thread another([&] { turn.wait(2); });
    QTRY_VERIFY(!watch.sleptSince()); // a new one
    wake(3);
    thread.join();
    another.join();
    spins = true;
    std::thread busy([&] {
        while (spins) {}
    });
    QVERIFY(!watch.note(20'000'000));
    spins = false;
    busy.join();
    QTRY_VERIFY(watch.note(0));
}

// In a pause: one that wakes up by itself, beside one that sleeps.
void TestEvalStamps::seesWhatWakesUp()
{
    ThreadWatch watch(getpid());
    std::atomic<bool> ends = false;
    std::atomic<int> turn = 0;
    std::thread sleeper([&] { turn.wait(0); });
    QVERIFY(watch.note(10 * second) && watch.mark() && watch.sleptSinceMark());
    std::thread looker([&] {
        while (!ends) {
            const timespec pause{0, 2'000'000};
            nanosleep(&pause, nullptr);
        }
    });
    QTRY_VERIFY(!watch.sleptSinceMark()); // a new one
    QTRY_VERIFY(watch.mark());
    QTRY_VERIFY(!watch.sleptSinceMark());
    ends = true;
    turn = 1;
    turn.notify_all();
    looker.join();
    sleeper.join();
}

QTEST_GUILESS_MAIN(TestEvalStamps)
#include "tst_eval_stamps.moc"
