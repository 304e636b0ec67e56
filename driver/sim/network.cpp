// SPDX-License-Identifier: MIT
#include "driver/sim/network.hpp"

#include "driver/sim/blocking.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <sched.h>
#include <set>
#include <string_view>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sim::network {
namespace {

using Place = std::pair<std::string, std::uint16_t>;

// What the current Scope was told.
struct Network {
  std::map<std::string, std::vector<std::string>> names;
  std::map<Place, std::uint16_t> listeners;  // place and real port
  std::set<int> ipv6_sockets;
};

Network* network = nullptr;

int real_connect(int fd, const sockaddr* address, socklen_t length) {
  return static_cast<int>(::syscall(SYS_connect, fd, address, length));
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

std::uint16_t port_of(int fd) {
  sockaddr_in address{};
  socklen_t length = sizeof(address);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

int open_socket(int type) {
  const int fd = static_cast<int>(::syscall(SYS_socket, AF_INET, type | SOCK_CLOEXEC, 0));
  const sockaddr_in any_port = loopback(0);
  if (fd < 0 || ::bind(fd, reinterpret_cast<const sockaddr*>(&any_port), sizeof(any_port)) != 0) {
    throw std::system_error(errno, std::generic_category(), "a socket on 127.0.0.1");
  }
  return fd;
}

// Stays on the processor that it is on.
void stay() {
  static bool done = false;
  if (std::exchange(done, true)) return;
  const int processor = ::sched_getcpu();
  if (processor < 0) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(processor), &set);
  ::sched_setaffinity(0, sizeof(set), &set);
}

// A datagram socket that is connected to itself.
int open_echo() {
  const int fd = open_socket(SOCK_DGRAM);
  const sockaddr_in self = loopback(port_of(fd));
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  if (real_connect(fd, reinterpret_cast<const sockaddr*>(&self), sizeof(self)) != 0) {
    throw std::system_error(errno, std::generic_category(), "a datagram to 127.0.0.1");
  }
  return fd;
}

std::optional<Place> place_of(const sockaddr* address, socklen_t length) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address->sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    ::inet_ntop(AF_INET, &v4->sin_addr, text.data(), text.size());
    return Place(text.data(), ntohs(v4->sin_port));
  }
  if (address->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
    ::inet_ntop(AF_INET6, &v6->sin6_addr, text.data(), text.size());
    return Place(text.data(), ntohs(v6->sin6_port));
  }
  return std::nullopt;
}

bool is_v6(int fd) {
  int domain = AF_INET;
  socklen_t length = sizeof(domain);
  ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length);
  return domain == AF_INET6;
}

int connect_to(int fd, std::uint16_t real_port) {
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));  // else bytes wait in real time
  const sockaddr_in v4 = loopback(real_port);
  if (!is_v6(fd)) return real_connect(fd, reinterpret_cast<const sockaddr*>(&v4), sizeof(v4));
  sockaddr_in6 mapped{};
  mapped.sin6_family = AF_INET6;
  mapped.sin6_port = v4.sin_port;
  ::inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr);
  return real_connect(fd, reinterpret_cast<const sockaddr*>(&mapped), sizeof(mapped));
}

bool blocks(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) == 0;
}

void on_socket_call(int fd, const char* call) {
  if (network != nullptr && is_in_step() && blocks(fd)) on_blocking_call(call);
}

// The lists that getaddrinfo made here: freeaddrinfo must not take them for the system's.
std::set<const addrinfo*>& own_lists() {
  static std::set<const addrinfo*> lists;
  return lists;
}

struct AddressInfo {
  addrinfo info{};
  sockaddr_storage address{};
};

std::optional<AddressInfo> address_info(const std::string& text, std::uint16_t port) {
  AddressInfo made;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&made.address);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&made.address);
  if (::inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    made.info.ai_family = AF_INET;
    made.info.ai_addrlen = sizeof(sockaddr_in);
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    made.info.ai_family = AF_INET6;
    made.info.ai_addrlen = sizeof(sockaddr_in6);
  } else {
    return std::nullopt;
  }
  made.info.ai_socktype = SOCK_STREAM;
  made.info.ai_protocol = IPPROTO_TCP;
  return made;
}

