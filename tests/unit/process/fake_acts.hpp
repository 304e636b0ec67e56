// SPDX-License-Identifier: MIT
//
// What a child of the fake runner does, by the name in its case's "do".

#pragma once

#include "driver/protocol/frame.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <fcntl.h>
#include <functional>
#include <map>
#include <signal.h>
#include <string>
#include <unistd.h>

namespace fake {

using nlohmann::json;

inline void write_all(int fd, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (count <= 0) {
      return;
    }
    done += static_cast<std::size_t>(count);
  }
}

/// The child's side of a report.
struct Report {
  int fd = -1;
  std::uint64_t token = 0;
  std::uint32_t sequence = 0;

  void raw(const std::string& payload) {
    write_all(fd, protocol::encode_frame(sequence++, token, payload));
  }
  void send(const json& record) { raw(record.dump()); }
  void event(int time) { send({{"r", "ev"}, {"t", time}, {"ev", "tick"}, {"k", 1}}); }
  void begin(int run, const std::string& schedule) {
    send({{"r", "begin"}, {"run", run}, {"schedule", schedule}});
  }
  void end(int run, int events) {
    send({{"r", "report"}, {"report", {{"results", json::array()}}}, {"observed", json::object()}});
    send({{"r", "end"}, {"run", run}, {"events", events}});
  }
  void bye(int runs) { send({{"r", "bye"}, {"runs", runs}}); }
  void pass() {
    begin(0, "fifo");
    event(0);
    event(5);
    end(0, 2);
    bye(1);
  }
};

[[noreturn]] inline void idle() {
  while (true) {
    ::pause();
  }
}

/// Leaves a process behind that keeps every descriptor open.
inline void leave_grandchild() {
  if (::fork() == 0) {
    idle();
  }
}

using Act = std::function<void(Report&, const json&)>;

inline std::map<std::string, Act> report_acts() {
  return {
      {"pass", [](Report& r, const json&) { r.pass(); }},
      {"nothing", [](Report&, const json&) {}},
      {"bad length",
       [](Report& r, const json&) {
         write_all(r.fd, std::string("\xFF\xFF\xFF\xFF", 4) + std::string(4, '\0') +
                             protocol::encode_frame(0, r.token, "").substr(8));
       }},
      {"wrong token",
       [](Report& r, const json&) {
         r.token ^= 1U;
         r.pass();
       }},
      {"out of order",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         ++r.sequence;
         r.event(0);
       }},
      {"no json", [](Report& r, const json&) { r.raw("{\"r\":"); }},
      {"no record", [](Report& r, const json&) { r.raw("[1]"); }},
      {"deep json", [](Report& r, const json&) { r.raw(std::string(100'000, '[')); }},
      {"trailing",
       [](Report& r, const json&) {
         r.pass();
         write_all(r.fd, "x");
       }},
      {"event outside", [](Report& r, const json&) { r.event(0); }},
      {"bad count",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         r.end(0, 7);
       }},
      {"bad time",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         r.event(5);
         r.event(4);
       }},
      {"wrong schedule", [](Report& r, const json&) { r.begin(0, "lifo"); }},
      {"early bye",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         r.bye(1);
       }},
      {"endless frames",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         while (true) {
           r.event(0);
         }
       }},
      {"fatal",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         r.send({{"r", "fatal"}, {"kind", "deadlock"}, {"detail", {{"tasks", json::array()}}}});
       }},
      {"two schedules",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         r.end(0, 0);
         r.begin(1, "lifo");
         r.end(1, 0);
         r.bye(2);
       }},
  };
}

inline std::map<std::string, Act> process_acts() {
  return {
      {"crash",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         ::signal(SIGSEGV, SIG_DFL);  // a sanitizer would turn it into an exit
         ::raise(SIGSEGV);
       }},
      {"exit 3",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         ::_exit(3);
       }},
      {"pass, exit 3",
       [](Report& r, const json&) {
         r.pass();
         ::_exit(3);
       }},
      {"half a frame",
       [](Report& r, const json&) {
         write_all(r.fd, "abc");
         ::_exit(0);
       }},
      {"hang",
       [](Report& r, const json&) {
         r.begin(0, "fifo");
         idle();
       }},
      {"print",
       [](Report& r, const json& c) {
         write_all(1, c.at("out").get<std::string>());
         write_all(2, c.at("err").get<std::string>());
         r.pass();
       }},
      {"flood",
       [](Report& r, const json&) {
         r.pass();
         while (true) {
           write_all(1, std::string(4096, 'y'));
         }
       }},
      {"long",
       [](Report& r, const json& c) {
         write_all(1, "first\n" + std::string(c.at("bytes").get<std::size_t>(), '-') + "\nlast");
         r.pass();
       }},
      {"grandchild",
       [](Report& r, const json&) {
         leave_grandchild();
         r.pass();
       }},
      {"kill runner",
       [](Report&, const json&) {
         ::kill(::getppid(), SIGKILL);
         idle();
       }},
      {"list fds",
       [](Report& r, const json&) {
         std::string open;
         for (int fd = 0; fd < 64; ++fd) {
           open += ::fcntl(fd, F_GETFD) >= 0 ? std::to_string(fd) + " " : "";
         }
         write_all(1, open);
         r.pass();
       }},
      {"environment",
       [](Report& r, const json&) {
         for (char** variable = environ; *variable != nullptr; ++variable) {
           write_all(1, std::string(*variable) + "\n");
         }
         r.pass();
       }},
  };
}

}  // namespace fake
