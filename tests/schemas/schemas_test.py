"""The JSON schemas of files of rigs, thresholds and known faults against the readers: the same keys, units and facts; good files pass both,
bad files pass neither. Catches a key that a reader learned and the schema did not, a schema that takes what Rigproof
refuses or refuses what it takes, and an example whose first line names no schema where it is installed.
   schemas_test.py RIGPROOF"""

import copy
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

import jsonschema
import referencing

RIGPROOF = sys.argv[1]
ROOT = pathlib.Path(__file__).parents[2]


def without_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key twice in one object: {keys}"
    return dict(pairs)


SCHEMAS = {name: json.loads((ROOT / f"ci/packaging/schemas/{name}.schema.json").read_text(),
                            object_pairs_hook=without_duplicates)
           for name in ("rig", "thresholds", "faults")}
# The schema of known faults refers to the one of thresholds, which lies beside it.
BESIDE = referencing.Registry().with_resources(
    (f"{name}.schema.json", referencing.Resource.from_contents(schema)) for name, schema in SCHEMAS.items())
RIG = ROOT / "tests/rig/dgx_spark_pair.toml"
EXAMPLES = {"rig": sorted(ROOT.glob("tests/rig/*.toml")), "thresholds": sorted(ROOT.glob("thresholds/*.toml")),
            "faults": sorted(ROOT.glob("thresholds/faults/*.toml"))}
GOOD = {"rig": [*EXAMPLES["rig"], *ROOT.glob("tests/fuzz/seeds/toml/rig.toml")],
        "thresholds": [*EXAMPLES["thresholds"], *ROOT.glob("tests/fuzz/seeds/toml/limits.toml"),
                       ROOT / "ci/packaging/example_suite/disk.toml"],
        "faults": EXAMPLES["faults"]}

# How a reader asks for a key, and lists of keys.
ASKED = re.compile(r'(?:[.>](?:text|integer|quantity|date|texts|table|tables|one_or_more_texts|maybe_\w+)\(\s*|'
                   r'(?:read_text|maybe_read_text|read_members|read_small|read_word|read_commands)\(\s*\*?\w+,\s*|read_name\(\s*)"(\w+)"')
LISTED = re.compile(r"string_view(?:, \d+>)? (?:k\w+ = |key : )\{([^}]*)\}")
PROFILES = {"smoke", "standard", "acceptance"}


def keys_of_reader(folder):
    keys = set()
    for source in (ROOT / "framework" / folder).glob("*.cc"):
        if source.name == "remedy.cc":  # its words are those of remedies, not keys
            continue
        text = source.read_text()
        keys |= set(ASKED.findall(text))
        for listed in LISTED.findall(text):
            keys |= set(re.findall(r'"(\w+)"', listed))
    return keys


def keys_of_schema(schema):
    if isinstance(schema, list):
        return set().union(*map(keys_of_schema, schema))
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties", {})) if isinstance(schema.get("properties"), dict) else set()
    return own.union(*map(keys_of_schema, schema.values()))


def plain(value):
    """As JSON has it: dates are texts."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value.isoformat() if isinstance(value, datetime.date) else value


def toml(value):
    """An inline TOML value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def document(value):
    return "".join(f"{key} = {toml(inner)}\n" for key, inner in value.items())


def change(path, new):
    """Sets (or with None removes) what lies at `path` of a document."""
    def apply(file):
        *way, last = path
        for step in way:
            file = file[step]
        if new is None:
            del file[last]
        else:
            file[last] = new
    return apply


RIG_VALUE = tomllib.loads(RIG.read_text())
NODE, PORT, HALF = ("node", 0), ("node", 0, "port", 0), ("node", 0, "port", 0, "half", 0)
RATE, MTU, COUNTERS = (*HALF, "rate"), (*HALF, "mtu"), (*PORT, "counters")
RAIL = RIG_VALUE["rail"][0]["halves"]


def all_mtus(text):
    """Of every half: those of a rail must be alike."""
    def apply(file):
        for node in file["node"]:
            for port in node["port"]:
                for half in port["half"]:
                    half["mtu"] = text
    return apply


