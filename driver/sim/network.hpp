// SPDX-License-Identifier: MIT
// The network as a submission sees it: names, addresses and ports that a case makes up, on real
// loopback sockets. Whoever connects to an address that nobody listens on is refused at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim::network {

/// The made-up network for as long as this object lives: connect() and getaddrinfo() of the process
/// know what was told to it and nothing else. Without one they are the system's.
/// Lifetime: one at a time. Ties the process to one processor, which settle() relies on.
class Scope {
 public:
  Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope();

  /// Gives a host name its addresses, in the order in which they are found.
  void add_name(const std::string& host, std::vector<std::string> addresses);

  /// Leads connections to `address` and `port` to a real port of 127.0.0.1.
  void add_listener(const std::string& address, std::uint16_t port, std::uint16_t real_port);

  /// Makes connections to `address` and `port` neither succeed nor fail.
  /// Errors: std::system_error when no socket can be had.
  void add_black_hole(const std::string& address, std::uint16_t port);

 private:
  std::vector<int> sockets_;  // that keep black holes full
};

/// Waits, in real time, until what was sent on loopback sockets has arrived.
/// Packets of one processor arrive in the order in which they were sent, so this sends one more and
/// waits for that.
void settle();

}  // namespace sim::network
