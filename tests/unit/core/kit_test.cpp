// SPDX-License-Identifier: MIT
//
// The kit description, whole and broken.

#include "driver/core/kit.hpp"

#include "driver/core/errors.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gtest/gtest.h>

namespace driver {
namespace {

using testing::DemoKit;
using testing::message_of;
using testing::TemporaryFolder;

TEST(Kit, IsReadFromItsDescription) {
  const TemporaryFolder folder;
  const auto file = folder.write("kit.json", R"({"format": 1, "root": "/root", "compiler": "/cc",
      "compiler_name": "clang 19.1.7", "include_dirs": ["/inc"], "kits": {"plain":
      {"compile": ["-O0"], "link": ["-lm"], "pch": "/pch"}}})");

  const Kit kit = load_kit(file);

  EXPECT_EQ(kit.catalog(), "/root/catalog");
  EXPECT_EQ(kit.starter("pool-stop"), "/root/starter/pool-stop");
  EXPECT_EQ(kit.variants.at("plain").link, std::vector<std::string>{"-lm"});
  EXPECT_EQ(missing_kit_files(kit, "plain"), (std::vector<std::string>{"/cc", "/pch"}));
}

TEST(Kit, IsAGraderFaultWhenNotBuilt) {
  const std::string message = message_of<GraderFault>([] { load_kit("/no/kit.json"); });

  EXPECT_EQ(message,
            "the kit is not built (cmake --workflow --preset dev): /no/kit.json: no such file");
}

TEST(Kit, IsAGraderFaultWhenBroken) {
  const TemporaryFolder folder;

  for (const char* text : {"{}", "[]", "not json", R"({"format": 2})", R"({"format": 1})"}) {
    EXPECT_THROW(load_kit(folder.write("kit.json", text)), GraderFault) << text;
  }
}

TEST(KitFile, IsTheOneOfTheEnvironment) {
  ::setenv("OL_KIT", "/other/kit.json", 1);
  EXPECT_EQ(kit_file("/built/kit.json"), "/other/kit.json");

  ::unsetenv("OL_KIT");
  EXPECT_EQ(kit_file("/built/kit.json"), "/built/kit.json");
}

std::string digest_of(const DemoKit& demo) {
  return kit_digest(demo.kit(), load_exercise(demo.kit().catalog(), "demo"));
}

TEST(KitDigest, ChangesWithTheCatalogueAndNotWithThePlace) {
  const DemoKit first;
  const DemoKit second;
  EXPECT_EQ(digest_of(first), digest_of(second));

  second.folder().write("starter/aio/task.hpp", "other\n");
  EXPECT_NE(digest_of(first), digest_of(second));
}

}  // namespace
}  // namespace driver
