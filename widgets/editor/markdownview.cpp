// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/markdownview.h"

#include "editor/filewatch.h"
#include "editor/iterationlinks.h"
#include "style/fonts.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QFuture>
#include <QPointer>
#include <QPromise>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>
#include <QThread>
#include <QThreadPool>
#include <QTimer>

#include <memory>

namespace ako {

namespace {

void styleTables(const QTextFrame *frame)
{
    for (QTextFrame *child : frame->childFrames()) {
        auto *table = qobject_cast<QTextTable *>(child);
        if (table == nullptr)
            continue;
        QTextTableFormat format = table->format();
        format.setCellPadding(grid);
        format.setCellSpacing(0);
        format.setBorder(0);
        format.setMargin(grid);
        table->setFormat(format);
    }
}

// On a worker thread: reads and renders, then gives the document to the window's thread.
std::unique_ptr<QTextDocument> rendered(const QString &path, const QFont &font, const QColor &linkColour,
                                        QThread *owner)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return nullptr;
    auto document = std::make_unique<QTextDocument>();
    document->setDefaultFont(font);
    document->setUndoRedoEnabled(false);
    document->setMarkdown(QString::fromUtf8(file.readAll()));
    styleTables(document->rootFrame());
    linkIterations(*document, linkColour);
    document->setDocumentMargin(3 * grid);
    document->moveToThread(owner);
    return document;
}

} // namespace

MarkdownView::MarkdownView(QWidget *parent)
    : QTextBrowser(parent)
    , m_watcher(new QFileSystemWatcher(this))
    , m_settle(new QTimer(this))
{
    setFrameShape(NoFrame);
    setOpenLinks(false);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
        if (const std::optional<int> number = iterationOf(link))
            Q_EMIT iterationChosen(*number);
    });
    m_settle->setSingleShot(true);
    m_settle->setInterval(150);
    connect(m_settle, &QTimer::timeout, this, &MarkdownView::markStale);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, m_settle, qOverload<>(&QTimer::start));
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, m_settle, qOverload<>(&QTimer::start));
}

MarkdownView::~MarkdownView() = default;

void MarkdownView::follow(const QString &path, const QString &emptyText)
{
    m_path = path;
    m_emptyText = emptyText;
    watchOnly(*m_watcher, m_path);
    markStale();
}

void MarkdownView::markStale()
{
    m_stale = true;
    watchAgain(*m_watcher, m_path);
    if (isVisible())
        render();
}

void MarkdownView::render()
{
    if (m_rendering || m_path.isEmpty())
        return;
    m_rendering = true;
    m_stale = false;
    // A future's results are copied; the document has one owner, also when this view is gone before it is ready.
    using Rendered = std::shared_ptr<std::unique_ptr<QTextDocument>>;
    auto promise = std::make_shared<QPromise<Rendered>>();
    promise->future().then(this, [this](const Rendered &document) {
        m_rendering = false;
        adopt(document->release());
        if (m_stale && isVisible())
            render();
    });
    QThreadPool::globalInstance()->start([promise, path = m_path, font = textFont(),
                                          linkColour = palette().color(QPalette::Link), owner = thread()] {
        promise->start();
        promise->addResult(std::make_shared<std::unique_ptr<QTextDocument>>(rendered(path, font, linkColour, owner)));
        promise->finish();
    });
}

void MarkdownView::adopt(QTextDocument *document)
{
    if (document == nullptr) {
        setMarkdown(m_emptyText);
        return;
    }
    const int scrolled = verticalScrollBar()->value();
    const QPointer<QTextDocument> old = this->document(); // setDocument() deletes the first one, which is its own
    document->setParent(this);
    setDocument(document);
    delete old;
    verticalScrollBar()->setValue(scrolled);
    goToWanted();
}

void MarkdownView::showIteration(int number)
{
    m_wanted = number;
    if (isVisible() && !m_rendering)
        goToWanted();
}

// The entry at the top; one that is not written yet is waited for.
void MarkdownView::goToWanted()
{
    const std::optional<int> place = placeOfIteration(*document(), m_wanted);
    if (!place)
        return;
    m_wanted = -1;
    const QTextBlock block = document()->findBlock(*place);
    setTextCursor(QTextCursor(block));
    verticalScrollBar()->setValue(int(document()->documentLayout()->blockBoundingRect(block).top()));
}

void MarkdownView::showEvent(QShowEvent *event)
{
    QTextBrowser::showEvent(event);
    if (m_stale)
        render();
    else
        goToWanted();
}

void MarkdownView::changeEvent(QEvent *event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        markStale();
}

} // namespace ako
