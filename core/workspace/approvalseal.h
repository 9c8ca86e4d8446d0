// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace ako {

// HMAC-SHA256, hexadecimal, with a key of this user's own: an approval that came with a workspace is nobody's approval
// here. The key is made when it is first needed, in the user's configuration folder, or in a private folder below the
// one for temporary files where that cannot be written; where neither can, it lasts as long as this process.
QByteArray approvalSeal(const QByteArray &content);

} // namespace ako