std::optional<std::uint16_t> service_port(const char* service) {
  if (service == nullptr || *service == '\0') return std::uint16_t{0};
  const std::string_view text = service;
  if (text == "http") return std::uint16_t{80};
  if (text == "https") return std::uint16_t{443};
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

std::vector<std::string> addresses_of(const char* host, int flags) {
  if (host == nullptr) return {"127.0.0.1"};
  if (address_info(host, 0)) return {host};
  const auto found = network->names.find(host);
  if (found == network->names.end() || (flags & AI_NUMERICHOST) != 0) return {};
  return found->second;
}

// One block of memory for each element of the list, the address behind the info.
addrinfo* append(addrinfo* last, const AddressInfo& made) {
  auto* block = static_cast<AddressInfo*>(std::malloc(sizeof(AddressInfo)));
  if (block == nullptr) return nullptr;
  *block = made;
  block->info.ai_addr = reinterpret_cast<sockaddr*>(&block->address);
  if (last != nullptr) last->ai_next = &block->info;
  return &block->info;
}

int look_up(const char* host, const char* service, const addrinfo* hints, addrinfo** result) {
  const auto port = service_port(service);
  if (!port) return EAI_SERVICE;
  const int family = hints != nullptr ? hints->ai_family : AF_UNSPEC;
  addrinfo* first = nullptr;
  addrinfo* last = nullptr;
  for (const std::string& text : addresses_of(host, hints != nullptr ? hints->ai_flags : 0)) {
    const auto made = address_info(text, *port);
    if (!made || (family != AF_UNSPEC && family != made->info.ai_family)) continue;
    last = append(last, *made);
    if (last == nullptr) return EAI_MEMORY;
    if (first == nullptr) first = last;
  }
  if (first == nullptr) return EAI_NONAME;
  own_lists().insert(first);
  *result = first;
  return 0;
}

template <class Function>
Function* next_definition(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

Scope::Scope() {
  network = new Network();
  network->names["localhost"] = {"127.0.0.1", "::1"};
  stay();
}

Scope::~Scope() {
  for (const int fd : sockets_) ::close(fd);
  delete std::exchange(network, nullptr);
}

void Scope::add_name(const std::string& host, std::vector<std::string> addresses) {
  network->names[host] = std::move(addresses);
}

void Scope::add_listener(const std::string& address, std::uint16_t port, std::uint16_t real_port) {
  network->listeners[Place(address, port)] = real_port;
}

// A listener whose queue is full answers nobody.
void Scope::add_black_hole(const std::string& address, std::uint16_t port) {
  const int listener = open_socket(SOCK_STREAM);
  sockets_.push_back(listener);
  ::listen(listener, 0);
  const std::uint16_t real_port = port_of(listener);
  const sockaddr_in target = loopback(real_port);
  for (int count = 0; count < 2; ++count) {
    sockets_.push_back(open_socket(SOCK_STREAM | SOCK_NONBLOCK));
    real_connect(sockets_.back(), reinterpret_cast<const sockaddr*>(&target), sizeof(target));
  }
  settle();
  add_listener(address, port, real_port);
}

void settle() {
  static const int echo = open_echo();
  char byte = 0;
  do {
    ::syscall(SYS_sendto, echo, &byte, sizeof(byte), 0, nullptr, 0);
  } while (::syscall(SYS_recvfrom, echo, &byte, sizeof(byte), 0, nullptr, nullptr) < 0);
}

}  // namespace sim::network

// The functions below replace the C library's for the whole process; without a Scope they do what
// the library does.
using sim::network::network;

extern "C" {

// A machine without IPv6 has none of its addresses, but the made-up network does.
int socket(int domain, int type, int protocol) noexcept {
  int fd = static_cast<int>(::syscall(SYS_socket, domain, type, protocol));
  if (fd < 0 && network != nullptr && domain == AF_INET6 && errno == EAFNOSUPPORT) {
    fd = static_cast<int>(::syscall(SYS_socket, AF_INET, type, protocol));
  }
  if (network != nullptr) {
    network->ipv6_sockets.erase(fd);  // of an earlier socket with this number
    if (domain == AF_INET6) network->ipv6_sockets.insert(fd);
  }
  return fd;
}

int connect(int fd, const sockaddr* address, socklen_t length) {
  sim::network::on_socket_call(fd, "connect on a blocking socket");
  const auto place = network != nullptr ? sim::network::place_of(address, length) : std::nullopt;
  if (!place) return sim::network::real_connect(fd, address, length);
  // As the kernel does: a socket has one kind of address.
  const bool is_ipv6 = network->ipv6_sockets.contains(fd);
  if (is_ipv6 != (address->sa_family == AF_INET6)) {
    errno = is_ipv6 ? EINVAL : EAFNOSUPPORT;
    return -1;
  }
  const auto found = network->listeners.find(*place);
  if (found == network->listeners.end()) {
    errno = ECONNREFUSED;
    return -1;
  }
  return sim::network::connect_to(fd, found->second);
}

ssize_t recv(int fd, void* buffer, size_t size, int flags) {
  sim::network::on_socket_call(fd, "recv on a blocking socket");
  return ::syscall(SYS_recvfrom, fd, buffer, size, flags, nullptr, nullptr);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  sim::network::on_socket_call(fd, "recvmsg on a blocking socket");
  return ::syscall(SYS_recvmsg, fd, message, flags);
}

int getaddrinfo(const char* __restrict host, const char* __restrict service,
                const addrinfo* __restrict hints, addrinfo** __restrict result) {
  if (network == nullptr) {
    static auto* const next = sim::network::next_definition<decltype(getaddrinfo)>("getaddrinfo");
    return next(host, service, hints, result);
  }
  sim::on_blocking_call("getaddrinfo (resolver::resolve)");
  return sim::network::look_up(host, service, hints, result);
}

void freeaddrinfo(addrinfo* list) noexcept {
  if (sim::network::own_lists().erase(list) == 0) {
    static auto* const next = sim::network::next_definition<void(addrinfo*)>("freeaddrinfo");
    next(list);
    return;
  }
  while (list != nullptr) std::free(std::exchange(list, list->ai_next));
}

}  // extern "C"
