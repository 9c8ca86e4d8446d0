// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace ako::eval {

namespace {

// Written out because the installed header may be older than the running kernel.
constexpr std::uint64_t refer = std::uint64_t(1) << 13, truncate = std::uint64_t(1) << 14,
                        deviceControl = std::uint64_t(1) << 15;
constexpr std::uint64_t reading =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t ofFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                  LANDLOCK_ACCESS_FS_WRITE_FILE | truncate | deviceControl;

} // namespace

int landlockVersion()
{
    const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? int(version) : 0;
}

std::uint64_t landlockWriting(int version)
{
    std::uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                           LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                           LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                           LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    if (version >= 2)
        rights |= refer;
    if (version >= 3)
        rights |= truncate;
    if (version >= 5)
        rights |= deviceControl;
    return rights;
}

FileRules::FileRules(int version)
    : m_version(version)
{
    if (version < 1)
        return;
    const std::uint64_t handled = reading | landlockWriting(version); // the first field of the attributes
    m_ruleset = Descriptor(int(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0)));
}

void FileRules::allowReading(const std::string &path)
{
    allow(path, reading);
}

void FileRules::allowWriting(const std::string &path)
{
    allow(path, reading | landlockWriting(m_version));
}

void FileRules::allow(const std::string &path, std::uint64_t rights)
{
    if (m_ruleset.get() < 0)
        return;
    const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status = {};
    if (place.get() < 0 || fstat(place.get(), &status) != 0)
        return;
    landlock_path_beneath_attr rule = {};
    rule.allowed_access = S_ISDIR(status.st_mode) ? rights : rights & ofFiles;
    rule.parent_fd = place.get();
    syscall(SYS_landlock_add_rule, m_ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

bool enterFileRules(int descriptor)
{
    return descriptor < 0 ||
           (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, descriptor, 0) == 0);
}

} // namespace ako::eval
