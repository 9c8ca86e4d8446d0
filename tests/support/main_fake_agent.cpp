// SPDX-License-Identifier: GPL-3.0-or-later
// An agent of the Agent Client Protocol that behaves as its arguments say: properly, or in one of the ways in which
// real ones have been seen to go wrong. Waits only for what it is sent.
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <unistd.h>

namespace {

using nlohmann::json;

std::set<std::string> switches;
std::string workspace;
std::string notes;  // a file
std::string script; // another
int floodMegabytes = 0;
std::string session = "s-1";
std::deque<json> early; // read while something else was waited for

bool does(const std::string &name)
{
    return switches.contains(name);
}

void raw(const std::string &bytes)
{
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t count = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (count <= 0)
            std::_Exit(3);
        at += std::size_t(count);
    }
}

void send(const json &message)
{
    raw(message.dump() + (does("carriage-return") ? "\r\n" : "\n"));
}

[[noreturn]] void hang()
{
    for (;;)
        ::pause();
}

std::optional<json> read()
{
    std::string line;
    if (!std::getline(std::cin, line))
        return std::nullopt;
    return json::parse(line);
}

void answer(const json &id, const json &result)
{
    send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void refuse(const json &id, int code, const std::string &message, const json &data = nullptr)
{
    send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}, {"data", data}}}});
}

void update(const json &what, const std::string &of = session)
{
    send({{"jsonrpc", "2.0"}, {"method", "session/update"}, {"params", {{"sessionId", of}, {"update", what}}}});
}

void say(const std::string &text, const char *kind = "agent_message_chunk")
{
    update({{"sessionUpdate", kind}, {"content", {{"type", "text"}, {"text", text}}}});
}

json request(const json &id, const std::string &method, json params)
{
    params["sessionId"] = does("child-session") ? "a-child" : session;
    return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}};
}

// Its answer, or the end of the input; a cancel ends the turn where it is obeyed.
std::optional<json> replyTo(const json &id)
{
    for (;;) {
        const auto message = read();
        if (!message)
            std::_Exit(0);
        if (!message->contains("method") && (*message)["id"] == id)
            return message;
        early.push_back(*message);
    }
}

json call(const json &id, const std::string &method, const json &params)
{
    send(request(id, method, params));
    return *replyTo(id);
}

json options()
{
    return {{{"optionId", "yes-7"}, {"name", "Yes"}, {"kind", "allow_once"}},
            {{"optionId", "ever"}, {"name", "Always"}, {"kind", "allow_always"}},
            {{"optionId", "ever-2"}, {"name", "Always, everywhere"}, {"kind", "allow_always"}},
            {{"optionId", "no-3"}, {"name", "No"}, {"kind", "reject_once"}}};
}

json permission(const json &id, const json &toolCall)
{
    return call(id, "session/request_permission", {{"toolCall", toolCall}, {"options", options()}});
}

void note(const std::string &text) // for the test: what it was told
{
    if (!notes.empty())
        std::ofstream(notes, std::ios::app) << text << '\n';
}

void write(const std::string &path, const std::string &text)
{
    std::ofstream(path) << text;
}

std::string kernelPath()
{
    return workspace + "/solution/kernel.cpp";
}

void edit()
{
    const std::string text = "// edited\n";
    const json diff{{"type", "diff"}, {"path", kernelPath()}, {"oldText", nullptr}, {"newText", text}};
    if (!does("no-tool-call"))
        update({{"sessionUpdate", "tool_call"}, {"toolCallId", "t1"}, {"title", "edit kernel.cpp"}, {"kind", "edit"}});
    const json reply =
        permission(0, {{"toolCallId", "t1"}, {"title", "edit kernel.cpp"}, {"kind", "edit"}, {"content", {diff}}});
    note("permission " + reply["result"]["outcome"].value("optionId", std::string("cancelled")));
    if (does("writes-by-client")) {
        const json written = call("w-1", "fs/write_text_file", {{"path", kernelPath()}, {"content", text}});
        note(written.contains("error") ? "refused" : "written");
    } else {
        write(kernelPath(), text);
    }
    update({{"sessionUpdate", "tool_call_update"}, {"toolCallId", "t1"}, {"status", "completed"}});
}

