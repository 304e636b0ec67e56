// SPDX-License-Identifier: MIT
//
// The build of a submission, with compilers that are scripts.

#include "driver/core/build.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/text_file.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driver {
namespace {

using testing::DemoKit;
using testing::message_of;
using testing::TemporaryFolder;

class Build : public ::testing::Test {
 protected:
  BuildResult build(const BuildOptions& options = {}) {
    return build_submission(exercise_, demo_.kit(), scratch_.path(), options);
  }

  DemoKit demo_;
  TemporaryFolder scratch_;
  Exercise exercise_ = load_exercise(demo_.kit().catalog(), "demo");
};

TEST_F(Build, CompilesThenLinksWithArgumentLists) {
  demo_.kit().variants["plain"] = {.compile = {"-DA=\"a b\""}, .link = {"-lm"}, .pch = ""};
  demo_.kit().include_dirs = {"/inc"};
  demo_.write_compiler("printf '%s|' \"$@\"; echo");

  const BuildResult result = build();

  EXPECT_TRUE(result.is_ok);
  EXPECT_EQ(result.program, scratch_.path() / "runner");
  EXPECT_EQ(result.output,
            "-DA=\"a b\"|-fdiagnostics-color=never|-I|<submission>|-I|/inc|-c|<kit>/driver/"
            "runners/demo.cpp|-o|<submission>/demo.o|\n"
            "-lm|<submission>/demo.o|-o|<submission>/runner|\n");
}

TEST_F(Build, LeavesOutAPartThatDoesNotCompile) {
  exercise_.config["runner_parts"] = {{{"name", "good"}, {"scenarios", {"a"}}},
                                      {{"name", "bad"}, {"scenarios", {"b"}}}};
  demo_.folder().write("driver/runners/good.cpp", "");
  demo_.folder().write("driver/runners/bad.cpp", "");
  demo_.write_compiler(
      "case \"$*\" in *bad.cpp*) echo 'bad.cpp: no'; exit 1;; *-c*) ;; "
      "*) echo \"$*\";; esac");

  const BuildResult result = build();

  EXPECT_TRUE(result.is_ok);
  EXPECT_EQ(result.output, "<submission>/demo.o <submission>/good.o -o <submission>/runner\n");
  EXPECT_EQ(result.failed_parts, (std::map<std::string, std::string>{{"bad", "bad.cpp: no\n"}}));
}

TEST_F(Build, CompilesTheSourcesThatAreHandedIn) {
  exercise_.config["files"] = {"solution.hpp", "solution.cpp"};
  scratch_.write("solution.cpp", "");
  demo_.write_compiler("case \"$*\" in *-c*) ;; *) echo \"$*\";; esac");

  const BuildResult result = build();

  EXPECT_TRUE(result.is_ok);
  EXPECT_EQ(result.output,
            "<submission>/demo.o <submission>/solution.cpp.o -o <submission>/runner\n");
}

TEST_F(Build, FailsWhenAHandedInSourceDoesNotCompile) {
  exercise_.config["files"] = {"solution.cpp"};
  scratch_.write("solution.cpp", "");
  demo_.write_compiler("case \"$*\" in *solution.cpp*) echo 'solution.cpp: no'; exit 1;; esac");

  const BuildResult result = build();

  EXPECT_FALSE(result.is_ok);
  EXPECT_EQ(result.output, "solution.cpp: no\n");
}

TEST_F(Build, TellsWhatIsIncludedAndNotAllowed) {
  exercise_.config["files"] = {"solution.cpp"};
  exercise_.config["includes"] = nlohmann::json::array();
  scratch_.write("solution.cpp", "#include <vector>\n#include <curl/curl.h>\n");
  demo_.write_compiler(":");

  EXPECT_THAT(build().foreign_includes,
              ::testing::ElementsAre("solution.cpp:2 includes 'curl/curl.h', which this exercise "
                                     "does not allow"));
}

TEST_F(Build, ShowsWhatTheCompilerSaidWithShortPaths) {
  demo_.write_compiler("echo \"$3/solution.hpp:1:2: error: no\"; exit 1");

  const BuildResult result = build();

  EXPECT_FALSE(result.is_ok);
  EXPECT_EQ(result.output, "<submission>/solution.hpp:1:2: error: no\n");
}

TEST_F(Build, SaysThatALinkerFailedWithoutAWord) {
  demo_.write_compiler("case \"$*\" in *' -c '*) exit 0;; esac; exit 1");

  EXPECT_EQ(build().output, "the linker failed without a word\n");
}

TEST_F(Build, EndsACompilerThatTakesTooLong) {
  demo_.write_compiler("while :; do :; done");

  const BuildResult result = build({.time_limit = std::chrono::milliseconds(50)});

  EXPECT_FALSE(result.is_ok);
  EXPECT_EQ(result.output, "the compiler took longer than 1 s and was ended\n");
}

TEST_F(Build, SaysThatTheCompilerItselfCrashed) {
  demo_.write_compiler("kill -SEGV $$");

  EXPECT_EQ(build().output, "the compiler itself was ended by signal 11\n");
}

TEST_F(Build, IsAGraderFaultWhenTheKitIsIncomplete) {
  demo_.kit().variants["plain"].link = {"/no/such/lib.a"};

  EXPECT_EQ(message_of<GraderFault>([&] { build(); }),
            "the kit is not complete: no /no/such/lib.a (cmake --workflow --preset dev builds it)");
}

TEST_F(Build, IsAGraderFaultWhenThePrecompiledHeaderIsStale) {
  const std::string header = demo_.folder().write("prelude.pch", "").string();
  demo_.kit().variants["plain"].pch = header;
  demo_.write_compiler("echo \"file changed since the precompiled header '" + header +
                       "' was built\"; exit 1");

  EXPECT_THAT(message_of<GraderFault>([&] { build(); }),
              ::testing::StartsWith("the kit is older than the headers it was built from"));
}

TEST_F(Build, IsAGraderFaultForAnUnknownVariant) {
  EXPECT_THROW(build({.variant = "asan"}), GraderFault);
}

TEST(WithShortPaths, ReplacesEveryPlace) {
  EXPECT_EQ(with_short_paths("/a/b: /a/c /a", "/a", "<x>"), "<x>/b: <x>/c <x>");
  EXPECT_EQ(with_short_paths("text", "", "<x>"), "text");
}

}  // namespace
}  // namespace driver