def over_ipv6(text="fd93:0:0:{rail}::{node}/64"):
    """Both ends of a rail, in one family."""
    def apply(file):
        for number, node in enumerate(file["node"]):
            halves = [half for port in node["port"] for half in port["half"]]
            for rail, half in enumerate(halves):
                half["address"] = text.format(rail=rail + 1, node=number + 1)
    return apply


GOOD_RIGS = {
    "rails of IPv6": over_ipv6(),
    "rails of IPv6 in other spellings": over_ipv6("2001:0DB8:0:{rail}:0:0:0:{node}/126"),
    **{f"the rate {rate}": change(RATE, rate)
       for rate in ("100Gbit/s", "100  Gbit/s", "100. Gbit/s", ".1 Tbit/s", "1e2 Gbit/s", "1.0E+11 bit/s", "0.5 Gbit/s",
                    "1e5 Mbit/s", "12.5 GB/s", "11 GiB/s", "0100 Gbit/s")},
    **{f"the MTU {mtu}": all_mtus(mtu)
       for mtu in ("9e3 B", "9000.0 B", "9000  B", "09000 B", "9 kB", "8.5 KiB", "576 B", "65535 B", "1280B", "1.5e3 B")},
    **{f"the address {address}": change((*HALF, "address"), address)
       for address in ("198.18.1.5/24",)},
    "a MAC in capitals": change((*HALF, "mac"), "4C:BB:47:83:75:FD"),
    "counters of the device itself": change(COUNTERS, {"source": "netlink", "device": "enp1s0f0np0"}),
    "counters by other names": change(COUNTERS, {"source": "ethtool", "device": "enp1s0f0np0", "tx_bytes": "tx bytes (phy)"}),
    "counters in a namespace": change((*COUNTERS, "namespace"), "a-node"),
    "a stand-in": change(("stand_in",), "the switch is simulated"),
    "no management": change((*NODE, "management"), None),
    "no switch that can be asked": change(("switch",), []),
    "nodes that forward": change(("forwarding",), True),
    "a class of service": change(("traffic_class",), 106),
    "a class of service for one rail": change(("rail", 0, "traffic_class"), 255),
    "a node without GPUs": change((*NODE, "gpus"), 0),
    "a node with 64 GPUs": change((*NODE, "gpus"), 64),
    "no RDMA": change((*HALF, "rdma"), None),
    "an IPv6 launch address": change((*NODE, "address"), "fe80::1"),
    "a switch by its IPv6 address": change(("switch", 0, "address"), "https://[fe80::1]:8443"),
}
BAD_RIGS = {
    "a key that nobody reads": change((*HALF, "speed"), "100 Gbit/s"),
    **{f"the class of service {value!r} of {where}": change((*where, "traffic_class"), value)
       for value in (-1, 256, "106", 26.5, True) for where in ((), ("rail", 0))},
    "a class of service for a link": change(("link", 0, "traffic_class"), 106),
    "a service level without a class": change(("service_level",), 3),
    "a rate that is a number": change((*PORT, "rate"), 200),
    **{f"the rate {rate!r}": change(RATE, rate)
       for rate in ("100", "0 Gbit/s", "0.0 Gbit/s", "0e5 Gbit/s", "1.2.3 Gbit/s", "-100 Gbit/s", "+1 Gbit/s", ". Gbit/s",
                    " 100 Gbit/s", "100 Gbit/s ", "100\tGbit/s", "1e Gbit/s", "1,5 Gbit/s", "100 gbit/s", "100 KB/s", "100 B",
                    "0x64 Gbit/s", "inf Gbit/s", "", "100 % of port.rate")},
    **{f"the MTU {mtu!r}": all_mtus(mtu)
       for mtu in ("9000 bit/s", "0 B", "0e3 B", "575 B", "65536 B", "1500.5 B", "9.9.0 B", "-9000 B", "9000")},
    **{f"the address {address!r}": change((*HALF, "address"), address)
       for address in (None, "198.18.1.1", "999.1.1.1/24", "256.1.1.1/24", "198.18.1.256/24", "127.0.0.1/8", "0.1.2.3/24",
                       "224.0.0.1/24", "240.0.0.1/24", "198.18.01.1/24", "198.18.1/24", "198.18.1.1.1/24", "198.18.1.1/7",
                       "198.18.1.1/33", "198.18.1.1/024", "198.18.1.0/24", "198.18.1.255/24", "198.18.1.0/30",
                       "fe80::1/64", "fe80::1%eth0/64", "ff02::1/64", "::1/64", "fd93::/64", "fd93:::1/64", "fd93::1",
                       "fd93::1/129", "fd93::1/7", "fd93::1::2/64")},
    **{f"the MAC {mac!r}": change((*HALF, "mac"), mac)
       for mac in ("02:00:00:00:01", "01:00:5e:00:00:01", "03:bb:47:83:75:fd", "00:00:00:00:00:00", "4c-bb-47-83-75-fd",
                   "4c:bb:47:83:75:fg")},
    **{f"the name {name!r}": change((*NODE, "name"), name) for name in (None, "", "-a", "node a", "n/a", "n" * 65, "kn\u00f6tchen")},
    "a netdev of 16 characters": change((*HALF, "netdev"), "x" * 16),
    "an unknown source of counters": change((*COUNTERS, "source"), "snmp"),
    "counters without a device": change(COUNTERS, {"source": "ethtool"}),
    "names of counters that nobody reads": change(COUNTERS, {"source": "netlink", "device": "enp1s0f0np0", "tx_bytes": "x"}),
    "a counter's name of 32 characters": change((*COUNTERS, "tx_bytes"), "x" * 32),
    "a counter's name of blanks": change((*COUNTERS, "tx_bytes"), "  "),
    "a port without halves": change((*PORT, "half"), []),
    "a node without ports": change((*NODE, "port"), []),
    "one node": change(("node",), RIG_VALUE["node"][:1]),
    "a launch address with a space": change((*NODE, "address"), "spark a"),
    "a launch address with a port": change((*NODE, "address"), "spark-a:22"),
    "an unknown kind": change(("kind",), "real"),
    "another format": change(("format",), 2),
    "a format that is a text": change(("format",), "1"),
    "no rails": change(("rail",), None),
    "no links": change(("link",), []),
    "a link of one port": change(("link", 0, "ports"), ["node-a:port0"]),
    "a port that is twice on its link": change(("link", 0, "ports"), ["node-a:port0", "node-a:port0"]),
    "a cable with three ends": change(("link", 0), {"name": "fabric", "ports": ["node-a:port0", "node-b:port0", "node-a:port1"]}),
    "a rail of no node": change(("rail", 0, "halves", 0), RAIL[0].split(":")[1]),
    "a rail of one half": change(("rail", 0, "halves"), RAIL[:1]),
    "a switch by plain http": change(("switch", 0, "address"), "http://192.168.88.1"),
    "a switch of an unknown kind": change(("switch", 0, "kind"), "other"),
    "a switch without ports": change(("switch", 0, "ports"), {}),
    "a switch's port without an interface": change(("switch", 0, "ports", "node-a:port0"), " "),
    "a switch with credentials of blanks": change(("switch", 0, "credentials"), " \t"),
    "a remark of 201 characters": change(("stand_in",), "x" * 201),
    "a remark of two lines": change(("stand_in",), "two\nlines"),
    "a remark of blanks": change(("stand_in",), " "),
    "forwarding that is a text": change(("forwarding",), "yes"),
    "GPUs as a text": change((*NODE, "gpus"), "8"),
    "GPUs that are not whole": change((*NODE, "gpus"), 1.5),
    "GPUs below 0": change((*NODE, "gpus"), -1),
    "65 GPUs": change((*NODE, "gpus"), 65),
}
# What a schema can't say: only the reader refuses these.
BEYOND_RIGS = {
    "a half that is faster than its port": change(RATE, "300 Gbit/s"),
    "a rate that no port has": change((*PORT, "rate"), "200 Tbit/s"),
    "an MTU in kB that is not whole": all_mtus("1.5005 kB"),
    "the broadcast address of an odd subnet": change((*HALF, "address"), "198.18.1.127/25"),
    "a rail over two subnets": change((*HALF, "address"), "198.18.77.1/24"),
    "a name twice": change(("rail", 0, "name"), RIG_VALUE["rail"][1]["name"]),
    "a link of a port that is none": change(("link", 0, "ports", 0), "node-a:port9"),
}