void triesTheClient()
{
    const auto told = [](const char *name, const json &reply) {
        note(std::string(name) + (reply.contains("error")
                                      ? " refused " + std::to_string(reply["error"]["code"].get<int>())
                                      : " " + reply["result"].dump()));
    };
    told("read", call("r1", "fs/read_text_file", {{"path", workspace + "/lines.txt"}, {"line", 2}, {"limit", 1}}));
    told("read-outside", call("r2", "fs/read_text_file", {{"path", "/etc/hostname"}}));
    told("read-missing", call("r3", "fs/read_text_file", {{"path", workspace + "/missing"}}));
    told("write-outside", call("w1", "fs/write_text_file", {{"path", workspace + "/outside.txt"}, {"content", "x"}}));
    told("write-dots",
         call("w2", "fs/write_text_file", {{"path", workspace + "/solution/../dots.txt"}, {"content", "x"}}));
    told("write-link",
         call("w3", "fs/write_text_file", {{"path", workspace + "/solution/link/a.txt"}, {"content", "x"}}));
    told("write-relative", call("w4", "fs/write_text_file", {{"path", "solution/new/b.txt"}, {"content", "b"}}));
    told("terminal", call("t", "terminal/create", {{"command", "true"}}));
    told("unknown", call(nullptr, "craft/drainMidTurnQueue", json::object()));
    for (const char *kind : {"execute", "fetch", "other", "read"})
        note(std::string(kind) + " " +
             permission(kind, {{"toolCallId", kind}, {"title", kind}, {"kind", kind}})["result"]["outcome"].value(
                 "optionId", "cancelled"));
    json offers = options(); // Qwen's way to name a tool of ours
    offers[1]["name"] = "Always Allow in project: bench";
    const json ours =
        call("ours", "session/request_permission",
             {{"toolCall", {{"toolCallId", "b"}, {"title", "{}"}, {"kind", "other"}}}, {"options", offers}});
    note("our-tool " + ours["result"]["outcome"].value("optionId", "cancelled"));
    const json outside{{"toolCallId", "o"},
                       {"title", "o"},
                       {"kind", "edit"},
                       {"locations", {{{"path", workspace + "/reference.cpp"}}}}};
    note("edit-outside " + permission("o", outside)["result"]["outcome"].value("optionId", "cancelled"));
}

void permissionsInParallel(int count, const char *kind)
{
    for (int number = 0; number < count; ++number)
        send(
            request("p" + std::to_string(number), "session/request_permission",
                    {{"toolCall", {{"toolCallId", "x"}, {"title", "do it"}, {"kind", kind}}}, {"options", options()}}));
    std::set<std::string> answered;
    while (int(answered.size()) < count) {
        const auto reply = read();
        if (!reply)
            std::_Exit(0);
        if (!reply->contains("method"))
            answered.insert((*reply)["id"].get<std::string>());
    }
    note("answered " + std::to_string(answered.size()));
}

// A process that outlives its parent where nobody ends the group; with a session of its own it leaves the group too.
void leaveChild(bool ownSession)
{
    if (::fork() != 0)
        return;
    if (ownSession)
        ::setsid();
    for (const int descriptor : {0, 1, 2})
        ::close(descriptor);
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGINT, SIG_IGN);
    write(workspace + "/solution/child.pid", std::to_string(::getpid()));
    hang();
}

// Words, thoughts and the output of a tool, as a long turn has them and far more of it.
void flood()
{
    const std::string text(900, 'f');
    const std::string output(8000, 'o');
    for (std::int64_t sent = 0; sent < std::int64_t(floodMegabytes) * 1'000'000; sent += 10'000) {
        say(text + "\n");
        say(text + "\n", "agent_thought_chunk");
        update({{"sessionUpdate", "tool_call_update"},
                {"toolCallId", "flood-" + std::to_string(sent % 1'000'000)},
                {"title", "make number " + std::to_string(sent)},
                {"status", "in_progress"},
                {"content", {{{"type", "content"}, {"content", {{"type", "text"}, {"text", output}}}}}}});
    }
}

// In the workspace, in the place of an edit.
void runScript()
{
    if (::chdir(workspace.c_str()) != 0 || ::setenv("SCRIPT", script.c_str(), 1) != 0 ||
        std::system("sh \"$SCRIPT\" >/dev/null 2>&1") != 0)
        std::cerr << "the script failed" << std::endl;
}

