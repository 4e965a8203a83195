#pragma once

#include <map>
#include <string>

#include "framework/rig/subjects.h"

namespace rigproof {

// What a case of a test is about: the subject that its name ends with.
inline SubjectPlace place_in(const Rig& rig, const std::string& case_name) {
  for (const auto& [name, subject] : every_subject(rig))
    if (case_name == name || case_name.ends_with("/" + name)) return subject.place(rig);
  return {};
}

}  // namespace rigproof
