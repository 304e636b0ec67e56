// SPDX-License-Identifier: MIT
//
// SHA-256 by way of OpenSSL.

#include "driver/core/digest.hpp"

#include "driver/core/errors.hpp"
#include "driver/core/text_file.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace driver {
namespace {

constexpr std::size_t largest_file = 64U << 20U;

}  // namespace

std::string digest(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), hash.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw GraderFault("SHA-256 is not available");
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "sha256:";
  for (unsigned index = 0; index < length; ++index) {
    text += digits[hash[index] >> 4U];
    text += digits[hash[index] & 15U];
  }
  return text;
}

std::string digest_of_all(std::vector<NamedDigest> files) {
  std::ranges::sort(files, {}, &NamedDigest::name);
  std::string list;
  for (const NamedDigest& file : files) {
    // A name cannot hold a NUL, so no two sets of files give the same list.
    list += file.name + '\0' + file.digest + '\n';
  }
  return digest(list);
}

std::vector<NamedDigest> digests_under(const std::filesystem::path& folder,
                                       const std::string& prefix) {
  std::vector<NamedDigest> files;
  std::error_code missing;
  for (std::filesystem::recursive_directory_iterator entry(folder, missing), end; entry != end;
       entry.increment(missing)) {
    if (entry->is_regular_file(missing)) {
      const std::string name = entry->path().lexically_relative(folder).generic_string();
      files.push_back({prefix + name, digest(read_file(entry->path(), largest_file))});
    }
  }
  return files;
}

}  // namespace driver
