// SPDX-License-Identifier: MIT
//
// Which includes a source file has, and which of them an exercise does not allow.

#include "driver/core/includes.hpp"

#include "tests/unit/core/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

std::vector<std::string> names_in(const std::string& source) {
  std::vector<std::string> names;
  for (const Include& include : includes_of(source)) {
    names.push_back(include.name + ":" + std::to_string(include.line));
  }
  return names;
}

TEST(IncludesOf, TakesBothKindsWithTheirLines) {
  EXPECT_THAT(names_in("#include <vector>\n\n  #  include \"a/b.hpp\"  // why\n"),
              ElementsAre("vector:1", "a/b.hpp:3"));
}

TEST(IncludesOf, LeavesOutCommentsAndLiterals) {
  EXPECT_THAT(names_in("// #include <a>\n/*\n#include <b>\n*/\n"
                       "const char* s = \"\\\"\\n\";\nauto t = R\"x(\n#include <c>\n)x\";\n"
                       "char q = '\"'; int n = 1'000;\n#include <d>\n"),
              ElementsAre("d:10"));
}

TEST(IncludesOf, FollowsAContinuedLine) {
  EXPECT_THAT(names_in("#define A \\\n#include <a>\n#include \\\n<b>\n"), ElementsAre("b:3"));
  EXPECT_THAT(names_in("// a comment \\\n#include <a>\n"), IsEmpty());
}

TEST(IncludesOf, ShowsAMacroAsItIs) {
  EXPECT_THAT(names_in("#include LIBRARY\n"), ElementsAre("LIBRARY:1"));
}

TEST(IncludesOf, EndsWithTheFile) {
  EXPECT_THAT(names_in("#include"), ElementsAre(":1"));
  EXPECT_THAT(names_in("/*"), IsEmpty());
  EXPECT_THAT(names_in("R\"("), IsEmpty());
  EXPECT_THAT(names_in("\"\\"), IsEmpty());
  EXPECT_THAT(names_in(""), IsEmpty());
}

Exercise exercise_that_allows(const nlohmann::json& includes) {
  Exercise exercise;
  exercise.config = {{"files", {"a.cpp"}}, {"includes", includes}};
  return exercise;
}

TEST(ForeignIncludes, AreThoseThatNobodyAllows) {
  const TemporaryFolder folder;
  folder.write("a.cpp",
               "#include <vector>\n#include <unistd.h>\n#include <boost/asio.hpp>\n"
               "#include <boost/asio/ip/tcp.hpp>\n#include \"http.hpp\"\n"
               "#include <boost/beast.hpp>\n#include <curl/curl.h>\n#include NAME\n");
  const Exercise exercise = exercise_that_allows({"boost/asio.hpp", "boost/asio/", "http.hpp"});

  EXPECT_THAT(foreign_includes(exercise, folder.path()),
              ElementsAre(HasSubstr("a.cpp:6 includes 'boost/beast.hpp'"),
                          HasSubstr("a.cpp:7 includes 'curl/curl.h'"),
                          HasSubstr("a.cpp:8 includes 'NAME'")));
}

TEST(ForeignIncludes, AreNoneWhereEverythingIsAllowed) {
  const TemporaryFolder folder;
  folder.write("a.cpp", "#include <curl/curl.h>\n");
  Exercise exercise;
  exercise.config = {{"files", {"a.cpp"}}};

  EXPECT_THAT(foreign_includes(exercise, folder.path()), IsEmpty());
}

}  // namespace
}  // namespace driver