IN_A_MONTH = (datetime.date.today() + datetime.timedelta(days=30)).isoformat()
LIMIT = {"id": "tcp.rate.half", "at_least": "95 % of half.rate", "remedy": {"check": "look"},
         "basis": {"kind": "policy", "source": "us", "quote": "so"}}
WAIVER = {"limit": "tcp.rate.half", "reason": "cable", "owner": "Ann", "expires": IN_A_MONTH}
THRESHOLDS = {"for": {"half": {"rate": {"at_least": "1 kbit/s"}}}, "limit": [LIMIT], "waiver": [WAIVER]}
OF_LIMIT, BASIS, OF_WAIVER = ("limit", 0), ("limit", 0, "basis"), ("waiver", 0)
TEXT_RULE = {"at_least": None, "one_of": ["RS", "LLRS"]}
INFORMATIVE = {"at_least": None, "basis": None, "remedy": None, "enforce": "informative", "unit": "ms"}


def limit(**keys):
    """The good limit with these keys, without those that are None."""
    def apply(file):
        for key, value in keys.items():
            if value is None:
                file["limit"][0].pop(key, None)
            else:
                file["limit"][0][key] = value
    return apply


def in_profile(**keys):
    return {"profile": {"smoke": keys}}


GOOD_THRESHOLDS = {
    **{f"at least {bound!r}": limit(at_least=bound)
       for bound in ("5Gbit/s", "5  Gbit/s", "5. Gbit/s", ".5 Gbit/s", "1e9 bit/s", "1.5E-3 Tbit/s", "95 % of port.rate",
                     " 95 %  of  port.rate ", "95% of port.rate", "1e2 % of port.halves", "120 %")},
    "at least zero beside at_most": limit(at_least="0 Gbit/s", at_most="1 Gbit/s"),
    "a band": limit(at_most="105 % of half.rate", marginal="97 % of half.rate"),
    "the only value": limit(at_least=None, equals="0 count"),
    "a text": limit(**TEXT_RULE),
    "a version": limit(at_least=None, at_least_version="28.45.1200"),
    "a version with words": limit(at_least=None, at_least_version="v6"),
    "what is only shown": limit(**INFORMATIVE),
    "what is only shown, of a bound": limit(remedy=None, enforce="informative"),
    "advice": limit(enforce="advice"),
    "a bound in two profiles only": limit(at_least=None, profiles=["smoke", "standard"], profile={
        "smoke": {"at_least": "1 Gbit/s"}, "standard": {"at_least": "2 Gbit/s"}}),
    "another basis and remedy in each profile": limit(basis=None, remedy=None, profiles=["smoke"], **in_profile(
        basis=LIMIT["basis"], remedy={"fix": ["look", "again"]}, statistic="min", enforce="advice", tolerance="1 %", better="lower", at_most="110 % of half.rate",
        marginal="96 % of half.rate")),
    "two more statistics": limit(also=[{"statistic": "mean", "at_least": "90 % of half.rate"},
                                       {"statistic": "p90", "at_least": "1 Gbit/s", "at_most": "2 Gbit/s"}]),
    "another statistic in a profile": limit(**in_profile(also=[{"statistic": "mean", "at_least": "1 Gbit/s"}])),
    "a profile with nothing of its own": limit(profile={"smoke": {}}),
    "only in these profiles": limit(profiles=["acceptance", "acceptance"]),
    **{f"a tolerance of {tolerance!r}": limit(tolerance=tolerance, at_least=bound)
       for tolerance, bound in (("2 %", "1 Gbit/s"), ("99.9 %", "1 Gbit/s"), ("1e1 %", "1 Gbit/s"), ("20 Mbit/s", "1 Gbit/s"),
                                ("2 % of base", "1 Gbit/s"), ("300 %", "500 %"), ("20 us", "1 ms"))},
    "a basis with both words": limit(basis={**LIMIT["basis"], "reasoning": "hence"}),
    "a headline and no gate": limit(headline=True, gate=False),
    "a gate": limit(gate=True),
    "no gate beside a text": limit(**TEXT_RULE, gate=False),
    "no waiver": change(("waiver",), []),
    "a waiver of cases": change((*OF_WAIVER, "case"), "tcp.Rail?ate.*"),
    "a waiver of one case": change(OF_WAIVER, {**{key: WAIVER[key] for key in ("reason", "owner", "expires")}, "case": "tcp.A.B"}),
}
BAD_THRESHOLDS = {
    "a key that nobody reads": change((*OF_LIMIT, "at_lest"), "1 Gbit/s"),
    "a table that nobody reads": change(("limits",), []),
    "rates of no part of the rig": change(("for", "rail"), {"rate": {"at_least": "1 Gbit/s"}}),
    "a part of the rig without its rate": change(("for", "half"), {}),
    "a rate that is a size": change(("for", "half", "rate", "at_least"), "1 GB"),
    "a range without bounds": change(("for", "half", "rate"), {}),
    "rates of nothing": change(("for",), {}),
    "a bound that is a number": limit(at_least=170),
    **{f"at least {bound!r}": limit(at_least=bound)
       for bound in ("170", "-5 Gbit/s", "1.2.3 Gbit/s", "5 Gbit/s of half.rate", "95 % of half.speed", "95 % of", "95 of half.rate",
                     "95 %of half.rate", "95 % ofhalf.rate", " 5 Gbit/s", "5 Gbit/s ", "5 Gb/s", "inf Gbit/s", "e3 Gbit/s", "",
                     "-5 % of half.rate", "1_000 bit/s")},
    **{f"the id {name!r}": limit(id=name) for name in (None, "", "tcp rate", "tcp/rate", "tcp.*")},
    "an unknown statistic": limit(statistic="mode"),
    "another statistic without a bound": limit(also=[{"statistic": "mean"}]),
    "a bound of no statistic": limit(also=[{"at_least": "1 Gbit/s"}]),
    "another statistic's key that nobody reads": limit(also=[{"statistic": "mean", "at_lest": "1 Gbit/s"}]),
    "equals with another statistic": limit(at_least=None, equals="1 count", also=[{"statistic": "mean", "at_most": "1 count"}]),
    "a text with another statistic": limit(**TEXT_RULE, also=[{"statistic": "mean", "at_most": "1 count"}]),
    "an unknown enforcement": limit(enforce="sometimes"),
    "a headline that is a text": limit(headline="yes"),
    "an unknown direction": limit(better="up"),
    "an unknown unit": limit(unit="Gb/s"),
    "an unknown profile": limit(profiles=["quick"]),
    "no profile": limit(profiles=[]),
    "a setting of an unknown profile": limit(profile={"quick": {"at_least": "1 Gbit/s"}}),
    "an unknown key of a profile": limit(**in_profile(id="tcp.rate")),
    "a gate of a profile": limit(**in_profile(gate=True)),
    "no bound": limit(at_least=None),
    "a unit and no bound": limit(at_least=None, unit="Gbit/s"),
    "no basis": limit(basis=None),
    "no basis of a text": limit(**TEXT_RULE, basis=None),
    "no basis of what is only shown": limit(basis=None, enforce="informative"),
    "no remedy": limit(remedy=None),
    "no remedy of advice": limit(remedy=None, enforce="advice"),
    "a remedy of blanks": limit(remedy={"hint": " "}),
    "a command of two lines": limit(remedy={"check": "look\nagain"}),
    "a command with a tab in a list": limit(remedy={"fix": ["look", "look\tagain"]}),
    "a remedy that is a text": limit(remedy="look"),
    "an empty remedy": limit(remedy={}),
    "an empty list in a remedy": limit(remedy={"check": []}),
    "an unknown part of a remedy": limit(remedy={"check": "look", "do": "it"}),
    "equals with at_least": limit(equals="1 Gbit/s"),
    "equals with at_most": limit(at_least=None, equals="1 count", at_most="2 count"),
    "equals with marginal": limit(at_least=None, equals="1 count", marginal="2 count"),
    "equals with a tolerance": limit(at_least=None, equals="1 count", tolerance="1 %"),
    "equals with a direction": limit(at_least=None, equals="1 count", better="lower"),
    "equals as a gate": limit(at_least=None, equals="1 count", gate=True),
    "equals with at_most in a profile": limit(**in_profile(equals="1 Gbit/s", at_most="2 Gbit/s")),
    "marginal without a bound": limit(at_least=None, marginal="1 Gbit/s"),
    "only shown, and marginal": limit(**{**INFORMATIVE, "basis": LIMIT["basis"], "marginal": "1 ms"}),
    "a text with a unit": limit(**TEXT_RULE, unit="count"),
    "a text with a statistic": limit(**TEXT_RULE, statistic="min"),
    "a text with a bound": limit(one_of=["RS"]),
    "a text and a version": limit(**TEXT_RULE, at_least_version="1.2"),
    "a text as a gate": limit(**TEXT_RULE, gate=True),
    "no text to be one of": limit(**{**TEXT_RULE, "one_of": []}),
    "a text of blanks": limit(**{**TEXT_RULE, "one_of": ["RS", " "]}),
    "a version without a number": limit(at_least=None, at_least_version="abc"),
    "a version with a bound": limit(at_least_version="1.2"),
    **{f"a tolerance of {tolerance!r}": limit(at_least="1 Gbit/s", tolerance=tolerance)
       for tolerance in ("300 %", "100 %", "100.0 %", "100 % of base", "2 Mbit/s of base", "2 %  of base", "2", "-2 %", "1.2.3 %")},
    "an unknown basis": change((*BASIS, "kind"), "guess"),
    "a basis without a source": change((*BASIS, "source"), None),
    "a basis without words": change((*BASIS, "quote"), None),
    "a basis of blanks": change((*BASIS, "quote"), "  "),
    "an unknown key of a basis": change((*BASIS, "page"), "7"),
    "a waiver of nothing": change((*OF_WAIVER, "limit"), None),
    "a waiver without an owner": change((*OF_WAIVER, "owner"), None),
    "a waiver without a reason": change((*OF_WAIVER, "reason"), " "),
    **{f"a waiver of the case {case!r}": change(OF_WAIVER, {**{key: WAIVER[key] for key in ("reason", "owner", "expires")},
                                                           "case": case}) for case in ("*", "tcp.A.?", "")},
    **{f"a waiver that ends on {day!r}": change((*OF_WAIVER, "expires"), day)
       for day in ("soon", "2026-13-45", "2026-00-10", "2026-04-31", "2026-02-30", "2026-1-1", "26-01-01", "2026-12-31T00:00:00")},
    "no limit": change(("limit",), []),
}


