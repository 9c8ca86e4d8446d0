// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/flagtext.h"

#include "base/words.h"

#include <QCoreApplication>

namespace ako {

namespace {

struct Meaning
{
    const char *flag;
    const char *text;
};

constexpr Meaning meanings[] = {
    {"BELOW_FLOOR", QT_TRANSLATE_NOOP("FlagText", "faster than this machine can be: not believed")},
    {"CHANGED_FROZEN_FILE", QT_TRANSLATE_NOOP("FlagText", "a file that HINTS.md says must not change was changed")},
    {"COMPILER_UNCONFINED",
     QT_TRANSLATE_NOOP("FlagText", "the compiler could have read any file: this Linux has no Landlock")},
    {"CUPTI_DISAGREES",
     QT_TRANSLATE_NOOP("FlagText", "the GPU worked longer than the call took: work may run outside the timed part")},
    {"EXAMINED_10X",
     QT_TRANSLATE_NOOP("FlagText", "more than 10x the reference; a second look with fresh inputs bore it out")},
    {"GPU_BUSY", QT_TRANSLATE_NOOP("FlagText", "other programs used the GPU meanwhile: the times may be worse than "
                                               "they are; measure again when it is free")},
    {"HOST_BOUND", QT_TRANSLATE_NOOP("FlagText", "launching takes longer than the kernel itself: what is measured is "
                                                 "the launcher")},
    {"HOST_BUSY", QT_TRANSLATE_NOOP("FlagText", "the launcher works far longer than the GPU does")},
    {"INPUTS_IGNORED", QT_TRANSLATE_NOOP("FlagText", "the inputs in the solution were not used: they come from the "
                                                     "reference")},
    {"NONDETERMINISTIC", QT_TRANSLATE_NOOP("FlagText", "the same inputs gave different bits in two calls")},
    {"NOT_CONFIRMED", QT_TRANSLATE_NOOP("FlagText", "the evaluator's own clock could neither confirm nor refute the "
                                                    "gain; measure again when less runs beside it")},
    {"NO_KERNEL", QT_TRANSLATE_NOOP("FlagText", "the GPU did nothing in a call")},
    {"POLICY_FALLBACK", QT_TRANSLATE_NOOP("FlagText", "the solution calls the library's own operator where the kernel "
                                                      "should work")},
    {"POLICY_UNUSED_KERNEL", QT_TRANSLATE_NOOP("FlagText", "the solution defines a kernel that is never launched")},
    {"PROBLEM_WEAK", QT_TRANSLATE_NOOP("FlagText", "the check would accept a wrong answer too: choose inputs or "
                                                   "tolerances that tell them apart")},
    {"RANDOM_REFERENCE", QT_TRANSLATE_NOOP("FlagText", "the reference itself answers at random")},
    {"REFERENCE_NAN", QT_TRANSLATE_NOOP("FlagText", "the reference's answer holds NaN")},
    {"REF_SLOWER",
     QT_TRANSLATE_NOOP("FlagText", "the reference ran slower than in earlier verdicts: the machine is busier or hotter "
                                   "than it was, so speedups over the reference may look too large; those over the "
                                   "champion and the baseline were measured side by side")},
    {"SAME_INPUTS", QT_TRANSLATE_NOOP("FlagText", "some inputs are the same in every call, or only move, so a kernel "
                                                  "could keep what it made of them")},
    {"SHAPE_REGRESSED", QT_TRANSLATE_NOOP("FlagText", "faster on the whole, but slower at one of the shapes")},
    {"SUSPICIOUS_10X", QT_TRANSLATE_NOOP("FlagText", "more than 10x the reference, and a second look did not bear it "
                                                     "out")},
    {"UNEVEN_TIMES",
     QT_TRANSLATE_NOOP("FlagText", "most calls are faster, but the others so slow that nothing is won on "
                                   "the whole")},
    {"WROTE_OUTSIDE_SOLUTION", QT_TRANSLATE_NOOP("FlagText", "the agent changed files outside solution/; they were put "
                                                             "back")},
};

} // namespace

QString flagText(const QString &flag)
{
    const QString name = words::shortened(words::oneLine(flag));
    for (const Meaning &meaning : meanings) {
        if (flag == QLatin1String(meaning.flag))
            return QStringLiteral("%1 (%2)").arg(QCoreApplication::translate("FlagText", meaning.text), name);
    }
    return name;
}

QStringList flagTexts(const QStringList &flags)
{
    QStringList texts;
    for (const QString &flag : flags)
        texts << flagText(flag);
    return texts;
}

} // namespace ako
