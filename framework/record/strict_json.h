#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/units/printable.h"

// Include it in few files: nlohmann/json.hpp is large.

namespace rigproof::record {

// Builds the value, and refuses the same as parse_strict_json().
class StrictJsonBuilder {
 public:
  using Json = nlohmann::json;
  [[nodiscard]] Json take() { return std::move(root_); }

  // Called by nlohmann's parser.
  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(Json::number_integer_t value) { return put(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return put(value); }
  bool number_float(Json::number_float_t value, const std::string&) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t& value) { return put(std::move(value)); }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& key) {
    require_depth();
    const auto [member, is_new] = open_.back()->get_ref<Json::object_t&>().emplace(key, nullptr);
    if (!is_new)
      throw std::invalid_argument(fmt::format("key '{}' twice in one object", shortened(key, 100)));
    member_ = &member->second;
    return true;
  }
  template <class Error>
  bool parse_error(std::size_t, const std::string&, const Error& error) {
    throw error;
  }

 private:
  static constexpr std::size_t kDeepest = 64;

  void require_depth() const {
    if (open_.size() > kDeepest)
      throw std::invalid_argument(fmt::format("nested more than {} deep", kDeepest));
  }
  // Stores the next value. References stay valid while the enclosing object or array is open.
  Json& place(Json value) {
    require_depth();
    if (open_.empty()) return root_ = std::move(value);
    if (!open_.back()->is_array()) return *member_ = std::move(value);
    auto& array = open_.back()->get_ref<Json::array_t&>();
    return array.emplace_back(std::move(value));
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json root_;
  std::vector<Json*> open_;  // objects and arrays that are not closed
  Json* member_ = nullptr;   // the value for the last key of the innermost object
};

// Parses JSON with one meaning: refuses equal keys in an object, which programs read differently, and more
// than kDeepest levels, because copying recurses. Takes time in proportion to the length. Throws
// std::invalid_argument for these, and nlohmann's exceptions.
inline nlohmann::json parse_strict_json(std::string_view text) {
  StrictJsonBuilder builder;
  nlohmann::json::sax_parse(text, &builder);
  return builder.take();
}

// "[json.exception.out_of_range.406] number overflow parsing '1e999'" -> "number overflow parsing '1e999'".
// Shortened, because it can quote the whole text.
inline std::string words_of(const nlohmann::json::exception& error) {
  const std::string_view words = error.what();
  const auto what = words.find("] ");
  return shortened(words.substr(what == words.npos ? 0 : what + 2), 300);
}

}  // namespace rigproof::record
