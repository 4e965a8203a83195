#include "framework/cli/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <list>

#include "framework/cli/discovery.h"
#include "framework/cli/doctor_findings.h"
#include "framework/cli/fetch_facts.h"
#include "framework/cli/host_check.h"
#include "framework/cli/on_host.h"
#include "framework/rig/text_checks.h"
#include "framework/supervisor/reachability.h"
#include "framework/units/printable.h"

namespace rigproof::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Host = DoctorRequest::Host;

constexpr std::chrono::seconds kAnswer{20};  // for each step on all hosts together

double seconds_since_1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

HostAnswer answer_of(OnHost& host, double asked, Clock::time_point deadline) {
  HostAnswer answer;
  answer.asked = asked;
  answer.output =
      host.output_by(deadline, [](const std::string& output) { return host_check_in(output).has_value(); });
  answer.answered = seconds_since_1970();
  answer.check = host_check_in(answer.output);
  answer.status = host.status();
  answer.error = host.error();
  return answer;
}

class Examination {
 public:
  explicit Examination(const DoctorRequest& request) : request_(request), findings_(request) {}

  [[nodiscard]] std::vector<Diagnosis> diagnoses() {
    ask_hosts();
    findings_.judge_head(check_this_host({request_.out}));
    findings_.judge_answers(answers_);
    if (answering_.size() > 1) {
      findings_.judge_facts(answering_, facts_with_logins());
      findings_.judge_ways(try_ways());
    }
    return findings_.take();
  }

 private:
  // Programs of hosts that answered stay alive: they listen.
  void ask_hosts() {
    const double asked = seconds_since_1970();
    for (const Host& host : request_.hosts)
      listening_.emplace_back(host.name, host.address,
                              std::vector<std::string>{"host-check", "/tmp", "--seconds", "60"}, nodes_);
    const auto deadline = Clock::now() + kAnswer;
    for (OnHost& host : listening_) {
      answers_.push_back(answer_of(host, asked, deadline));
      if (answers_.back().check) answering_.push_back(answers_.size() - 1);
    }
  }

  [[nodiscard]] std::vector<FetchedFacts> facts_with_logins() const {
    std::vector<FactsRequest> orders;
    for (const std::size_t host : answering_) {
      FactsRequest order{node_name(request_.hosts[host].name), request_.hosts[host].address, {}};
      for (const std::size_t other : answering_)
        if (is_tried(host, other)) {
          const Host& to = request_.hosts[other];
          order.arguments.insert(order.arguments.end(),
                                 {"--login", fmt::format("{},{}", node_name(to.name), to.address)});
        }
      orders.push_back(std::move(order));
    }
    return fetch_facts(orders, kAnswer);
  }

  // Each host tries the next ones, so that the number of tries grows as the number of hosts does.
  [[nodiscard]] bool is_tried(std::size_t from, std::size_t to) const {
    constexpr std::size_t kOthers = 8;
    const std::size_t distance = (to + request_.hosts.size() - from) % request_.hosts.size();
    return distance > 0 && distance <= kOthers;
  }

  // Each answering host to others by their addresses, then over the rails.
  [[nodiscard]] std::vector<TriedWay> ways_from(std::size_t host) const {
    std::vector<TriedWay> ways;
    for (const std::size_t other : answering_)
      if (is_tried(host, other))
        ways.push_back({.from = host, .to = other, .to_address = request_.hosts[other].address});
    for (const DoctorRequest::RailWay& rail : request_.rails)
      if (rail.from == host && answers_[rail.to].check && is_tried(host, rail.to))
        ways.push_back({.from = host,
                        .to = rail.to,
                        .from_address = rail.from_address,
                        .to_address = rail.to_address,
                        .is_rail = true});
    return ways;
  }

  [[nodiscard]] std::vector<TriedWay> try_ways() {
    std::vector<TriedWay> all;
    std::list<std::pair<OnHost, std::vector<TriedWay>>> tries;
    for (const std::size_t host : answering_) {
      std::vector<TriedWay> ways = ways_from(host);
      std::vector<std::string> words{"host-reach"};
      for (const TriedWay& way : ways)
        words.push_back(
            fmt::format("{},{},{}", way.from_address, way.to_address, answers_[way.to].check->port));
      tries.emplace_back(OnHost(request_.hosts[host].name, request_.hosts[host].address, words, nodes_),
                         std::move(ways));
    }
    const auto deadline = Clock::now() + kAnswer;
    for (auto& [program, ways] : tries) {
      const std::string output = program.output_by(deadline);
      std::vector<std::string> results = marked_lines(output, "rigproof-host-reach ");
      std::vector<std::string> sources = marked_lines(output, "rigproof-host-reach-from ");
      sources.resize(ways.size());
      results.resize(ways.size(), "it could not be tried");
      for (std::size_t i = 0; i < ways.size(); ++i) {
        ways[i].result = printable(results[i]);
        ways[i].source = printable(sources[i]);
        all.push_back(std::move(ways[i]));
      }
    }
    return all;
  }

  const DoctorRequest& request_;
  supervisor::NodeCommands nodes_;
  std::list<OnHost> listening_;
  std::vector<HostAnswer> answers_;     // by host
  std::vector<std::size_t> answering_;  // hosts
  DoctorFindings findings_;
};

}  // namespace

DoctorRequest request_for(const std::vector<std::string>& hosts, const std::string& out) {
  DoctorRequest request;
  for (const std::string& host : hosts) request.hosts.push_back({checked_launch_address(host), host});
  if (!out.empty()) request.out = out;
  return request;
}

DoctorRequest request_for(const Rig& rig, const std::string& out) {
  DoctorRequest request;
  for (const Node& node : rig.nodes) request.hosts.push_back({node.name, node.address});
  for (const Rail& rail : rig.rails)
    for (const HalfRef& from : rail.halves)
      for (const HalfRef& to : rail.halves)
        if (from.node != to.node)
          request.rails.push_back({from.node, to.node, rig.half(from).address, rig.half(to).address});
  if (!out.empty()) request.out = out;
  return request;
}

std::vector<Diagnosis> examine(const DoctorRequest& request) { return Examination(request).diagnoses(); }

int show_diagnoses(const std::vector<Diagnosis>& diagnoses) {
  int problems = 0;
  for (const Diagnosis& one : diagnoses) {
    const bool is_problem = one.kind == Diagnosis::Kind::kProblem;
    problems += is_problem ? 1 : 0;
    fmt::print("{:<8} {:<8} {}\n",
               one.kind == Diagnosis::Kind::kOk ? "OK"
               : is_problem                     ? "PROBLEM"
                                                : "WARNING",
               one.check, one.text);
    if (!one.remedy.empty()) fmt::print("{:17} type {}\n", "", one.remedy);
  }
  std::fflush(stdout);
  return problems;
}

}  // namespace rigproof::cli
