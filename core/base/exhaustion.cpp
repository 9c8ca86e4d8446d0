// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/exhaustion.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace ako::exhaustion {

namespace {

constexpr std::string_view words =
    "ako4all: The system gives this program no more memory or threads.\n"
    "         End other programs, or raise the limit that \"ulimit -a\" shows. Nothing is lost: the same command goes "
    "on from here.\n";
constexpr std::string_view outcome =
    "{\"event\":\"outcome\",\"exit\":1,\"reason\":\"The system gives this program no more memory or threads.\"}\n";

// Below it the libraries themselves, which do not all look at what they are given, have too little.
constexpr rlim_t leastMemory = 256UL * 1024 * 1024;

std::atomic<bool> asJson = false;

void say(int descriptor, std::string_view text)
{
    [[maybe_unused]] const ssize_t written = ::write(descriptor, text.data(), text.size());
}

// Qt's containers throw without asking operator new's handler.
[[noreturn]] void onTerminate()
{
    try {
        if (const std::exception_ptr current = std::current_exception())
            std::rethrow_exception(current);
    } catch (const std::bad_alloc &) {
        end();
    } catch (...) {
        std::abort();
    }
    std::abort();
}

} // namespace

// Destructors and handlers of exit() may want memory themselves; children go with this process.
void end()
{
    say(STDERR_FILENO, words);
    if (asJson.load())
        say(STDOUT_FILENO, outcome);
    ::_exit(EXIT_FAILURE);
}

void prepare()
{
    std::signal(SIGXFSZ, SIG_IGN);
    std::set_new_handler(end);
    std::set_terminate(onTerminate);
    struct rlimit limit = {};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < leastMemory)
        end();
}

void answerAsJson()
{
    asJson.store(true);
}

} // namespace ako::exhaustion
