// SPDX-License-Identifier: GPL-3.0-or-later
#include "eval/protocol.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace ako::eval {

bool sendFrame(int descriptor, const FrameHeader &header, const void *payload, std::size_t size)
{
    iovec parts[2] = {{const_cast<FrameHeader *>(&header), sizeof header}, {const_cast<void *>(payload), size}};
    msghdr message = {};
    message.msg_iov = parts;
    message.msg_iovlen = size == 0 ? 1 : 2;
    ssize_t sent;
    do {
        sent = sendmsg(descriptor, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(sizeof header + size);
}

ReceiveResult receiveFrame(int descriptor, Frame &frame, bool wait)
{
    std::string buffer(frameLimit, '\0');
    ssize_t count;
    do {
        count = recv(descriptor, buffer.data(), buffer.size(), wait ? 0 : MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR && wait);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? ReceiveResult::Empty : ReceiveResult::Closed;
    if (count == 0)
        return ReceiveResult::Closed;
    if (static_cast<std::size_t>(count) < sizeof frame.header)
        return ReceiveResult::Malformed;
    std::memcpy(&frame.header, buffer.data(), sizeof frame.header);
    frame.payload = buffer.substr(sizeof frame.header, static_cast<std::size_t>(count) - sizeof frame.header);
    return frame.header.magic == frameMagic ? ReceiveResult::Frame : ReceiveResult::Malformed;
}

} // namespace ako::eval
