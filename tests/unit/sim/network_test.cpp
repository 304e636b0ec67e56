// SPDX-License-Identifier: MIT
// The made-up network: who is found where, who is refused, and that time waits for bytes.

#include "driver/sim/network.hpp"

#include "driver/sim/blocking.hpp"
#include "tests/unit/sim/simulated.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sim::test {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);

// A simulation with a network in which a listener of its own waits at 127.0.0.1:8765.
class Network : public testing::Test {
 protected:
  Network() : listener_(simulation_->outside(), tcp::endpoint(tcp::v4(), 0)) {
    scope_.add_listener("127.0.0.1", 8765, listener_.local_endpoint().port());
  }

  // Runs `body` to its end as a coroutine of the simulation.
  void run(asio::awaitable<void> body) {
    asio::co_spawn(simulation_.executor(), std::move(body), [](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
    });
    simulation_.run(1'000'000);
  }

  Simulated simulation_;
  network::Scope scope_;
  tcp::acceptor listener_;
};

asio::awaitable<void> look_up(std::string host, std::vector<std::string>* found) {
  tcp::resolver resolver(co_await asio::this_coro::executor);
  const auto [error, results] = co_await resolver.async_resolve(host, "8765", no_throw);
  if (error) found->push_back(error.message());
  for (const auto& entry : results) found->push_back(entry.endpoint().address().to_string());
}

TEST_F(Network, FindsTheNamesThatItWasTold) {
  scope_.add_name("mirror.test", {"127.0.0.2", "::1"});
  std::vector<std::string> found;
  run(look_up("mirror.test", &found));
  run(look_up("127.0.0.9", &found));
  run(look_up("nobody.test", &found));
  EXPECT_THAT(found,
              ElementsAre("127.0.0.2", "::1", "127.0.0.9",
                          asio::error::make_error_code(asio::error::host_not_found).message()));
}

asio::awaitable<void> connect(std::string address, std::uint16_t port,
                              boost::system::error_code* result) {
  tcp::socket socket(co_await asio::this_coro::executor);
  const tcp::endpoint place(asio::ip::make_address(address), port);
  const auto [error] = co_await socket.async_connect(place, no_throw);
  *result = error;
}

TEST_F(Network, ConnectsToWhoListens) {
  boost::system::error_code error = asio::error::fault;
  run(connect("127.0.0.1", 8765, &error));
  EXPECT_FALSE(error) << error.message();
}

TEST_F(Network, ConnectsToAnAddressOfIPv6) {
  scope_.add_listener("::1", 80, listener_.local_endpoint().port());
  boost::system::error_code error = asio::error::fault;
  run(connect("::1", 80, &error));
  EXPECT_FALSE(error) << error.message();
}

TEST_F(Network, RefusesWhereNobodyListens) {
  boost::system::error_code error;
  run(connect("127.0.0.1", listener_.local_endpoint().port(), &error));
  EXPECT_EQ(error, asio::error::connection_refused);
}

asio::awaitable<void> connect_to_one_after_the_other(boost::system::error_code* first,
                                                     boost::system::error_code* second) {
  tcp::socket socket(co_await asio::this_coro::executor);
  const auto [refused] =
      co_await socket.async_connect({asio::ip::make_address("::1"), 8765}, no_throw);
  const auto [wrong_kind] =
      co_await socket.async_connect({asio::ip::make_address("127.0.0.1"), 8765}, no_throw);
  *first = refused;
  *second = wrong_kind;
}

TEST_F(Network, RefusesAnAddressOfAnotherKindThanTheSocketIs) {
  boost::system::error_code refused;
  boost::system::error_code wrong_kind;
  run(connect_to_one_after_the_other(&refused, &wrong_kind));
  EXPECT_EQ(refused, asio::error::connection_refused);
  EXPECT_EQ(wrong_kind, asio::error::invalid_argument);
}

asio::awaitable<void> connect_until(tcp::socket* socket, tcp::endpoint place,
                                    boost::system::error_code* result) {
  asio::steady_timer timer(co_await asio::this_coro::executor, 30s);
  timer.async_wait([socket](const auto&) { socket->close(); });
  const auto [error] = co_await socket->async_connect(place, no_throw);
  *result = error;
  timer.cancel();
}

TEST_F(Network, NeitherAcceptsNorRefusesAtABlackHole) {
  scope_.add_black_hole("127.0.0.3", 80);
  boost::system::error_code error;
  tcp::socket socket(simulation_.executor());
  run(connect_until(&socket, {asio::ip::make_address("127.0.0.3"), 80}, &error));
  EXPECT_EQ(error, asio::error::operation_aborted);
}

asio::awaitable<void> send_all(tcp::acceptor* listener, std::size_t size) {
  tcp::socket socket = co_await listener->async_accept(asio::use_awaitable);
  const std::string bytes(size, 'x');
  co_await asio::async_write(socket, asio::buffer(bytes), asio::use_awaitable);
}

// Reads with a timer beside it that would ring at once if time went on.
asio::awaitable<void> read_all(std::size_t* size, std::int64_t* ended) {
  tcp::socket socket(co_await asio::this_coro::executor);
  asio::steady_timer timer(co_await asio::this_coro::executor, 1ms);
  timer.async_wait([&socket](const auto& error) {
    if (!error) socket.close();
  });
  co_await socket.async_connect({asio::ip::address_v4::loopback(), 8765}, asio::use_awaitable);
  std::string bytes;
  const auto [error, count] =
      co_await asio::async_read(socket, asio::dynamic_buffer(bytes), no_throw);
  timer.cancel();
  *size = count;
  *ended = clock::now_ns();
}

TEST_F(Network, LetsNoTimePassWhileBytesAreOnTheirWay) {
  constexpr std::size_t size = 4'000'000;
  std::size_t received = 0;
  std::int64_t ended = -1;
  asio::co_spawn(simulation_->outside(), send_all(&listener_, size), asio::detached);
  run(read_all(&received, &ended));
  EXPECT_EQ(received, size);
  EXPECT_EQ(ended, 0);
}

std::vector<std::string>& seen() {
  static std::vector<std::string> calls;
  return calls;
}

asio::awaitable<void> call_it(std::function<void()> call) {
  call();
  co_return;
}

TEST_F(Network, NoticesCallsThatBlock) {
  seen().clear();
  set_blocking_handler([](const char* call) { seen().emplace_back(call); });
  tcp::socket socket(simulation_.executor());
  const auto talk = [&] {
    tcp::resolver resolver(simulation_.executor());
    asio::connect(socket, resolver.resolve("127.0.0.1", "8765"));
  };
  run(call_it(talk));
  set_blocking_handler(nullptr);
  EXPECT_THAT(seen(),
              ElementsAre("getaddrinfo (resolver::resolve)", "connect on a blocking socket"));
}

TEST_F(Network, TakesNoAsyncCallForABlockingOne) {
  seen().clear();
  set_blocking_handler([](const char* call) { seen().emplace_back(call); });
  std::vector<std::string> found;
  boost::system::error_code error;
  run(look_up("localhost", &found));
  run(connect("127.0.0.1", 8765, &error));
  set_blocking_handler(nullptr);
  EXPECT_THAT(seen(), IsEmpty());
}

}  // namespace
}  // namespace sim::test
