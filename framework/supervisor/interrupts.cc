#include "framework/supervisor/interrupts.h"

namespace rigproof::supervisor {
namespace {

volatile sig_atomic_t noted_signal = 0;  // a handler reaches nothing but a global

void note(int signal) { noted_signal = signal; }

}  // namespace

Interrupts::Interrupts() {
  noted_signal = 0;
  struct sigaction action {};
  action.sa_handler = note;  // no SA_RESTART: a wait ends early
  for (std::size_t i = 0; i < kNoted.size(); ++i) sigaction(kNoted[i], &action, &before_[i]);
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kNoted.size(); ++i) sigaction(kNoted[i], &before_[i], nullptr);
}

std::optional<std::string> Interrupts::seen() const {
  switch (noted_signal) {
    case 0:
      return {};
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "SIGHUP";
  }
}

}  // namespace rigproof::supervisor
