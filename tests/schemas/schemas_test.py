"""The JSON schemas of rig and thresholds files against the readers: the same keys, good files pass both, bad files pass
neither. Catches a key that a reader learned and the schema did not, and a schema that takes what Rigproof refuses.
   schemas_test.py RIGPROOF"""

import copy
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

import jsonschema

RIGPROOF = sys.argv[1]
ROOT = pathlib.Path(__file__).parents[2]
SCHEMAS = {name: json.loads((ROOT / f"ci/packaging/schemas/{name}.schema.json").read_text())
           for name in ("rig", "thresholds")}
RIG = ROOT / "tests/rig/dgx_spark_pair.toml"
GOOD = {"rig": [RIG, *ROOT.glob("tests/fuzz/seeds/toml/rig.toml")],
        "thresholds": [*ROOT.glob("thresholds/*.toml"), *ROOT.glob("tests/fuzz/seeds/toml/limits.toml")]}

# How a reader asks for a key, and lists of keys.
ASKED = re.compile(r'(?:[.>](?:text|integer|quantity|date|texts|table|tables|maybe_\w+)\(\s*|'
                   r'(?:read_text|maybe_read_text|read_members)\(\s*\w+,\s*|read_name\(\s*)"(\w+)"')
LISTED = re.compile(r"string_view(?:, \d+>)? (?:k\w+ = |key : )\{([^}]*)\}")
PROFILES = {"smoke", "standard", "acceptance"}


def keys_of_reader(folder):
    keys = set()
    for source in (ROOT / "framework" / folder).glob("*.cc"):
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


NODE, PORT, HALF = ("node", 0), ("node", 0, "port", 0), ("node", 0, "port", 0, "half", 0)
BAD_RIGS = {
    "a key that nobody reads": change((*HALF, "speed"), "100 Gbit/s"),
    "a rate without a unit": change((*HALF, "rate"), "100"),
    "a rate that is a number": change((*PORT, "rate"), 200),
    "an MTU of no size": change((*HALF, "mtu"), "9000 bit/s"),
    "no address": change((*HALF, "address"), None),
    "an address without a prefix": change((*HALF, "address"), "198.18.1.1"),
    "a netdev of 16 characters": change((*HALF, "netdev"), "x" * 16),
    "a MAC of five bytes": change((*HALF, "mac"), "02:00:00:00:01"),
    "an unknown source of counters": change((*PORT, "counters", "source"), "snmp"),
    "counters without a device": change((*PORT, "counters"), {"source": "ethtool"}),
    "a port without halves": change((*PORT, "half"), []),
    "a node without a name": change((*NODE, "name"), None),
    "a launch address with a space": change((*NODE, "address"), "spark a"),
    "an unknown kind": change(("kind",), "real"),
    "another format": change(("format",), 2),
    "no rails": change(("rail",), None),
    "a link of one port": change(("link", 0, "ports"), ["node-a:port0"]),
    "a rail of no node": change(("rail", 0, "halves", 0), "enp1s0f0np0"),
    "a switch by plain http": change(("switch", 0, "address"), "http://192.168.88.1"),
    "a switch of an unknown kind": change(("switch", 0, "kind"), "other"),
    "a switch without ports": change(("switch", 0, "ports"), {}),
    "a remark of 201 characters": change(("stand_in",), "x" * 201),
}

LIMIT = {"id": "tcp.rate.half", "at_least": "95 % of half.rate", "remedy": "look",
         "basis": {"kind": "policy", "source": "us", "quote": "so"}}
