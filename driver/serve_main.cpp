// SPDX-License-Identifier: MIT
//
// serve: the scripted server of the cases in real time, for `ol serve`.
//
//   serve PORT SCRIPT
//
// A program of its own because it uses Asio, which the programs that judge do not.

#include "driver/fixtures/http_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>

namespace {

constexpr int wrong_usage = 2;

std::uint16_t parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw std::invalid_argument("not a port: " + std::string(text));
  }
  return port;
}

void serve(std::uint16_t port, const std::string& file) {
  std::ifstream stream(file);
  const nlohmann::json script = nlohmann::json::parse(stream);
  boost::asio::io_context loop;
  const auto start = std::chrono::steady_clock::now();
  const auto show = [start](std::string_view what, std::size_t connection,
                            std::string_view detail) {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::cout << std::fixed << std::setprecision(3) << std::setw(9) << time.count()
              << " s  connection " << connection << "  " << what << (detail.empty() ? "" : "  ")
              << detail << std::endl;
  };
  const fixtures::HttpServer server(loop.get_executor(), fixtures::read_http_script(script), show,
                                    port);
  const std::string place = "http://127.0.0.1:" + std::to_string(server.port());
  std::cout << "serving " << place << "/, until Ctrl-C; it answers" << std::endl;
  const nlohmann::json answers = script.value("answers", nlohmann::json::object());
  for (const auto& [target, answer] : answers.items()) {
    std::cout << "  " << place << target << std::endl;
  }
  boost::asio::signal_set signals(loop, SIGINT, SIGTERM);
  signals.async_wait([&loop](const auto&, int) { loop.stop(); });
  loop.run();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 3) throw std::invalid_argument("usage: serve PORT SCRIPT");
    serve(parse_port(argv[1]), argv[2]);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << "serve: " << error.what() << std::endl;
    return wrong_usage;
  }
}
