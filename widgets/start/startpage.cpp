// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/startpage.h"

#include "style/fonts.h"
#include "style/icons.h"
#include "style/palette.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace ako {

namespace {

constexpr int columnWidth = 120 * grid;
constexpr int mostShown = 6;

QString shortened(const QString &path)
{
    const QString home = QDir::homePath();
    return path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path;
}

void fitHeight(QListWidget *list)
{
    const int rows = qMin(list->count(), mostShown);
    list->setFixedHeight(rows * (list->sizeHintForRow(0) > 0 ? list->sizeHintForRow(0) : 6 * grid) + 2);
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent)
    , m_recentHeading(new QLabel(tr("Recent"), this))
    , m_examplesHeading(new QLabel(tr("Try an example"), this))
    , m_recent(makeList(tr("Recent workspaces")))
    , m_examples(makeList(tr("Examples")))
{
    auto *mark = new QLabel(this);
    mark->setPixmap(applicationIcon().pixmap(64, 64));
    auto *title = new QLabel(QStringLiteral("AKO4ALL"), this);
    QFont large = textFont();
    large.setPointSizeF(large.pointSizeF() * 1.8);
    title->setFont(large);
    auto *explanation = new QLabel(tr("Opens a folder with a kernel, shows what it would run, and after your approval "
                                      "makes the kernel faster one measured, committed step at a time."),
                                   this);
    explanation->setWordWrap(true);
    auto *open = new QPushButton(icon(QStringLiteral("open")), tr("&Open a folder …"), this);
    open->setDefault(true);
    open->setToolTip(tr("Open a folder with a kernel (Ctrl+O)"));
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto *drop = new QLabel(tr("or drop a folder here"), this);
    drop->setFont(smallFont());

    auto *column = new QVBoxLayout;
    column->setSpacing(3 * grid);
    column->addWidget(mark);
    column->addWidget(title);
    column->addWidget(explanation);
    column->addSpacing(2 * grid);
    auto *row = new QHBoxLayout;
    row->addWidget(open);
    row->addWidget(drop);
    row->addStretch();
    column->addLayout(row);
    column->addSpacing(3 * grid);
    addSection(column, m_recentHeading, m_recent);
    addSection(column, m_examplesHeading, m_examples);
    auto *holder = new QWidget(this);
    holder->setLayout(column);
    holder->setMaximumWidth(columnWidth);
    auto *layout = new QVBoxLayout(this);
    layout->addStretch(2);
    auto *middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(holder, 4);
    middle->addStretch(1);
    layout->addLayout(middle);
    layout->addStretch(3);
    connect(m_recent, &QListWidget::itemActivated, this,
            [this](QListWidgetItem *item) { Q_EMIT workspaceChosen(item->data(Qt::UserRole).toString()); });
    connect(m_examples, &QListWidget::itemActivated, this,
            [this](QListWidgetItem *item) { Q_EMIT exampleChosen(item->data(Qt::UserRole).toString()); });
    setRecent({});
    setExamples({});
}

QListWidget *StartPage::makeList(const QString &accessibleName)
{
    auto *list = new QListWidget(this);
    list->setFrameShape(QFrame::NoFrame);
    list->setAccessibleName(accessibleName);
    list->setIconSize(QSize(16, 16));
    list->setTextElideMode(Qt::ElideMiddle);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(list, &QListWidget::itemClicked, list, &QListWidget::itemActivated);
    return list;
}

void StartPage::addSection(QVBoxLayout *layout, QLabel *heading, QListWidget *list)
{
    heading->setFont(smallFont());
    layout->addWidget(heading);
    layout->addWidget(list);
}

void StartPage::setRecent(const QStringList &paths)
{
    m_recent->clear();
    for (const QString &path : paths.mid(0, mostShown)) {
        auto *item = new QListWidgetItem(icon(QStringLiteral("open")), shortened(path), m_recent);
        item->setToolTip(path);
        item->setData(Qt::UserRole, path);
    }
    m_recent->setVisible(!paths.isEmpty());
    m_recentHeading->setVisible(!paths.isEmpty());
    fitHeight(m_recent);
}

void StartPage::setExamples(const QStringList &names)
{
    m_examples->clear();
    for (const QString &name : names) {
        auto *item = new QListWidgetItem(icon(QStringLiteral("source")), name, m_examples);
        item->setData(Qt::UserRole, name);
    }
    m_examples->setVisible(!names.isEmpty());
    m_examplesHeading->setVisible(!names.isEmpty());
    fitHeight(m_examples);
}

} // namespace ako
