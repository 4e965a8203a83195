"""The language of the fault files and its reader, which refuses what it does not know.

    kind = "model"                  # the rig: model, roce_vm, or facts (facts of two healthy Sparks, judged offline)
    rig  = ["--nodes", "4"]         # its options
    [every]                         # keys of all faults of this file; lists and tables are added to those of a fault

    [[fault]]
    name   = "mtu_lost"
    broken = "a half of node-b fell back to MTU 1500, as after a reboot"      # for a person
    suites = ["preflight", "mtu"]
    break  = "ip -n node-b link set enp1s0f0np0 mtu 1500"
    undo   = "ip -n node-b link set enp1s0f0np0 mtu 9000"
    effect = "ip -n node-b link show enp1s0f0np0 | grep -q 'mtu 1500'"
    red    = [{ case = "HalfLink.HasItsMtu/node_b_enp1s0f0np0", id = "preflight.mtu", node = "node-b" }]
    may    = ["*/rail0_*"]

The classes below say what each key means. A fault without `red` is a sound rig: it must qualify.
"""

import dataclasses
import fnmatch
import pathlib
import re
import tomllib

KINDS = ('model', 'roce_vm', 'facts')
RED_STATUSES = ('failed', 'error', 'not proven')


class FaultFileError(Exception):
    """A fault file that can't be used; the text names file, fault and key."""


@dataclasses.dataclass(frozen=True)
class Expected:
    """An entry of `red` or `may`; a bare string stands for {case = "..."}."""
    case: str                    # a pattern for matches_case(): every case that it matches is meant
    status: tuple = ('failed',)  # what the case may come to; an error or a case that is not proven counts only when named
    some: bool = False           # of `red`: one of the matching cases is enough
    id: str = ''                 # of `red`: the measurement that missed its limit ...
    node: str = ''               # ... and the node that reported it
    says: tuple = ()             # of `red`: words of the case's message (its name does not count)

    def matches(self, name):
        return matches_case(name, self.case)


@dataclasses.dataclass(frozen=True)
class Change:
    """A fact of one node that has another value (JSON), or is taken away, maybe as one that could not be read."""
    node: str
    path: str                    # its parts are separated by " / "
    value: str | None = None
    unread: str | None = None    # the reason


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    broken: str = ''             # what is wrong with the rig, where the name does not tell
    # Shell commands for the rig's first node, started in the folder of the fault files. $SCRATCH is an empty folder of the
    # fault's own, $RIGPROOF the program. The runner puts the rig file ($RIGPROOF_RIG) back after each fault.
    prepare: str = ''            # before anything is broken; part of the sound rig
    breaks: str = ''             # (key `break`)
    undo: str = ''               # makes the rig sound again; without it the next fault gets a fresh rig
    leaves_no_trace: bool = False  # instead of `undo`: nothing is left of it when the run is over
    effect: str = ''             # succeeds on the broken rig within ten seconds, fails on the sound one
    effect_after: str = ''       # the same, for what only happens during the run: tried after it
    no_effect: str = ''          # instead of both: why the fault needs no such check
    change: tuple = ()           # kind facts, instead of commands
    # The run
    suites: tuple = ()
    filter: str = ''             # --gtest_filter: patterns know * and ?, no brackets
    profile: str = 'smoke'
    thresholds: str = ''         # a file, from the root of the tree; else the rig's own
    options: tuple = ()          # more words for `rigproof run`
    head: str = ''               # of a model rig: the network namespace of a host that is no node; the run starts there
    environment: dict = dataclasses.field(default_factory=dict)  # {build}: the build folder; {scratch}: $SCRATCH
    # What it must find
    red: tuple = ()              # each entry matches a case that ran, and is met
    may: tuple = ()              # may be red as well; any other case that is red is a false alarm
    green: tuple = ()            # each pattern matches a case that ran, and all that match passed
    remedies: tuple = ()         # lines of the list of what to do
    says: tuple = ()             # words on the console or in summary.md
    reports: dict = dataclasses.field(default_factory=dict)  # file of the output folder -> words in it

    def environment_of(self, build, scratch):
        return {key: value.replace('{build}', str(build)).replace('{scratch}', scratch) for key, value in self.environment.items()}

    @property
    def folder(self):
        return re.sub(r'[^A-Za-z0-9]+', '_', self.name)


@dataclasses.dataclass(frozen=True)
class FaultFile:
    path: pathlib.Path
    kind: str
    faults: tuple
    rig: tuple = ()              # options of the rig, e.g. ["--nodes", "4"]


