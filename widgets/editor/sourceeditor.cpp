// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/sourceeditor.h"

#include "editor/codeview.h"
#include "editor/editdrafts.h"
#include "editor/filewatch.h"
#include "editor/findbar.h"
#include "style/fonts.h"
#include "style/messagebar.h"
#include "style/palette.h"

#include <QFile>
#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSaveFile>
#include <QShortcut>
#include <QSpinBox>
#include <QStringDecoder>
#include <QTimer>
#include <QVBoxLayout>

namespace ako {

namespace {

constexpr qint64 largestFile = 4LL * 1024 * 1024; // bytes; a kernel is far below

} // namespace

SourceEditor::SourceEditor(QWidget *parent)
    : QWidget(parent)
    , m_bar(new MessageBar(this))
    , m_note(new QLabel(this))
    , m_view(new CodeView(this))
    , m_find(new FindBar(*m_view, this))
    , m_watcher(new QFileSystemWatcher(this))
    , m_keep(new QTimer(this))
    , m_settle(new QTimer(this))
{
    m_note->setFont(smallFont());
    m_note->setWordWrap(true);
    m_note->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    m_note->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_note);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_find);
    setFocusProxy(m_view);

    m_settle->setSingleShot(true);
    m_settle->setInterval(60);
    connect(m_settle, &QTimer::timeout, this, &SourceEditor::diskChanged);
    connect(m_watcher, &QFileSystemWatcher::fileChanged, m_settle, qOverload<>(&QTimer::start));
    connect(m_watcher, &QFileSystemWatcher::directoryChanged, m_settle, qOverload<>(&QTimer::start));
    connect(m_view, &CodeView::modificationChanged, this, &SourceEditor::dirtyChanged);
    m_keep->setSingleShot(true);
    m_keep->setInterval(1500);
    connect(m_keep, &QTimer::timeout, this, &SourceEditor::keepDraft);
    connect(m_view, &CodeView::textChanged, m_keep, qOverload<>(&QTimer::start));
}

SourceEditor::~SourceEditor() = default;

void SourceEditor::setPath(const QString &path)
{
    m_path = path;
    m_view->setLanguageOf(path);
    m_view->setAccessibleName(tr("Source of %1").arg(QFileInfo(path).fileName()));
    m_hasDraft = editDrafts::find(path).has_value();
    m_bar->hide();
    watchOnly(*m_watcher, m_path);
}

void SourceEditor::startNew(const QString &path, const QString &text)
{
    setPath(path);
    m_isNew = true;
    showContent(text.toUtf8());
    offerDraft();
}

bool SourceEditor::load(const QString &path)
{
    setPath(path);
    m_isNew = false;
    m_unshowable = true; // until it is shown
    updateReadOnly();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        m_bar->showMessage(Severity::Error, tr("Cannot read %1: %2").arg(path, file.errorString()));
        return false;
    }
    if (file.size() > largestFile) {
        m_bar->showMessage(Severity::Warning, tr("%1 is larger than 4 MiB and is not shown.").arg(path));
        return false;
    }
    showContent(file.readAll());
    offerDraft();
    return true;
}

void SourceEditor::showContent(const QByteArray &content)
{
    m_onDisk = content;
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(content);
    m_unshowable = decoder.hasError() || content.contains('\0');
    m_view->setContent(text);
    if (m_unshowable)
        m_bar->showMessage(Severity::Warning, tr("%1 is not UTF-8 text: shown, but not editable, so that no byte of "
                                                 "it is lost.")
                                                  .arg(QFileInfo(m_path).fileName()));
    updateReadOnly();
}

bool SourceEditor::save()
{
    if (m_path.isEmpty() || m_view->isReadOnly())
        return false;
    const QByteArray content = m_view->text().toUtf8();
    QSaveFile file(m_path);
    // Flushed first: commit() of a small file does not notice that its bytes found no room.
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.flush() || !file.commit()) {
        m_bar->showMessage(Severity::Error, tr("Cannot save %1: %2").arg(m_path, file.errorString()),
                           tr("Your text is kept here; free some space or check the file's permissions, then save "
                              "again."));
        return false;
    }
    m_onDisk = content;
    m_isNew = false;
    m_view->setModified(false);
    editDrafts::remove(m_path);
    m_bar->hide();
    watchOnly(*m_watcher, m_path);
    Q_EMIT saved();
    return true;
}

bool SourceEditor::isDirty() const
{
    return m_view->isModified();
}

