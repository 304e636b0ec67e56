// SPDX-License-Identifier: MIT
//
// Folders that are submissions, and every kind that is none.

#include "driver/core/submission.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/scratch.hpp"
#include "driver/core/text_file.hpp"
#include "tests/unit/core/demo_kit.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace driver {
namespace {

namespace fs = std::filesystem;
using testing::DemoKit;
using testing::message_of;

class SubmissionFolder : public ::testing::Test {
 protected:
  Submission inspect(const fs::path& folder) {
    return inspect_submission(folder, exercise_, demo_.kit());
  }

  std::string refusal(const fs::path& folder) {
    return message_of<BadInput>([&] { inspect(folder); });
  }

  DemoKit demo_;
  Exercise exercise_ = load_exercise(demo_.kit().catalog(), "demo");
  fs::path folder_ = demo_.folder().path() / "submitted";
};

TEST_F(SubmissionFolder, IsReadWithItsDigest) {
  const Submission submission = inspect(demo_.submit("abc"));

  ASSERT_EQ(submission.files.size(), 1U);
  EXPECT_EQ(submission.files[0].text, "abc");
  EXPECT_TRUE(submission.files[0].digest.starts_with("sha256:ba7816bf"));
  EXPECT_TRUE(submission.warnings.empty());
}

TEST_F(SubmissionFolder, MustExist) {
  EXPECT_EQ(refusal("/no/such"), "no such folder: '/no/such'");
  EXPECT_EQ(refusal(""), "no such folder: ''");
}

TEST_F(SubmissionFolder, MustBeAFolder) {
  const fs::path file = demo_.submit("x") / "solution.hpp";

  EXPECT_EQ(refusal(file),
            "'" + file.string() + "' is not a folder; give the folder that holds solution.hpp");
}

TEST_F(SubmissionFolder, WithoutTheFileSaysWhatIsThere) {
  demo_.folder().write("submitted/solutoin.hpp", "x");
  demo_.folder().write("submitted/b\x1b[31m", "x");

  EXPECT_EQ(refusal(folder_), "no solution.hpp in '" + folder_.string() +
                                  "', which holds b\\x1b[31m, solutoin.hpp, did you mean "
                                  "'solutoin.hpp'?");
}

TEST_F(SubmissionFolder, WithoutAnythingSaysSo) {
  fs::create_directory(folder_);

  EXPECT_EQ(refusal(folder_), "no solution.hpp in '" + folder_.string() + "', which holds nothing");
}

TEST_F(SubmissionFolder, PointsToTheFolderBelow) {
  demo_.folder().write("submitted/src/solution.hpp", "x");

  EXPECT_EQ(refusal(folder_), "no solution.hpp in '" + folder_.string() +
                                  "', which holds src/; there is one in 'src/': give that folder");
}

TEST_F(SubmissionFolder, RefusesALinkOutOfIt) {
  fs::create_directory(folder_);
  fs::create_symlink("/etc/passwd", folder_ / "solution.hpp");

  EXPECT_EQ(refusal(folder_),
            "solution.hpp: is a symbolic link that leaves the folder of the submission");
}

TEST_F(SubmissionFolder, RefusesALinkToASiblingWhoseNameBeginsLikeIt) {
  demo_.folder().write("submitted2/solution.hpp", "secret");
  fs::create_directory(folder_);
  fs::create_symlink("../submitted2/solution.hpp", folder_ / "solution.hpp");

  EXPECT_EQ(refusal(folder_),
            "solution.hpp: is a symbolic link that leaves the folder of the submission");
}

TEST_F(SubmissionFolder, FollowsALinkThatStaysInside) {
  demo_.folder().write("submitted/src/real.hpp", "text");
  fs::create_symlink("src/real.hpp", folder_ / "solution.hpp");

  EXPECT_EQ(inspect(folder_).files[0].text, "text");
}

TEST_F(SubmissionFolder, RefusesLinksToNothingAndInACircle) {
  fs::create_directory(folder_);
  fs::create_symlink("nothing", folder_ / "solution.hpp");
  EXPECT_EQ(refusal(folder_), "solution.hpp: is a symbolic link to nothing");

  fs::remove(folder_ / "solution.hpp");
  fs::create_symlink("solution.hpp", folder_ / "solution.hpp");
  EXPECT_EQ(refusal(folder_), "solution.hpp: Too many levels of symbolic links");
}

TEST_F(SubmissionFolder, RefusesAFifoAndAFolder) {
  fs::create_directory(folder_);
  ASSERT_EQ(::mkfifo((folder_ / "solution.hpp").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder_), "solution.hpp: is not a regular file");

  fs::remove(folder_ / "solution.hpp");
  fs::create_directory(folder_ / "solution.hpp");
  EXPECT_EQ(refusal(folder_), "solution.hpp: is a folder, not a file");
}

TEST_F(SubmissionFolder, RefusesWhatIsNoText) {
  EXPECT_EQ(refusal(demo_.submit("")), "solution.hpp: is empty");
  EXPECT_EQ(refusal(demo_.submit(std::string("int x;\0", 7))),
            "solution.hpp: is not a text file: byte 0x00 at offset 6");
  EXPECT_EQ(refusal(demo_.submit("ab\x01")),
            "solution.hpp: is not a text file: byte 0x01 at offset 2");
  EXPECT_EQ(refusal(demo_.submit("\xff\xfei\x80")),
            "solution.hpp: is UTF-16, not UTF-8: save it as UTF-8");
  EXPECT_EQ(refusal(demo_.submit("a\x80\x81\x82\x83")),
            "solution.hpp: is not a text file: it is no UTF-8 from offset 1");
}

TEST_F(SubmissionFolder, RefusesTenMegabytes) {
  EXPECT_EQ(refusal(demo_.submit(std::string(10U << 20U, 'x'))),
            "solution.hpp: is larger than 1048576 bytes");
  EXPECT_EQ(inspect(demo_.submit(std::string(1U << 20U, 'x'))).files.size(), 1U);
}

TEST_F(SubmissionFolder, WarnsOfOddEncoding) {
  const Submission submission = inspect(demo_.submit("// M\xfcller, in Latin-1"));

  EXPECT_EQ(
      submission.warnings,
      std::vector<std::string>{"solution.hpp is not UTF-8 at offset 4; the compiler may complain"});
}

TEST_F(SubmissionFolder, WarnsOfChangedKitFilesAndExtraSources) {
  demo_.submit("x");
  demo_.folder().write("submitted/given.hpp", "changed\n");
  demo_.folder().write("submitted/aio/task.hpp", "changed\n");
  demo_.folder().write("submitted/helper.hpp", "x");
  demo_.folder().write("submitted/notes.txt", "x");

  EXPECT_EQ(
      inspect(folder_).warnings,
      (std::vector<std::string>{"given.hpp differs from the kit's; the check uses the kit's own",
                                "aio/task.hpp differs from the kit's; the check uses the kit's own",
                                "helper.hpp is not part of what is handed in"}));
}

TEST_F(SubmissionFolder, IsCopiedWithGivenFilesOfTheKit) {
  demo_.submit("mine");
  demo_.folder().write("submitted/given.hpp", "changed\n");
  demo_.folder().write("submitted/other.hpp", "x");
  const Submission submission = inspect(folder_);
  fs::path place;
  {
    const Scratch scratch;
    place = scratch.folder();
    scratch.fill(submission, exercise_, demo_.kit());

    EXPECT_EQ(read_file(place / "solution.hpp", 100), "mine");
    EXPECT_EQ(read_file(place / "given.hpp", 100), "given\n");
    EXPECT_FALSE(fs::exists(place / "other.hpp"));
  }
  EXPECT_FALSE(fs::exists(place));
}

}  // namespace
}  // namespace driver
