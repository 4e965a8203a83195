#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fixtures/facts/node_facts.h"
#include "framework/cli/doctor.h"
#include "framework/cli/fetch_facts.h"
#include "framework/cli/host_check.h"

namespace rigproof::cli {

// A host's answer to `host-check`.
struct HostAnswer {
  std::optional<HostCheck> check;  // none: `output`, `status` or `error` say why
  std::string output;              // of the login
  std::optional<int> status;  // wait status of the login; nullopt: it still runs, or could not be started
  std::string error;          // why it could not be started
  double asked = 0, answered = 0;  // by this host's clock, seconds since 1970
};

// A TCP connection between two hosts, as tried.
struct TriedWay {
  std::size_t from = 0, to = 0;                    // hosts
  std::string from_address = {}, to_address = {};  // from: empty: any
  bool is_rail = false;
  std::string result = {};  // "ok", or why not
  std::string source = {};  // the address of `from` toward `to`; empty: unknown
};

// Judges the answers of hosts. Pure.
class DoctorFindings {
 public:
  // `request` must outlive the object.
  explicit DoctorFindings(const DoctorRequest& request) : request_(request) {}

  void judge_head(HostCheck check);                            // the host that starts a run; first
  void judge_answers(const std::vector<HostAnswer>& answers);  // by host
  void judge_facts(const std::vector<std::size_t>& hosts, const std::vector<FetchedFacts>& facts);
  void judge_ways(const std::vector<TriedWay>& ways);

  // In the order of the checks. A check without problems and warnings is one line.
  [[nodiscard]] std::vector<Diagnosis> take();

 private:
  void problem(const std::string& check, const std::string& text, const std::string& remedy);
  void warn(const std::string& check, const std::string& text, const std::string& remedy);
  void did(const std::string& check, const std::string& well);  // what to say if all went well

  void judge_login(std::size_t host, const HostAnswer& answer);
  void judge_build(std::size_t host, const HostCheck& check);
  void judge_packages(std::size_t host, const HostCheck& check);
  void judge_space(const std::string& where, const HostCheck& check);
  void judge_clock(std::size_t host, const HostAnswer& answer);
  void judge_idleness(const std::string& host, const facts::NodeFacts& facts);
  void judge_memlock(const std::string& host, const facts::NodeFacts& facts);

  [[nodiscard]] const std::string& name(std::size_t host) const { return request_.hosts[host].name; }
  // "on spark-b: COMMAND"; without a host: this one.
  [[nodiscard]] std::string on(const std::string& host, const std::string& command) const;

  const DoctorRequest& request_;
  HostCheck head_;
  std::vector<Diagnosis> found_;
  std::map<std::string, std::string> done_;  // by check: its words if all is well
  [[nodiscard]] std::string remedy_for(const TriedWay& way) const;

  std::map<std::size_t, std::string> firewalls_;  // by host
};

}  // namespace rigproof::cli