void SourceEditor::setLocked(bool locked, const QString &reason)
{
    m_locked = locked;
    m_note->setText(reason);
    m_note->setVisible(locked && !reason.isEmpty());
    updateReadOnly();
}

void SourceEditor::updateReadOnly()
{
    m_view->setReadOnly(m_locked || m_unshowable);
    offerDraft();
}

void SourceEditor::keepDraft()
{
    m_keep->stop();
    if (isDirty())
        editDrafts::keep(m_path, m_view->text(), m_onDisk);
}

// Once, as soon as it could be taken up.
void SourceEditor::offerDraft()
{
    if (!m_hasDraft || m_view->isReadOnly() || isDirty())
        return;
    m_hasDraft = false;
    const std::optional<editDrafts::Draft> draft = editDrafts::find(m_path);
    if (!draft || draft->text == m_view->text())
        return editDrafts::remove(m_path);
    const QString name = QFileInfo(m_path).fileName();
    const bool isOlder = draft->baseHash != editDrafts::hashOf(m_onDisk);
    m_bar->showMessage(Severity::Warning,
                       tr("Edits of %1 that were not saved have been kept from %2.")
                           .arg(name, QLocale().toString(draft->keptAt, QLocale::ShortFormat)),
                       isOlder ? tr("The file has changed since.") : QString());
    m_bar->addChoice(tr("Take them up"), [this, text = draft->text] { takeUp(text); });
    m_bar->addChoice(tr("Drop them"), [this] { editDrafts::remove(m_path); });
}

// As an edit, which can be undone.
void SourceEditor::takeUp(const QString &text)
{
    if (m_view->isReadOnly()) {
        m_hasDraft = true; // when it is not locked any more
        return;
    }
    m_view->selectAll();
    m_view->replaceSelectedText(text);
    m_view->setCursorPosition(0, 0);
}

void SourceEditor::diskChanged()
{
    watchAgain(*m_watcher, m_path);
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly)) {
        if (!file.exists() && !m_isNew)
            m_bar->showMessage(Severity::Warning, tr("%1 is no longer on disk.").arg(QFileInfo(m_path).fileName()),
                               tr("Save to write it again."));
        return;
    }
    if (file.size() > largestFile)
        return;
    const QByteArray content = file.readAll();
    if (content == m_onDisk)
        return;
    if (isDirty())
        return offerChoices();
    m_bar->hide();
    m_isNew = false;
    showContent(content);
}

void SourceEditor::offerChoices()
{
    m_bar->showMessage(Severity::Warning,
                       tr("%1 changed on disk while you were editing it.").arg(QFileInfo(m_path).fileName()));
    m_bar->addChoice(tr("Load from disk"), [this] { discardEdits(); });
    m_bar->addChoice(tr("Keep mine"), [this] {
        QFile file(m_path);
        if (file.open(QIODevice::ReadOnly))
            m_onDisk = file.readAll();
    });
}

void SourceEditor::discardEdits()
{
    m_keep->stop();
    editDrafts::remove(m_path);
    QFile file(m_path);
    if (file.open(QIODevice::ReadOnly))
        showContent(file.readAll());
    else if (m_isNew)
        showContent(m_onDisk);
}

void SourceEditor::askForLine()
{
    if (m_lineBar == nullptr) {
        m_lineBar = new QWidget(this);
        auto *box = new QSpinBox(m_lineBar);
        box->setAccessibleName(tr("Line to go to"));
        auto *row = new QHBoxLayout(m_lineBar);
        row->setContentsMargins(2 * grid, grid, 2 * grid, grid);
        row->addWidget(new QLabel(tr("Go to line"), m_lineBar));
        row->addWidget(box);
        row->addStretch();
        static_cast<QVBoxLayout *>(layout())->addWidget(m_lineBar);
        connect(box, &QSpinBox::editingFinished, this, [this, box] {
            if (m_lineBar->isVisible() && box->hasFocus()) {
                m_lineBar->hide();
                m_view->goToLine(box->value());
            }
        });
        auto *escape = new QShortcut(QKeySequence(Qt::Key_Escape), m_lineBar);
        escape->setContext(Qt::WidgetWithChildrenShortcut);
        connect(escape, &QShortcut::activated, m_lineBar, &QWidget::hide);
    }
    auto *box = m_lineBar->findChild<QSpinBox *>();
    box->setRange(1, m_view->lines());
    m_lineBar->show();
    box->setFocus();
    box->selectAll();
}

} // namespace ako
