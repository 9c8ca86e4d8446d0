// SPDX-License-Identifier: GPL-3.0-or-later
// How a worker comes to be: the process, its channels and its surroundings.
#include "eval/workerprocess.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace ako::eval {

namespace {

std::vector<std::string> workerEnvironment(const WorkerLimits &limits)
{
    const std::string count = std::to_string(limits.threads);
    std::vector<std::string> environment{"PATH=/usr/bin:/bin",       "LC_ALL=C",
                                         "OMP_NUM_THREADS=" + count, "OMP_DYNAMIC=false",
                                         "GOMP_SPINCOUNT=10000",     "KMP_BLOCKTIME=1"};
    if (const char *path = std::getenv("LD_LIBRARY_PATH"))
        environment.push_back(std::string("LD_LIBRARY_PATH=") + path);
    if (!limits.deviceLibrary.empty()) {
        // Kernels are loaded with their library: loading one later may wait for a stream that is being held back.
        for (const char *variable :
             {"CUDA_MODULE_LOADING=EAGER", "CUDA_CACHE_DISABLE=1", "CUDA_DEVICE_ORDER=PCI_BUS_ID"})
            environment.emplace_back(variable);
        environment.push_back("CUDA_VISIBLE_DEVICES=" + limits.deviceUuid);
    }
    return environment;
}

struct ChildSetup
{
    std::array<char *, 3> arguments;
    std::vector<char *> environment;
    cpu_set_t cores;
    int control, clock, memory, stored, output; // memory: -1 without a GPU; stored: without inputs from files
    pid_t parent;
};

// Should the machine run out of memory, the kernel under test goes first, not the evaluator or the user's programs.
void preferForKilling()
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
    close(file);
}

// After fork: only async-signal-safe calls.
[[noreturn]] void becomeWorker(const ChildSetup &setup)
{
    setsid(); // nothing typed at the terminal reaches it, nor it the terminal
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != setup.parent)
        _exit(126);
    preferForKilling();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
        std::signal(signal, SIG_DFL);
    sched_setaffinity(0, sizeof setup.cores, &setup.cores);
    // First out of the way of the numbers that are given away below.
    const int control = fcntl(setup.control, F_DUPFD, 10), clock = fcntl(setup.clock, F_DUPFD, 10),
              output = fcntl(setup.output, F_DUPFD, 10);
    const int memory = setup.memory < 0 ? -1 : fcntl(setup.memory, F_DUPFD, 10);
    const int stored = setup.stored < 0 ? -1 : fcntl(setup.stored, F_DUPFD, 10);
    const int input = open("/dev/null", O_RDONLY);
    if (control < 0 || clock < 0 || (setup.memory >= 0 && memory < 0) || (setup.stored >= 0 && stored < 0) ||
        output < 0 || input < 0)
        _exit(126);
    dup2(input, 0);
    dup2(output, 1);
    dup2(output, 2);
    dup2(control, controlDescriptor);
    dup2(clock, clockDescriptor);
    for (const auto &[from, to] : {std::pair{memory, sharedDescriptor}, {stored, storedDescriptor}}) {
        if (from >= 0)
            dup2(from, to);
        else
            close(to);
    }
    syscall(SYS_close_range, storedDescriptor + 1, ~0U, 0);
    execve("/proc/self/exe", setup.arguments.data(), setup.environment.data());
    _exit(127);
}

} // namespace

void WorkerProcess::start(const WorkerLimits &limits)
{
    std::array<int, 2> control{}, output{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control.data()) != 0)
        throw Failure(Status::Infrastructure, std::string("No worker can be started: ") + std::strerror(errno));
    m_control = Descriptor(control[0]);
    const Descriptor theirControl(control[1]);
    if (pipe2(output.data(), O_CLOEXEC) != 0)
        throw Failure(Status::Infrastructure, std::string("No worker can be started: ") + std::strerror(errno));
    m_output = Descriptor(output[0]);
    const Descriptor theirOutput(output[1]);
    fcntl(m_output.get(), F_SETFL, O_NONBLOCK);
    const Descriptor theirClock = m_stamps.open();
    if (theirClock.get() < 0)
        throw Failure(Status::Infrastructure, std::string("No worker can be started: ") + std::strerror(errno));
    if (!limits.deviceLibrary.empty()) {
        m_memory = Descriptor(memfd_create("ako-outputs", MFD_CLOEXEC | MFD_ALLOW_SEALING));
        // Without this seal a worker could shrink the memory under the parent's hands.
        if (m_memory.get() < 0 || fcntl(m_memory.get(), F_ADD_SEALS, F_SEAL_SHRINK) != 0)
            throw Failure(Status::Infrastructure, std::string("No shared memory can be made: ") + std::strerror(errno));
    }

    std::string name = "ako-bench", mode = "--worker";
    std::vector<std::string> environment = workerEnvironment(limits);
    ChildSetup setup{{name.data(), mode.data(), nullptr},
                     {},
                     {},
                     theirControl.get(),
                     theirClock.get(),
                     m_memory.get(),
                     limits.storedInputs,
                     theirOutput.get(),
                     getpid()};
    for (std::string &variable : environment)
        setup.environment.push_back(variable.data());
    setup.environment.push_back(nullptr);
    CPU_ZERO(&setup.cores);
    for (const int core : limits.cores)
        CPU_SET(core, &setup.cores);
    const pid_t process = fork();
    if (process < 0)
        throw Failure(Status::Infrastructure, std::string("No worker can be started: ") + std::strerror(errno));
    if (process == 0)
        becomeWorker(setup);
    m_tree = std::make_unique<ProcessTree>(process);
    m_threads = std::make_unique<ThreadWatch>(process);
}

} // namespace ako::eval
