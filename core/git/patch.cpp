// SPDX-License-Identifier: GPL-3.0-or-later
#include "git/patch.h"

namespace ako::git {

Result<PatchHandle> makePatch(const QByteArray &before, const QByteArray &after, int contextLines)
{
    git_diff_options options = GIT_DIFF_OPTIONS_INIT;
    options.context_lines = uint32_t(contextLines);
    options.interhunk_lines = 0;
    PatchHandle patch;
    if (git_patch_from_buffers(receive(patch), before.constData(), size_t(before.size()), nullptr, after.constData(),
                               size_t(after.size()), nullptr, &options) != 0)
        return failure(translate(QT_TRANSLATE_NOOP("ako::Repository", "Cannot compare two files")));
    return patch;
}

bool isBinary(const QByteArray &content)
{
    return content.left(8000).contains('\0');
}

} // namespace ako::git