def absolute_rate(path, new):
    """A limit that is an absolute rate, and another change."""
    def apply(file):
        limit(at_least="1 Gbit/s")(file)
        change(path, new)(file)
    return apply


BEYOND_THRESHOLDS = {
    **{f"at least {bound!r}, which nothing misses": limit(at_least=bound) for bound in ("0 Gbit/s", "0 %", "0e5 % of half.rate")},
    "at_least above at_most": limit(at_most="50 % of half.rate"),
    "bounds of two dimensions": limit(at_most="5 ms"),
    "a unit of another dimension": limit(unit="ms"),
    "a tolerance of another dimension": limit(tolerance="5 ms"),
    "equals beside a profile's at_most": limit(at_least=None, equals="1 count", **in_profile(at_most="2 count")),
    "an override in a profile that the limit is not in": limit(profiles=["standard"], **in_profile(at_least="1 Gbit/s")),
    "no basis in the other profiles": limit(basis=None, **in_profile(basis=LIMIT["basis"])),
    "a waiver of another limit": change((*OF_WAIVER, "limit"), "tcp.rate.port"),
    "a waiver for ever": change((*OF_WAIVER, "expires"), "2999-12-31"),
    "a leap day in a year without": change((*OF_WAIVER, "expires"), "2027-02-29"),
    "a limit twice": change(("limit",), [LIMIT, LIMIT]),
    "a range from above": change(("for", "half", "rate"), {"at_least": "2 Gbit/s", "at_most": "1 Gbit/s"}),
    "an absolute rate for another rig": absolute_rate(("for", "half", "rate", "at_least"), "400 Gbit/s"),
}


