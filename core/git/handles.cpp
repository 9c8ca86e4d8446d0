// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/handles.h"

#include <QCoreApplication>

namespace ako::git {

void initialiseLibrary()
{
    [[maybe_unused]] static const int once = git_libgit2_init();
}

std::unexpected<Error> failure(const QString &what, const QString &remedy)
{
    const git_error *last = git_error_last();
    const QString reason = last && last->message ? QString::fromUtf8(last->message) : QString();
    return fail(reason.isEmpty() ? what : QStringLiteral("%1: %2").arg(what, reason), remedy);
}

QString translate(const char *text)
{
    return QCoreApplication::translate("ako::Repository", text);
}

QString idText(const git_oid &id)
{
    char text[GIT_OID_HEXSZ];
    git_oid_fmt(text, &id);
    return QString::fromLatin1(text, GIT_OID_HEXSZ);
}

Result<CommitHandle> lookupCommit(git_repository *repository, const QString &id)
{
    const QByteArray text = id.toLatin1();
    git_oid oid;
    CommitHandle commit;
    const bool valid = text.size() >= GIT_OID_MINPREFIXLEN && text.size() <= GIT_OID_HEXSZ &&
                       git_oid_fromstrn(&oid, text.constData(), size_t(text.size())) == 0;
    if (!valid)
        return fail(translate(QT_TRANSLATE_NOOP("ako::Repository", "\"%1\" is not the id of a commit.")).arg(id));
    if (git_commit_lookup_prefix(receive(commit), repository, &oid, size_t(text.size())) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot read commit %1")).arg(id.left(12)));
    return commit;
}

} // namespace ako::git
