// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/filedescriptor.h"
#include "base/result.h"

#include <QString>

namespace ako {

// The lock that one process holds on a workspace. The kernel releases it when the process ends, however it ends; the
// file stays, and only its text tells who held it last.
class SingleInstance
{
public:
    // The file is made where it is missing; its folder must exist. Does not wait.
    static Result<SingleInstance> acquire(const QString &lockFile);

    SingleInstance(SingleInstance &&) noexcept = default;
    SingleInstance &operator=(SingleInstance &&) noexcept = default;
    ~SingleInstance() = default;

private:
    explicit SingleInstance(FileDescriptor file)
        : m_file(std::move(file))
    {
    }

    FileDescriptor m_file;
};

} // namespace ako