SIGN = {"id": "tcp.rate.half", "at_most": "25 Gbit/s"}
FAULTS = {"fault": [{"name": "slow", "certainty": "likely", "when": [SIGN], "basis": LIMIT["basis"], "remedy": LIMIT["remedy"]}]}


def fault(**keys):
    """The fault with keys set, or with None removed."""
    def apply(file):
        for key, new in keys.items():
            change(("fault", 0, key), new)(file)
    return apply


GOOD_FAULTS = {
    "signs of its neighbours": fault(unless=[{"id": "preflight.fec", "one_of": ["RS"]},
                                             {"id": "preflight.firmware", "at_least_version": "28.45"}]),
    "a statistic": fault(when=[{**SIGN, "statistic": "min"}]),
    "what it explains": fault(explains=["tcp.rate.*"]),
    **{f"the certainty {word}": fault(certainty=word) for word in ("certain", "possible")},
}
BAD_FAULTS = {
    "a fault without a name": fault(name=None),
    "a certainty that nobody knows": fault(certainty="sure"),
    "no sign": fault(when=[]),
    "a sign without a bound": fault(when=[{"id": "tcp.rate.half"}]),
    "a sign without a unit": fault(when=[{**SIGN, "at_most": "25"}]),
    "a sign of two kinds": fault(when=[{**SIGN, "one_of": ["RS"]}]),
    "a sign that is marginal": fault(when=[{**SIGN, "marginal": "20 Gbit/s"}]),
    "a fault without a source": fault(basis=None),
    "a fault without a remedy": fault(remedy=None),
    "an unknown key": fault(except_for=[SIGN]),
    "a limit among the faults": change(("limit",), [LIMIT]),
}


