// SPDX-License-Identifier: MIT
//
// What `ol status` says of a pass, as the submission and the kit change.

#include "driver/core/passes.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/submission.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace driver {
namespace {

using testing::DemoKit;
using ::testing::HasSubstr;
using testing::message_of;
using ::testing::StartsWith;
using testing::TemporaryFolder;

class Passes : public ::testing::Test {
 protected:
  Passes() { folder_.write("mine/solution.hpp", "// mine\n"); }

  std::string status() {
    std::ostringstream out;
    print_status(file_, demo_.kit(), out);
    return out.str();
  }

  void pass() {
    const Exercise exercise = load_exercise(demo_.kit().catalog(), "demo");
    const Submission submission =
        inspect_submission(folder_.path() / "mine", exercise, demo_.kit());
    note_pass(file_, {.exercise = "demo",
                      .folder = submission.folder,
                      .submission = submission.digest,
                      .kit = kit_digest(demo_.kit(), exercise)});
  }

  DemoKit demo_;
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "state" / "ol" / "passes.json";
};

TEST_F(Passes, AreNoneAtFirst) { EXPECT_EQ(status(), "demo  no pass yet\n"); }

TEST_F(Passes, AreFreshWhileNothingChanges) {
  pass();
  EXPECT_THAT(status(), StartsWith("demo  fresh pass, in "));
}

TEST_F(Passes, AreStaleWhenTheFileHasChanged) {
  pass();
  folder_.write("mine/solution.hpp", "// mine, but better\n");
  EXPECT_THAT(status(), StartsWith("demo  changed since it passed, in "));
  pass();
  EXPECT_THAT(status(), StartsWith("demo  fresh pass, in "));
}

TEST_F(Passes, AreStaleWhenTheFileIsGone) {
  pass();
  std::filesystem::remove(folder_.path() / "mine" / "solution.hpp");
  EXPECT_THAT(status(), HasSubstr("no solution.hpp in"));
}

TEST_F(Passes, AreStaleWhenTheCasesHaveChanged) {
  pass();
  demo_.folder().write("driver/new.hpp", "// new\n");
  EXPECT_THAT(status(), StartsWith("demo  passed older cases, in "));
}

TEST_F(Passes, LeaveAFileAloneThatIsNotTheirs) {
  for (const char* text :
       {"{\"format\": 2}", "[]", "{\"format\": 1, \"passes\": {\"demo\": 1}}", "no JSON"}) {
    folder_.write("state/ol/passes.json", text);
    EXPECT_THAT(message_of<BadInput>([&] { pass(); }), HasSubstr("passes.json"));
    EXPECT_THAT(message_of<BadInput>([&] { status(); }), HasSubstr("passes.json"));
    std::ostringstream left;
    left << std::ifstream(file_).rdbuf();
    EXPECT_EQ(left.str(), text);
  }
}

TEST_F(Passes, CompleteAMilestone) {
  const std::string config = (demo_.kit().catalog() / "demo" / "exercise.json").string();
  nlohmann::json exercise = nlohmann::json::parse(std::ifstream(config));
  exercise["milestone"] = "MS-1";
  std::ofstream(config) << exercise.dump();
  EXPECT_THAT(status(), HasSubstr("milestone MS-1: needs a fresh pass of demo\n"));
  pass();
  EXPECT_THAT(status(), HasSubstr("milestone MS-1: complete\n"));
}

}  // namespace
}  // namespace driver
