// What is under test is on record: board, system, cards, cables, GPUs and the software on them, with serials and versions
// as far as they are known. Nothing is judged here. Catches: a report that cannot say of which parts it speaks.
#include "suites/preflight/facts_case.h"

namespace rigproof {
namespace {

class NodeItems : public FactsCase<NodeSubject> {
 protected:
  using Path = NodeFacts::Path;

  void put(const NodeFacts& facts, const std::string& what, Path path) {
    const auto text = facts.text(path);
    if (text && !text->empty())
      record("preflight.item", *text, {.node = *rig().find_node(facts.node()), .detail = what});
  }
  void put_all(const NodeFacts& facts, const std::string& part, std::string_view section) {
    for (const std::string& name : facts.keys({section})) put(facts, part + " " + name, {section, name});
  }

  void put_half(const NodeFacts& facts, const Half& half) {
    for (const char* name : {"permanent_mac", "firmware", "driver", "pci"})
      put(facts, half.netdev + " " + name, {"netdevs", half.netdev, name});
    for (const char* name : {"kind", "vendor", "part_number", "serial", "revision"})
      put(facts, half.netdev + "-module " + name, {"netdevs", half.netdev, "module", name});
    if (!half.rdma) return;
    for (const char* name : {"firmware", "board_id", "part", "node_guid", "system_guid"})
      put(facts, *half.rdma + " " + name, {"rdma", *half.rdma, name});
  }

  void put_gpus(const NodeFacts& facts) {
    for (const std::string& gpu : facts.keys({"gpus"}))
      for (const char* name : {"name", "uuid", "vbios", "compute_capability"})
        put(facts, "gpu-" + gpu + " " + name, {"gpus", gpu, name});
  }
};

TEST_P(NodeItems, AreOnRecord) {
  look([&](const FactsBook& book) {
    const NodeFacts& facts = book.at(subject().node);
    put_all(facts, "board", "dmi");
    put(facts, "system os", {"os", "name"});
    put(facts, "system dgx_release", {"os", "dgx_release"});
    put(facts, "system kernel", {"kernel", "release"});
    put(facts, "system cpu", {"cpu", "model"});
    put_all(facts, "software", "versions");
    put(facts, "nvidia driver", {"nvidia", "driver"});
    put_gpus(facts);
    for (const HalfRef half : rig().halves_of(subject().node)) put_half(facts, rig().half(half));
  });
}

RIGPROOF_CASES(EachNode, NodeItems, every_node);

}  // namespace
}  // namespace rigproof
