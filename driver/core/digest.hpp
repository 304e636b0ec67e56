// SPDX-License-Identifier: MIT
//
// SHA-256, written as reports show it: "sha256:" and 64 hexadecimal digits.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace driver {

/// Gives the digest of some bytes.
/// Errors: GraderFault when the library cannot compute it.
std::string digest(std::string_view bytes);

/// A file's name and the digest of its contents.
struct NamedDigest {
  std::string name;
  std::string digest;
};

/// Gives one digest for a set of files: of their names and digests, in order of name.
std::string digest_of_all(std::vector<NamedDigest> files);

/// Gives the digests of all regular files under `folder`, named by `prefix` and their path in it.
/// A folder that does not exist has none.
std::vector<NamedDigest> digests_under(const std::filesystem::path& folder,
                                       const std::string& prefix);

}  // namespace driver
