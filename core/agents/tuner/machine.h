// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ako::tuner {

// What the tuner wants to know of the processor.
struct Machine
{
    int cores = 1;        // logical
    int vectorBytes = 16; // widest vector register
    long long level1Bytes = 32LL * 1024;
    long long level2Bytes = 512LL * 1024;
    long long level3Bytes = 0; // 0: none found

    std::string summary() const; // one line for the transcript
};

// From /proc/cpuinfo and /sys; the defaults stand for what cannot be read.
Machine readMachine(int logicalCores);
// The widest vector that a "flags" line of /proc/cpuinfo names, in bytes.
int vectorBytesOf(const std::string &cpuinfo);
// "48K", "2048K", "32M" as /sys/devices/system/cpu/cpu0/cache gives them; 0 when it is no size.
long long cacheBytesOf(const std::string &text);

} // namespace ako::tuner
