// SPDX-License-Identifier: MIT
//
// mkdtemp, filled from memory: what was inspected is what is built.

#include "driver/core/scratch.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/text_file.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

namespace driver {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  write_new_file(file, text);
}

/// The folders that exist now, for the thread that removes them when the program is told to end.
std::mutex folders_mutex;
std::set<fs::path> folders;

}  // namespace

Scratch::Scratch() {
  std::error_code failed;
  const fs::path parent = fs::temp_directory_path(failed);
  std::string name = ((failed ? fs::path("/tmp") : parent) / "ol-check-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw GraderFault("no temporary folder " + name + ": " + std::strerror(errno));
  }
  folder_ = name;
  const std::scoped_lock lock(folders_mutex);
  folders.insert(folder_);
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
  const std::scoped_lock lock(folders_mutex);
  folders.erase(folder_);
}

void Scratch::remove_on_signals() {
  static sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaddset(&signals, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([] {
    int signal = 0;
    ::sigwait(&signals, &signal);
    {
      const std::scoped_lock lock(folders_mutex);
      std::error_code ignored;
      for (const fs::path& folder : folders) {
        fs::remove_all(folder, ignored);
      }
    }
    ::signal(signal, SIG_DFL);
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    ::raise(signal);
  }).detach();
}

void Scratch::fill(const Submission& submission, const Exercise& exercise, const Kit& kit) const {
  try {
    for (const SubmittedFile& file : submission.files) {
      put(folder_ / file.name, file.text);
    }
    for (const auto& given : exercise.config.at("given")) {
      const auto name = given.get<std::string>();
      put(folder_ / name, read_file(starter_file(kit, exercise, name), largest_submitted_file));
    }
  } catch (const BadInput& error) {
    throw GraderFault(std::string("the scratch folder cannot be filled: ") + error.what());
  }
}

}  // namespace driver
