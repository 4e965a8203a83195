"""Mutants of C++ text: a comparison turned, a number moved by one, a condition negated, a statement dropped.

Each mutant stands behind a switch, `mutant_on(NUMBER)`, so one program holds many. The text must be clang-format's: binary operators have
spaces on both sides, brackets of templates do not. Some mutants do not compile: the mutator knows no types.
"""

import dataclasses
import re

TURNED = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '&&': '||', '||': '&&'}
COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|^#[^\n]*', re.S | re.M)
OPERATOR = re.compile(r'(?<=\s)(<=|>=|==|!=|<|>|&&|\|\|)(?=\s)')
IF = re.compile(r'(?<=\bif )\(')
QUESTION_MARK = re.compile(r'(?<=\s)\?(?=\s)')
NUMBER = re.compile(r'(?<=[<>=+\-*/] )\d+(?=[;,) ])|(?<=\[)\d+(?=\])')
STATEMENT = re.compile(r'((?:\+\+|--)[\w.\->\[\]]+|(?:\*|[\w:.\->\[\]])+(?:\(| [-+*/|]?= )[^;{}]*|continue|break|return|throw [^;{}]*);')
LEAVES = re.compile(r'return|throw')
COMPILE_TIME = re.compile(r'\b(?:static_assert|template|requires|concept|constexpr|enum)\b')
# Ends of an operand, from the loosest operators to the tightest.
ENDS = [r'\breturn\b|[;{},]|(?<=\s)(?:[-+*/|&]?=|\?|:)(?=\s)', r'(?<=\s)\|\|(?=\s)', r'(?<=\s)&&(?=\s)', r'(?<=\s)[=!]=(?=\s)',
        r'(?<=\s)[<>]=?(?=\s)']
TIGHTNESS = {'?': 0, '||': 1, '&&': 2, '==': 3, '!=': 3, '<': 4, '<=': 4, '>': 4, '>=': 4}


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    what: str  # the text before and after
    begin: int
    end: int
    text: str  # replaces [begin, end); mutant_on(N) asks for the mutant's number

    @property
    def name(self):
        return f'{self.file}: {self.what}'


def spaces(found):
    return re.sub(r'[^\n]', ' ', found[0])


class Mutator:
    def __init__(self, file, text):
        self.file = file
        self.text = COMMENT_OR_STRING.sub(lambda found: found[0] if found[0][0] in '"\'R' else spaces(found), text)
        self.code = COMMENT_OR_STRING.sub(spaces, text)
        self.depths, depth = [], 0  # of brackets; a bracket has the depth outside
        for character in self.code:
            depth -= character in ')]}'
            self.depths.append(depth)
            depth += character in '([{'

    def mutants(self):
        """All mutants; they can overlap."""
        return [mutant for mutant in (*self.turned(), *self.negated(), *self.moved(), *self.dropped())
                if not COMPILE_TIME.search(self.line_before(mutant.begin))]

    def turned(self):
        for found in OPERATOR.finditer(self.code):
            begin, end = self.operands(found)
            left, right = self.text[begin:found.start()].strip(), self.text[found.end():end].strip()
            turned = TURNED[found[0]]
            yield self.mutant(begin, end, f'(mutant_on(N) ? ({left}) {turned} ({right}) : ({left}) {found[0]} ({right}))',
                              f'{left} {turned} {right}')

    def negated(self):
        for found in IF.finditer(self.code):
            begin, end = found.end(), self.bracket_after(found.end())
            begin = max(begin, 1 + max((i for i in range(begin, end) if self.code[i] == ';' and self.depths[i] == self.depths[begin]),
                                       default=0))
            if not re.search(r'\s=\s', self.code[begin:end]):
                yield self.condition(begin, end)
        for found in QUESTION_MARK.finditer(self.code):
            yield self.condition(self.operands(found)[0], found.start() - 1)

    def condition(self, begin, end):
        text = self.text[begin:end].strip()
        return self.mutant(begin, end, f'(mutant_on(N) != static_cast<bool>({text}))', f'!({text})')

    def moved(self):
        for found in NUMBER.finditer(self.code):
            constant = re.search(r'constexpr .*', self.line_before(found.start()))
            before = constant[0] if constant else ''
            for sign in '+-' if int(found[0]) else '+':
                yield self.mutant(found.start() - len(before), found.end(),
                                  before.replace('constexpr', 'const') + f'({found[0]} {sign} mutant_on(N))',
                                  before + str(eval(f'{found[0]}{sign}1')), whole_line=True)

    def dropped(self):
        for found in STATEMENT.finditer(self.code):
            before = self.code[:found.start()].rstrip()
            is_branch = before.endswith((')', 'else'))
            if not is_branch and (before[-1:] not in (';', '{', '}') or LEAVES.match(found[0])):
                continue
            if self.depths[found.start()] == self.depths[found.end() - 1]:
                statement = self.text[found.start():found.end()]
                yield self.mutant(found.start(), found.end(), f'{{ if (!mutant_on(N)) {statement} }}', 'dropped')

    def operands(self, operator):
        """The begin of an operator's left operand and the end of its right one."""
        depth, begin, end = self.depths[operator.start()], operator.start(), operator.end()
        while self.depths[begin - 1] >= depth and begin > 0:
            begin -= 1
        while self.depths[end] >= depth:
            end += 1
        tightness = TIGHTNESS[operator[0]]
        left, right = ENDS[:max(tightness, 1)], ENDS[:tightness + 1]
        begin = max([begin, *(stop.end() for stop in self.stops(left, begin, operator.start(), depth))])
        end = min([end, *(stop.start() for stop in self.stops(right, operator.end(), end, depth))])
        begin += re.search(r'\S', self.code[begin:]).start()
        return begin, len(self.code[:end].rstrip())

    def stops(self, ends, begin, end, depth):
        return [stop for stop in re.compile('|'.join(ends)).finditer(self.code, begin, end + 1)
                if stop.end() <= end and self.depths[stop.start()] == depth]

    def bracket_after(self, begin):
        return next(i for i in range(begin, len(self.code)) if self.depths[i] < self.depths[begin])

    def line_before(self, position):
        return self.code[self.code.rfind('\n', 0, position) + 1:position]

    def mutant(self, begin, end, text, after, whole_line=False):
        """`text` on the lines of the text that it replaces."""
        lines = self.code.count('\n', begin, end)
        before = self.text[begin:end]
        if whole_line:
            start, stop = self.code.rfind('\n', 0, begin) + 1, self.code.find('\n', end)
            before, after = self.text[start:stop], self.text[start:begin] + after + self.text[end:stop]
        one_line = [' '.join(part.split()) for part in (before, after, text)]
        return Mutant(self.file, self.code.count('\n', 0, begin) + 1, f'{one_line[0]} -> {one_line[1]}', begin, end,
                      one_line[2] + lines * '\n')


def with_mutants(text, numbered):
    """The text with these (number, mutant) in it, which must not overlap."""
    for number, mutant in sorted(numbered, key=lambda one: -one[1].begin):
        text = text[:mutant.begin] + mutant.text.replace('mutant_on(N)', f'mutant_on({number})') + text[mutant.end:]
    return text
