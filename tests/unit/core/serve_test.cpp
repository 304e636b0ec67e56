// SPDX-License-Identifier: MIT
//
// What `ol serve` takes for a script.

#include "driver/core/serve.hpp"

#include "driver/core/errors.hpp"
#include "tests/paths.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace driver {
namespace {

using testing::DemoKit;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::message_of;
using testing::TemporaryFolder;

class ServeScript : public ::testing::Test {
 protected:
  std::string error_in(const std::string& text) {
    return script_error(exercise_, folder_.write("script.json", text));
  }

  TemporaryFolder folder_;
  Exercise exercise_ = load_exercise(std::filesystem::path(paths::root) / "catalog", "lang.08");
};

TEST_F(ServeScript, IsWhatACaseHasAsItsServer) {
  EXPECT_EQ(error_in(R"({"answers": {"/a": {"body": "x"}, "*": [{"raw": [], "end": "rst"}]}})"),
            "");
  EXPECT_EQ(script_error(exercise_, exercise_.folder / "server.json"), "");
}

TEST_F(ServeScript, NamesTheFieldThatIsWrong) {
  EXPECT_THAT(error_in(R"({"answers": {"/a": {"delay": -1}}})"),
              HasSubstr("script.json: at /answers/~1a/delay: expected"));
  EXPECT_THAT(error_in(R"({"answer": {}})"), HasSubstr("the unknown key 'answer'"));
  EXPECT_THAT(error_in("[]"), HasSubstr("expected an object"));
}

TEST_F(ServeScript, IsNeededByNobodyWithoutAServer) {
  const DemoKit demo;
  const Exercise other = load_exercise(demo.kit().catalog(), "demo");
  EXPECT_THAT(message_of<BadInput>([&] { run_serve(other, demo.kit(), 0, std::nullopt); }),
              EndsWith("talk to no server"));
}

TEST_F(ServeScript, IsRefusedBeforeAnythingIsStarted) {
  const DemoKit demo;
  const auto script = folder_.write("script.json", "{\"listen\": 1}");
  EXPECT_THAT(message_of<BadInput>([&] { run_serve(exercise_, demo.kit(), 0, script); }),
              HasSubstr("at /listen: expected"));
}

}  // namespace
}  // namespace driver
