// SPDX-License-Identifier: MIT
#include "driver/core/serve.hpp"

#include "driver/core/case_file.hpp"
#include "driver/core/errors.hpp"
#include "driver/core/escape.hpp"
#include "driver/core/json_text.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace driver {
namespace {

namespace fs = std::filesystem;

/// Whether the exercise's cases talk to a server.
bool has_server(const nlohmann::json& case_schema) {
  const nlohmann::json defs = case_schema.value("$defs", nlohmann::json::object());
  return defs.contains("server");
}

}  // namespace

std::string script_error(const Exercise& exercise, const fs::path& script) {
  nlohmann::json schema = read_json(exercise.case_schema);
  schema = {{"$ref", "#/$defs/server"}, {"$defs", schema.at("$defs")}};
  const std::vector<SchemaError> errors = JsonSchema(schema).errors(read_json(script));
  return errors.empty() ? "" : printable(script.string()) + ": " + errors.front().message();
}

void run_serve(const Exercise& exercise, const Kit& kit, std::uint16_t port,
               const std::optional<fs::path>& script) {
  if (!has_server(read_json(exercise.case_schema))) {
    throw BadInput("the cases of " + exercise.slug + " talk to no server");
  }
  const fs::path file = script.value_or(exercise.folder / "server.json");
  const std::string error = script_error(exercise, file);
  if (!error.empty()) {
    throw BadInput(error);
  }
  // A thread of this program waits for the signals that end it (Scratch); the server's own are not
  // to be blocked.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
  const std::string number = std::to_string(port);
  ::execl(kit.serve.c_str(), "serve", number.c_str(), file.c_str(), nullptr);
  throw GraderFault("the server " + kit.serve.string() +
                    " cannot be started: " + std::strerror(errno));
}

}  // namespace driver