WAIVER = {"limit": "tcp.rate.half", "reason": "cable", "owner": "Ann", "expires": "2026-12-31"}
THRESHOLDS = {"limit": [LIMIT], "waiver": [WAIVER]}
OF_LIMIT, BASIS, OF_WAIVER = ("limit", 0), ("limit", 0, "basis"), ("waiver", 0)
BAD_THRESHOLDS = {
    "a key that nobody reads": change((*OF_LIMIT, "at_lest"), "1 Gbit/s"),
    "a bound without a unit": change((*OF_LIMIT, "at_least"), "170"),
    "a bound that is a number": change((*OF_LIMIT, "at_least"), 170),
    "a part of no fact": change((*OF_LIMIT, "at_least"), "95 % of half.speed"),
    "an id with a space": change((*OF_LIMIT, "id"), "tcp rate"),
    "no id": change((*OF_LIMIT, "id"), None),
    "an unknown statistic": change((*OF_LIMIT, "statistic"), "mode"),
    "an unknown enforcement": change((*OF_LIMIT, "enforce"), "sometimes"),
    "a headline that is a text": change((*OF_LIMIT, "headline"), "yes"),
    "an unknown direction": change((*OF_LIMIT, "better"), "up"),
    "an unknown unit": change((*OF_LIMIT, "unit"), "Gb/s"),
    "an unknown profile": change((*OF_LIMIT, "profiles"), ["quick"]),
    "a setting of an unknown profile": change((*OF_LIMIT, "profile"), {"quick": {"at_least": "1 Gbit/s"}}),
    "an unknown key of a profile": change((*OF_LIMIT, "profile"), {"smoke": {"id": "tcp.rate"}}),
    "an unknown basis": change((*BASIS, "kind"), "guess"),
    "a basis without a source": change((*BASIS, "source"), None),
    "a basis without words": change((*BASIS, "quote"), None),
    "no text to be one of": change((*OF_LIMIT, "one_of"), []),
    "a waiver of nothing": change((*OF_WAIVER, "limit"), None),
    "a waiver without an owner": change((*OF_WAIVER, "owner"), None),
    "a waiver that ends on no day": change((*OF_WAIVER, "expires"), "soon"),
    "no limit": change(("limit",), []),
}


class Schemas(unittest.TestCase):
    def errors(self, kind, value):
        return [error.message for error in jsonschema.Draft202012Validator(SCHEMAS[kind]).iter_errors(plain(value))]

    def read(self, kind, text):
        """What rigproof says of such a file: the exit code and its words. No suite is asked before both are read."""
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch, f"{kind}.toml")
            file.write_text(text)
            thresholds = file if kind == "thresholds" else ROOT / "thresholds/dgx-spark-pair.toml"
            done = subprocess.run([RIGPROOF, "run", "--rig", file if kind == "rig" else RIG, "--thresholds", thresholds,
                                   "--suite-dir", scratch, "--out", pathlib.Path(scratch, "out")],
                                  capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_schemas_are_schemas(self):
        for schema in SCHEMAS.values():
            jsonschema.Draft202012Validator.check_schema(schema)

    def test_schemas_have_the_readers_keys(self):
        self.assertEqual(keys_of_schema(SCHEMAS["rig"]), keys_of_reader("rig"))
        self.assertEqual(keys_of_schema(SCHEMAS["thresholds"]), keys_of_reader("limits") | PROFILES)

    def test_good_files_are_valid(self):
        for kind, files in GOOD.items():
            for file in files:
                with self.subTest(file.name):
                    self.assertEqual(self.errors(kind, tomllib.loads(file.read_text())), [])

    def test_the_page_about_thresholds_is_true(self):
        page = (ROOT / "framework/limits/README.md").read_text()
        text = "\n".join(re.findall(r"^```toml\n(.*?)^```$", page, re.M | re.S))
        self.assertEqual(self.errors("thresholds", tomllib.loads(text)), [])
        code, words = self.read("thresholds", text)
        self.assertEqual((code, "there is no suite" in words), (3, True), words)
        self.assertEqual([key for key in keys_of_schema(SCHEMAS["thresholds"]) if key not in text], [])

    def test_the_files_that_bad_ones_are_made_of_are_good(self):
        for kind, value in (("rig", tomllib.loads(RIG.read_text())), ("thresholds", THRESHOLDS)):
            self.assertEqual(self.errors(kind, value), [])
            code, words = self.read(kind, document(value))
            self.assertEqual((code, "there is no suite" in words), (3, True), words)  # both were read

    def test_bad_files_are_refused_by_schema_and_reader(self):
        for kind, good, bad in (("rig", tomllib.loads(RIG.read_text()), BAD_RIGS),
                                ("thresholds", THRESHOLDS, BAD_THRESHOLDS)):
            for what, spoil in bad.items():
                with self.subTest(f"{kind}: {what}"):
                    value = copy.deepcopy(good)
                    spoil(value)
                    self.assertNotEqual(self.errors(kind, value), [], "the schema takes it")
                    code, words = self.read(kind, document(value))
                    self.assertEqual(code, 2, words)
                    self.assertRegex(words, rf"{kind}\.toml:\d+")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
