#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "framework/limits/limit.h"
#include "framework/limits/limit_reader.h"
#include "framework/toml/document.h"

namespace rigproof::inline limits {

// A [[limit]] with the overrides of one profile laid over it. Views: the tables must outlive it.
class ProfiledLimit {
 public:
  // `over` is nullptr without overrides. Throws toml::InputError, as read() does.
  ProfiledLimit(const toml::Table& base, const toml::Table* over, const FactDimensions& facts);

  [[nodiscard]] Limit read(const std::string& id) const;

 private:
  // Both layers are always read, so that a mistake in either is found and every key is known to both.
  template <class Read>
  auto get(Read read) const {
    auto value = read(base_);
    if (over_ == nullptr) return value;
    auto over = read(*over_);
    return over ? over : value;
  }

  [[noreturn]] void fail(std::string_view key, std::string_view message) const;
  [[nodiscard]] std::optional<Bound> bound(std::string_view key) const;
  [[nodiscard]] std::optional<TextRule> rule() const;
  [[nodiscard]] Dimension dimension() const;
  [[nodiscard]] std::string unit() const;
  [[nodiscard]] bool read_gate(const Limit& limit) const;
  void read_reasons(Limit& limit) const;
  void check(const Limit& limit) const;
  void check_order(const Limit& limit) const;

  const toml::Table& base_;
  const toml::Table* over_;
  std::map<std::string_view, WrittenBound> bounds_;
};

}  // namespace rigproof::inline limits