void oddUpdates()
{
    update({{"sessionUpdate", "never_heard_of"}, {"x", 1}});
    update({{"sessionUpdate", 7}});
    update(nullptr);
    send({{"jsonrpc", "2.0"}, {"method", "_auth/status_update"}, {"params", 3}});
    send({{"jsonrpc", "2.0"}, {"method", "session/update"}});
    send({{"jsonrpc", "2.0"}, {"id", 99999}, {"result", nullptr}});
    send({{"jsonrpc", "2.0"}, {"id", "1"}, {"result", "not a number"}});
    send({{"jsonrpc", "2.0"}, {"id", {{"an", "object"}}}, {"method", "session/request_permission"}});
}

const char answerBlock[] = "AKO-ANSWER\nTitle: A title\nDirection: layout\nHypothesis: because\nChanges: a file\n"
                           "Analysis: it was slow\nEND\n";

void prompt(const json &message)
{
    const json id = message["id"];
    note("prompt " + message["params"]["prompt"][0]["text"].get<std::string>());
    if (does("never-answers"))
        hang();
    if (does("dies-in-turn")) {
        std::cerr << "a reason on stderr" << std::endl;
        ::kill(::getpid(), SIGKILL);
    }
    if (does("prompt-error"))
        return refuse(id, -32603, "Internal error", {{"details", "429 rate limited"}});
    if (does("odd-updates"))
        oddUpdates();
    if (does("noise"))
        raw("Migrating the database... \x1b[32mdone\x1b[0m\n\nhttps://example.org/login\n[1,2]\n{\"not\": \"a "
            "message\"}\n{bro\xffken\n");
    if (does("long-line"))
        raw(std::string(3 * 1024 * 1024, 'x'));
    if (does("split-utf8")) {
        const std::string text = json{{"jsonrpc", "2.0"},
                                      {"method", "session/update"},
                                      {"params",
                                       {{"sessionId", session},
                                        {"update",
                                         {{"sessionUpdate", "agent_message_chunk"},
                                          {"content", {{"type", "text"}, {"text", "gr\xc3\xbc\xc3\x9f dich\n"}}}}}}}}
                                     .dump() +
                                 "\n";
        for (const char byte : text)
            raw(std::string(1, byte));
    }
    if (does("floods"))
        for (int times = 0; times < 20000; ++times)
            say(std::string(1000, 'f') + "\n");
    if (floodMegabytes > 0)
        flood();
    if (does("floods-stderr"))
        for (int times = 0; times < 20000; ++times)
            std::cerr << std::string(200, 'e') << '\n';
    if (does("says-secret"))
        say("the key is " + std::string(std::getenv("FAKE_API_KEY") ? std::getenv("FAKE_API_KEY") : "none") + "\n");
    if (does("sees-home")) {
        const char *home = std::getenv("HOME");
        note(std::string("home ") +
             (::access((std::string(home) + "/secret.txt").c_str(), R_OK) == 0 ? "seen" : "hidden"));
        const char *token = std::getenv("OTHER_TOKEN");
        note(std::string("token ") + (token ? "seen" : "hidden"));
    }
    if (does("many-permissions"))
        permissionsInParallel(1000, "read");
    if (does("many-commands"))
        permissionsInParallel(1000, "execute");
    if (does("asks-again"))
        for (int times = 0; times < 1000; ++times)
            note("again " + permission("again", {{"toolCallId", "a"},
                                                 {"title", "a shell"},
                                                 {"kind", "execute"},
                                                 {"rawInput", {{"command", "make install"}}}})["result"]["outcome"]
                                .value("optionId", "cancelled"));
    if (does("tries-client"))
        triesTheClient();
    if (does("writes-outside")) {
        write(workspace + "/outside.txt", "x");
        write(workspace + "/reference.cpp", "// overwritten\n");
    }
    if (does("leaves-child"))
        leaveChild(false);
    if (does("leaves-session"))
        leaveChild(true);
    if (does("eats-memory")) {
        std::string eaten;
        for (;;)
            eaten.append(8 << 20, 'm');
    }
    if (!script.empty())
        runScript();
    else if (!does("edits-nothing"))
        edit();
    if (does("repeats-message"))
        say("Working on it. ");
    say(does("no-answer-block") ? "Done.\n" : answerBlock);
    if (does("late-text"))
        answer(id, {{"stopReason", "end_turn"}});
    if (does("tells-tokens")) { // Qwen's way, for each answer of its model
        const json usage{{"usage", {{"inputTokens", 11269}, {"outputTokens", 8}, {"totalTokens", 11277}}}};
        for (int times = 0; times < 2; ++times)
            update({{"sessionUpdate", "agent_message_chunk"},
                    {"content", {{"type", "text"}, {"text", ""}}},
                    {"_meta", usage}});
    }
    update({{"sessionUpdate", "usage_update"},
            {"used", 1234},
            {"size", 9999},
            {"cost", {{"amount", 0.25}, {"currency", "USD"}}}});
    if (does("late-text"))
        return say("after the answer\n");
    json result{{"stopReason", does("refusal") ? "refusal" : "end_turn"}};
    if (does("answers-tokens"))
        result["usage"] = {{"totalTokens", 4321}};
    answer(id, result);
    if (does("exits-after-answer"))
        std::_Exit(0);
}

