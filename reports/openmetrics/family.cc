#include "reports/openmetrics/family.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <functional>
#include <ostream>
#include <system_error>

#include "reports/text/clean.h"

namespace rigproof {
namespace {

constexpr std::size_t kBuffer = 1 << 20;
constexpr std::size_t kLongestLabel = 1000;

std::string label_text(std::string_view text) {
  std::string out;
  for (const char character : shortened(clean(text), kLongestLabel)) {
    if (character == '\\' || character == '"') out += '\\';
    if (character == '\n')
      out += "\\n";
    else
      out += character;
  }
  return out;
}

std::string value_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

[[noreturn]] void fail() {
  throw std::system_error(errno, std::generic_category(), "cannot keep metrics in a temporary file");
}

}  // namespace

MetricFamily::MetricFamily(std::string name, std::string_view type, std::string_view unit,
                           std::string_view help)
    : name_(std::move(name)), head_(fmt::format("# TYPE {} {}\n", name_, type)) {
  if (!unit.empty()) head_ += fmt::format("# UNIT {} {}\n", name_, unit);
  head_ += fmt::format("# HELP {} {}\n", name_, help);
}

void MetricFamily::add(Labels labels, double value, std::string_view suffix) {
  std::string text;
  for (const auto& [name, label] : labels)
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "" : ",", name, label_text(label));
  const std::string plain = text;
  for (int copy = 2; !seen_.insert(std::hash<std::string>()(text)).second; ++copy)
    text = fmt::format("{},same=\"{}\"", plain, copy);
  buffer_ += fmt::format("{}{}{{{}}} {}\n", name_, suffix, text, value_text(value));
  if (buffer_.size() > kBuffer) spill();
}

void MetricFamily::spill() {
  if (file_ == nullptr) file_.reset(std::tmpfile());
  if (file_ == nullptr || std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size())
    fail();
  buffer_.clear();
}

void MetricFamily::write(std::ostream& out) {
  if (buffer_.empty() && file_ == nullptr) return;
  out << head_;
  if (file_ != nullptr) {
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail();
    std::array<char, 1 << 16> block;
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), file_.get()))
      out.write(block.data(), static_cast<std::streamsize>(got));
    if (std::ferror(file_.get()) != 0) fail();
  }
  out << buffer_;
}

}  // namespace rigproof