class Schemas(unittest.TestCase):
    def errors(self, kind, value):
        return [error.message for error in 
                jsonschema.Draft202012Validator(SCHEMAS[kind], registry=BESIDE).iter_errors(plain(value))]

    def read(self, kind, text):
        """What rigproof says of such a file: the exit code and its words. No suite is asked before both are read."""
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch, f"{kind}.toml")
            file.write_text(text)
            thresholds = file if kind == "thresholds" else ROOT / "thresholds/roce-hosts.toml"  # for any rates
            done = subprocess.run([RIGPROOF, "run", "--rig", file if kind == "rig" else RIG, "--thresholds", thresholds,
                                   *(["--faults", file] if kind == "faults" else []),
                                   "--suite-dir", scratch, "--out", pathlib.Path(scratch, "out")],
                                  capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_schemas_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_schemas_have_the_readers_keys(self):
        self.assertEqual(keys_of_schema(SCHEMAS["rig"]), keys_of_reader("rig"))
        limits = keys_of_schema(SCHEMAS["thresholds"])
        self.assertEqual(limits, keys_of_reader("limits") | PROFILES)
        self.assertEqual(keys_of_schema(SCHEMAS["faults"]) - limits, keys_of_reader("faults") - limits)

    def test_good_files_are_valid(self):
        for kind, files in GOOD.items():
            for file in files:
                with self.subTest(file.name):
                    self.assertEqual(self.errors(kind, tomllib.loads(file.read_text())), [])

    def test_the_page_about_thresholds_is_true(self):
        page = (ROOT / "thresholds/README.md").read_text()
        text = "\n".join(re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S))
        self.assertEqual(self.errors("thresholds", tomllib.loads(text)), [])
        code, words = self.read("thresholds", text)
        self.assertEqual((code, "there is no suite" in words), (3, True), words)
        self.assertEqual([key for key in keys_of_schema(SCHEMAS["thresholds"]) if key not in text], [])

    def test_each_unit_and_fact_of_the_reader_is_in_the_schema(self):
        def known(bound, words):
            value = copy.deepcopy(THRESHOLDS)
            limit(at_least=bound)(value)
            return re.search(words, self.read("thresholds", document(value))[1])[1].replace(",", " ").split()
        units = known("1 nonsense", r"\(units: ([^)]*)\)")
        facts = known("1 % of nonsense", r"\(known: ([^)]*)\)")
        self.assertGreater(len(units), 20)
        self.assertGreater(len(facts), 5)
        bounds = [f"7 {unit}" for unit in units] + [f"95 % of {fact}" for fact in facts]
        for bound in bounds:
            with self.subTest(bound):
                self.is_taken("thresholds", THRESHOLDS, limit(at_least=bound))
        for unit in units:
            with self.subTest(f"unit {unit}"):
                self.is_taken("thresholds", THRESHOLDS, limit(**{**INFORMATIVE, "unit": unit}))

    def spoilt(self, good, spoil):
        value = copy.deepcopy(good)
        spoil(value)
        return value

    def is_taken(self, kind, good, spoil):
        value = self.spoilt(good, spoil)
        code, words = self.read(kind, document(value))
        self.assertEqual((code, "there is no suite" in words), (3, True), words)  # both files were read
        self.assertEqual(self.errors(kind, value), [], "the reader takes it")

    def is_refused_by_the_reader(self, kind, value):
        code, words = self.read(kind, document(value))
        self.assertEqual(code, 2, words)
        self.assertRegex(words, rf"{kind}\.toml:\d+")

    def test_good_files_are_taken_by_schema_and_reader(self):
        for kind, good, variants in (("rig", RIG_VALUE, GOOD_RIGS), ("thresholds", THRESHOLDS, GOOD_THRESHOLDS),
                                     ("faults", FAULTS, GOOD_FAULTS)):
            for what, spoil in {"as it is": lambda value: None, **variants}.items():
                with self.subTest(f"{kind}: {what}"):
                    self.is_taken(kind, good, spoil)

    def test_bad_files_are_refused_by_schema_and_reader(self):
        for kind, good, bad in (("rig", RIG_VALUE, BAD_RIGS), ("thresholds", THRESHOLDS, BAD_THRESHOLDS),
                                ("faults", FAULTS, BAD_FAULTS)):
            for what, spoil in bad.items():
                with self.subTest(f"{kind}: {what}"):
                    value = self.spoilt(good, spoil)
                    self.assertNotEqual(self.errors(kind, value), [], "the schema takes it")
                    self.is_refused_by_the_reader(kind, value)

    def test_what_only_the_reader_sees_is_known(self):
        for kind, good, bad in (("rig", RIG_VALUE, BEYOND_RIGS), ("thresholds", THRESHOLDS, BEYOND_THRESHOLDS)):
            for what, spoil in bad.items():
                with self.subTest(f"{kind}: {what}"):
                    value = self.spoilt(good, spoil)
                    self.assertEqual(self.errors(kind, value), [], "the schema sees it, too: move it to the bad ones")
                    self.is_refused_by_the_reader(kind, value)

    def test_each_example_names_its_schema_where_it_is_installed(self):
        share = pathlib.Path(RIGPROOF).parent.parent / "share/rigproof"  # as an installation has it
        for kind, folder in (("rig", "examples"), ("thresholds", "thresholds"), ("faults", "thresholds/faults")):
            self.assertEqual(len(list((share / folder).glob("*.toml"))), len(EXAMPLES[kind]))
            for file in (share / folder).glob("*.toml"):
                with self.subTest(file.name):
                    mark, named = file.read_text().splitlines()[0].split()
                    self.assertEqual(mark, "#:schema")
                    schema = pathlib.Path(os.path.normpath(file.parent / named))
                    self.assertEqual(json.loads(schema.read_text()), SCHEMAS[kind])
        limits = (ROOT / "thresholds/README.md").read_text()
        self.assertIn("```toml\n#:schema /usr/share/rigproof/schemas/thresholds.schema.json\n", limits)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