void waitForCancel(const json &message)
{
    for (;;) {
        const auto next = read();
        if (!next)
            std::_Exit(0);
        if (next->value("method", "") == "session/cancel")
            break;
    }
    note("cancelled");
    if (does("ignores-cancel"))
        hang();
    if (does("asks-after-cancel"))
        note("after cancel " +
             permission("late", {{"toolCallId", "l"}, {"title", "l"}, {"kind", "read"}})["result"]["outcome"].value(
                 "outcome", ""));
    if (does("cancel-error"))
        return refuse(message["id"], -32800, "Request cancelled");
    answer(message["id"], {{"stopReason", "cancelled"}});
}

void handle(const json &message)
{
    const std::string method = message.value("method", "");
    const json id = message.value("id", json());
    if (method == "initialize") {
        if (does("dies-at-start")) {
            std::cerr << "config: unknown key" << std::endl;
            std::_Exit(7);
        }
        if (does("hangs-at-start"))
            hang();
        json capabilities{{"loadSession", does("loads")}};
        if (does("resumes"))
            capabilities["sessionCapabilities"] = {{"resume", json::object()}};
        answer(id, {{"protocolVersion", does("version-2") ? 2 : 1},
                    {"agentCapabilities", capabilities},
                    {"authMethods", {{{"id", "browser"}, {"name", "Log in with a browser"}}}},
                    {"agentInfo", {{"name", "fake"}, {"version", "1"}}}});
    } else if (method == "session/new") {
        if (!message["params"].contains("mcpServers"))
            return refuse(id, -32602, "mcpServers is missing");
        if (does("not-logged-in"))
            return refuse(id, -32000, "Authentication required");
        workspace = message["params"]["cwd"];
        note("new");
        if (does("early-update"))
            say("before the session is known\n");
        json result{{"sessionId", session}};
        const json modes{{"currentModeId", "auto"},
                         {"availableModes", {{{"id", "auto"}, {"name", "a"}}, {{"id", "default"}, {"name", "d"}}}}};
        if (does("modes"))
            result["modes"] = modes;
        if (does("config-options"))
            result["configOptions"] = {
                {{"id", "m"},
                 {"category", "mode"},
                 {"type", "select"},
                 {"currentValue", "auto"},
                 {"options", {{{"name", "group"}, {"options", {{{"value", "default"}, {"name", "d"}}}}}}}}};
        answer(id, result);
    } else if (method == "session/resume" || method == "session/load") {
        workspace = message["params"]["cwd"];
        note(method);
        if (does("session-is-gone"))
            return refuse(id, -32603, "No such session");
        if (method == "session/load")
            say("the past\n");
        answer(id, method == "session/load" ? json() : json::object());
    } else if (method == "session/set_mode" || method == "session/set_config_option") {
        note(method + " " + message["params"].value("modeId", message["params"].value("value", "")));
        answer(id, nullptr);
    } else if (method == "session/prompt") {
        if (does("waits-for-cancel") || does("ignores-cancel"))
            waitForCancel(message);
        else
            prompt(message);
    }
}

} // namespace

int main(int argc, char **argv)
{
    for (int index = 1; index < argc; ++index) {
        const std::string argument = argv[index];
        if (argument.starts_with("notes="))
            notes = argument.substr(6);
        else if (argument.starts_with("flood-megabytes="))
            floodMegabytes = std::atoi(argument.c_str() + 16);
        else if (argument.starts_with("script="))
            script = argument.substr(7);
        else
            switches.insert(argument);
    }
    if (does("ignores-signals")) {
        ::signal(SIGTERM, SIG_IGN);
        ::signal(SIGINT, SIG_IGN);
    }
    note("started");
    for (;;) {
        if (!early.empty()) {
            const json message = early.front();
            early.pop_front();
            handle(message);
            continue;
        }
        const auto message = read();
        if (!message)
            break;
        handle(*message);
    }
    if (does("ignores-signals"))
        hang();
    return 0;
}
