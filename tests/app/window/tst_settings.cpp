// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/settings.h"

#include <QCoreApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

using namespace ako;

class SettingsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatWasSetIsReadAtOnceAndWrittenInOrder();
    void whatWasRemovedIsGone();
};

void SettingsTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("ako4all-test"));
    QCoreApplication::setApplicationName(QStringLiteral("settings"));
    QSettings().clear();
}

void SettingsTest::whatWasSetIsReadAtOnceAndWrittenInOrder()
{
    const QString key = QStringLiteral("number");
    for (int number = 0; number < 20; ++number) {
        settings::setValue(key, number);
        QCOMPARE(settings::value(key).toInt(), number);
    }
    settings::finish();
    QCOMPARE(QSettings().value(key).toInt(), 19);
    QCOMPARE(settings::value(key).toInt(), 19);
}

void SettingsTest::whatWasRemovedIsGone()
{
    const QString key = QStringLiteral("name");
    settings::setValue(key, QStringLiteral("a"));
    settings::setValue(key, {});
    QCOMPARE(settings::value(key, QStringLiteral("none")).toString(), QStringLiteral("none"));
    settings::finish();
    QVERIFY(!QSettings().contains(key));
}

QTEST_GUILESS_MAIN(SettingsTest)
#include "tst_settings.moc"
