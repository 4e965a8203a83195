#include "framework/runner/gtest_failures.h"

#include <fmt/format.h>

#include <charconv>

namespace rigproof {
namespace {

std::string trimmed(std::string_view text) {
  const auto end = text.find_last_not_of(" \n");
  return std::string(end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1));
}

// What stands before the project's own folders in the paths that this build's compiler was given.
std::string_view source_root() {
  std::string_view root = __FILE__;
  root.remove_suffix(std::string_view("framework/runner/gtest_failures.cc").size());
  return root;
}

}  // namespace

std::string place(const char* file, int line) {
  if (file == nullptr) return {};
  std::string_view path = file;
  if (path.starts_with(source_root())) path.remove_prefix(source_root().size());
  return fmt::format("{}:{}", path, line);
}

void add_part(SuiteContext& suite, testing::TestPartResult::Type type, const std::string& where,
              const std::string& message) {
  const auto colon = where.rfind(':');
  const std::string file = where.substr(0, colon);
  int line = -1;
  if (colon != std::string::npos)
    std::from_chars(where.data() + colon + 1, where.data() + where.size(), line);
  suite.own_words = true;
  testing::internal::AssertHelper(type, file.empty() ? nullptr : file.c_str(), line, message.c_str()) =
      testing::Message();
  suite.own_words = false;
}

Failure failure_of(const SuiteContext& suite, const testing::TestPartResult& part) {
  Failure failure;
  const bool thrown = part.file_name() == nullptr;
  failure.kind = part.skipped() ? Failure::Kind::kSkip
                 : thrown       ? Failure::Kind::kError
                                : Failure::Kind::kFail;
  failure.type = part.skipped() ? "not-proven" : thrown ? "exception" : "assertion";
  failure.message = trimmed(part.summary());
  if (part.skipped() && failure.message.empty()) failure.message = "skipped without a reason";
  failure.node = suite.node().name;
  failure.rank = suite.ranks.rank();
  failure.phase = suite.now.phase;
  failure.where = place(part.file_name(), part.line_number());
  return failure;
}

}  // namespace rigproof