def matches_case(name, pattern):
    """Whether a pattern (* ? [ab]) matches a case's name: 'HalfLink.IsUp/node_b', with or without its suite ('link.HalfLink...'),
    of 'link.EachHalf/HalfLink.IsUp/node_b'."""
    suite, _, case = name.partition('.')
    case = re.sub(r'^\w+/(?=\w+\.)', '', case)
    return fnmatch.fnmatchcase(case, pattern) or fnmatch.fnmatchcase(f'{suite}.{case}', pattern)


def refuse(path, fault, what):
    raise FaultFileError(f'{path}: fault {fault!r}: {what}')


def known(kind, table):
    return {'breaks' if key == 'break' else key: value for key, value in table.items()}, \
        {'break' if field.name == 'breaks' else field.name for field in dataclasses.fields(kind)}


def made(kind, table, say):
    renamed, keys = known(kind, table)
    if unknown := set(table) - keys:
        say(f'unknown key {sorted(unknown)[0]!r}')
    for field in dataclasses.fields(kind):
        value = renamed.get(field.name)
        wanted = {tuple: (list, str), dict: dict, bool: bool}.get(field.type, str)
        if value is not None and not isinstance(value, wanted):
            say(f'{field.name!r} has the wrong type')
        if isinstance(value, str) and field.type is tuple:
            renamed[field.name] = (value,)
        elif isinstance(value, list):
            renamed[field.name] = tuple(value)
    try:
        return kind(**renamed)
    except TypeError as error:
        return say(str(error).split('__init__() ')[-1])


def expected(entry, say):
    one = made(Expected, {'case': entry} if isinstance(entry, str) else entry, say)
    if not one.status or not set(one.status) <= set(RED_STATUSES):
        say(f'{one.case}: status {list(one.status)} is not of {list(RED_STATUSES)}')
    if one.node and not one.id:
        say(f'{one.case}: a node without an id')
    return one


NOT_OF_FACTS = ('prepare', 'breaks', 'undo', 'effect', 'effect_after', 'filter', 'environment')


def check_effect(fault, kind, say):
    if kind == 'facts':
        if not fault.change or any(getattr(fault, key) for key in NOT_OF_FACTS):
            say("facts are broken by 'change' alone")
        return
    if fault.change:
        say("'change' is for facts")
    if bool(fault.effect or fault.effect_after) == bool(fault.no_effect):
        say("either 'effect' (or 'effect_after') shows that the fault is in place, or 'no_effect' says why nothing can")
    if fault.undo and fault.leaves_no_trace:
        say("'undo' and 'leaves_no_trace' exclude each other")


def merged(every, table):
    both = every | table
    for key in set(every) & set(table):
        if isinstance(every[key], dict) and isinstance(table[key], dict):
            both[key] = every[key] | table[key]
        elif isinstance(every[key], list) and isinstance(table[key], list):
            both[key] = every[key] + table[key]
    return both


def read_fault(path, kind, every, table):
    def say(what):
        refuse(path, table.get('name', '?'), what)
    fault = made(Fault, merged(every, table), say)
    fault = dataclasses.replace(fault, red=tuple(expected(entry, say) for entry in fault.red),
                                may=tuple(expected(entry, say) for entry in fault.may),
                                change=tuple(made(Change, entry, say) for entry in fault.change))
    if not fault.suites:
        say("no 'suites'")
    if '[' in fault.filter:
        say("'filter': GoogleTest's patterns know no brackets")
    if fault.red:
        check_effect(fault, kind, say)
    elif kind != 'facts' and not fault.no_effect:
        say("no 'red': of a sound rig 'no_effect' says so")
    return fault


def read_fault_file(path):
    try:
        text = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise FaultFileError(f'{path}: {error}') from error
    if unknown := set(text) - {'kind', 'rig', 'every', 'fault'}:
        raise FaultFileError(f'{path}: unknown key {sorted(unknown)[0]!r}')
    if text.get('kind') not in KINDS:
        raise FaultFileError(f"{path}: 'kind' is not of {list(KINDS)}")
    rig = text.get('rig', [])
    if not isinstance(rig, list) or not all(isinstance(word, str) for word in rig) or (rig and text['kind'] == 'facts'):
        raise FaultFileError(f"{path}: 'rig' is not a list of options of an emulated rig")
    faults = tuple(read_fault(path, text['kind'], text.get('every', {}), table) for table in text.get('fault', []))
    names = [fault.name for fault in faults]
    if not faults or len(set(names)) < len(names):
        raise FaultFileError(f'{path}: no fault, or two of one name')
    return FaultFile(path, text['kind'], faults, tuple(rig))
