#include "framework/record/measurement.h"

namespace rigproof {

std::string_view name(Failure::Kind kind) {
  switch (kind) {
    case Failure::Kind::kFail:
      return "fail";
    case Failure::Kind::kError:
      return "error";
    case Failure::Kind::kSkip:
      return "skip";
  }
  return "error";
}

}  // namespace rigproof
