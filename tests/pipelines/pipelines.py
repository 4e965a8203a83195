"""The pipeline files of ci/pipelines/ as lists of commands, in the order in which their CI systems run them."""

import pathlib
import re

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / 'ci/pipelines'
EXAMPLES = ('slurm', 'kubernetes')  # of jobs: no steps of a pipeline
FILES = sorted(path for path in FOLDER.glob('*/*') if path.is_file() and path.parent.name not in EXAMPLES)


class UniqueKeys(yaml.SafeLoader):
    """YAML in which a key that is given twice is an error, as it is for the CI systems."""


def construct_mapping(loader, node):
    keys = [loader.construct_object(key) for key, _ in node.value]
    for key in keys:
        if keys.count(key) > 1:
            raise yaml.constructor.ConstructorError(None, None, f'duplicate key {key!r}', node.start_mark)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


UniqueKeys.add_constructor('tag:yaml.org,2002:map', construct_mapping)


def load(path):
    return yaml.load(path.read_text(), UniqueKeys)


class Pipeline:
    """`steps` stop at the first that fails; `always` run in any case, all of them unless `chained`."""

    def __init__(self, path):
        self.path = path
        self.name = f'{path.parent.name}/{path.name}'
        getattr(self, f'read_{path.parent.name}')()

    def read_github(self):
        self.document = load(self.path)
        (self.job,) = self.document['jobs'].values()
        steps = [step for step in self.job['steps'] if 'run' in step]
        self.steps = [step['run'] for step in steps if 'if' not in step]
        self.always = [step['run'] for step in steps if step.get('if') == 'always()']
        self.others = [step for step in steps if step.get('if') not in (None, 'always()')]

    def read_gitlab(self):
        self.document = load(self.path)
        (self.job,) = self.document.values()
        self.steps = self.job['script']
        self.always = ['\n'.join(self.job['after_script'])]

    def read_jenkins(self):
        self.text = re.sub(r'(?m)^\s*//.*$', '', self.path.read_text())
        stages, post = self.text.split('\n  post {')
        self.stages = re.findall(r"stage\('([^']+)'\) \{ steps \{ sh '([^'\n]+)' \} \}", stages)
        self.steps = [command for _, command in self.stages]
        self.always = re.findall(r"\bsh '([^'\n]+)'", post)


def all_pipelines():
    return [Pipeline(path) for path in FILES]
