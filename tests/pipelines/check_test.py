#!/usr/bin/env python3
"""What can be said of the pipeline files without their CI systems: they parse, hold the rig for themselves, and run the
steps there are in the order that an update needs. Where a linter is installed (actionlint, action-validator,
check-jsonschema), it has its say, too."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import pipelines

UPDATE = ['inventory', 'baseline', 'update', 'smoke', 'ab', 'acceptance']
STEP = re.compile(r'ci/pipelines/step (\w+)')
GITHUB_JOB = {'runs-on', 'concurrency', 'timeout-minutes', 'steps', 'name', 'env', 'permissions'}
GITHUB_STEP = {'name', 'run', 'uses', 'with', 'if', 'env', 'id'}
GITLAB_JOB = {'tags', 'resource_group', 'timeout', 'interruptible', 'rules', 'variables', 'script', 'after_script',
              'artifacts'}


class Files(unittest.TestCase):
    def each(self, folder=''):
        for pipeline in pipelines.all_pipelines():
            if pipeline.path.parent.name.startswith(folder):
                with self.subTest(pipeline.name):
                    yield pipeline

    def test_every_system_has_both(self):
        names = [pipeline.name for pipeline in self.each()]
        self.assertEqual(names, ['github/nightly.yml', 'github/update-gate.yml', 'gitlab/nightly.yml',
                                 'gitlab/update-gate.yml', 'jenkins/Jenkinsfile.nightly',
                                 'jenkins/Jenkinsfile.update-gate'])

    def test_steps_are_those_of_an_update_in_order(self):
        for pipeline in self.each():
            steps = [STEP.fullmatch(command).group(1) for command in pipeline.steps]
            self.assertEqual(steps, UPDATE if 'update-gate' in pipeline.name else ['inventory', 'nightly'])

    def test_what_was_begun_is_rolled_back_and_archived_whatever_happens(self):
        for pipeline in self.each():
            always = STEP.findall('\n'.join(pipeline.always))
            self.assertEqual(always, ['rollback', 'archive'] if 'update-gate' in pipeline.name else ['archive'])

    def test_github(self):
        for pipeline in self.each('github'):
            self.assertEqual(set(pipeline.document) - {'name', True, 'permissions', 'env', 'jobs'}, set())
            self.assertLessEqual(set(pipeline.job), GITHUB_JOB)
            self.assertEqual(pipeline.job['concurrency'], {'group': 'rig', 'cancel-in-progress': False})
            self.assertEqual(pipeline.others, [])
            for step in pipeline.job['steps']:
                self.assertLessEqual(set(step), GITHUB_STEP)
                self.assertEqual(('run' in step) + ('uses' in step), 1)
                self.assertNotIn('${{', step.get('run', ''), 'a value inserted into a script is a way in')

    def test_gitlab(self):
        for pipeline in self.each('gitlab'):
            self.assertLessEqual(set(pipeline.job), GITLAB_JOB)
            self.assertEqual(pipeline.job['resource_group'], 'rig')
            self.assertEqual(pipeline.job['artifacts']['when'], 'always')

    def test_jenkins(self):
        for pipeline in self.each('jenkins'):
            bare = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", '', pipeline.text)
            self.assertNotRegex(bare, r'[\'"]', 'a quote is open')
            depth = 0
            for bracket in re.findall(r'[{}]', bare):
                depth += 1 if bracket == '{' else -1
                self.assertGreaterEqual(depth, 0)
            self.assertEqual(depth, 0)
            sections = re.findall(r'(?m)^  (\w+) \{', pipeline.text)
            self.assertEqual(len(sections), len(set(sections)), 'a section is there twice')
            self.assertLessEqual(set(sections), {'agent', 'triggers', 'parameters', 'options', 'environment', 'stages',
                                                 'post'})
            self.assertLessEqual({'agent', 'stages', 'post'}, set(sections))
            self.assertIn("lock(resource: 'rig')", pipeline.text)
            self.assertIn('disableConcurrentBuilds()', pipeline.text)
            self.assertEqual(len(pipeline.stages), pipeline.text.count('stage('))
            # Jenkins keeps the workspace: all of out/ would be the results of every build before, once more in each.
            self.assertIn('RIGPROOF_ARCHIVE = "out/archive-${env.BUILD_NUMBER}"', pipeline.text)
            self.assertEqual(re.findall(r'archiveArtifacts artifacts: (".*?")', pipeline.text),
                             ['"${env.RIGPROOF_OUT}/**, ${env.RIGPROOF_ARCHIVE}/**"'])

    def test_kubernetes(self):
        job = pipelines.load(pipelines.FOLDER / 'kubernetes/mpijob.yml')
        self.assertEqual((job['apiVersion'], job['kind']), ('kubeflow.org/v2beta1', 'MPIJob'))
        self.assertLessEqual(set(job['spec']), {'slotsPerWorker', 'runPolicy', 'mpiReplicaSpecs'})
        self.assertEqual(set(job['spec']['mpiReplicaSpecs']), {'Launcher', 'Worker'})
        for replicas in job['spec']['mpiReplicaSpecs'].values():
            pod = replicas['template']['spec']
            volumes = {volume['name'] for volume in pod['volumes']}
            (container,) = pod['containers']
            self.assertEqual({mount['name'] for mount in container['volumeMounts']}, volumes)
        # The launcher has the job's name, too: a rule against it leaves no node of a two-node cluster for it.
        (apart,) = pod['affinity']['podAntiAffinity']['requiredDuringSchedulingIgnoredDuringExecution']
        self.assertEqual(apart['labelSelector']['matchLabels'],
                         {'training.kubeflow.org/job-name': job['metadata']['name'],
                          'training.kubeflow.org/job-role': 'worker'})

    def test_what_others_make_is_named_so_that_it_stays_the_same(self):
        used = 0
        for path in sorted(pipelines.FOLDER.glob('*/*')):
            for line in path.read_text().splitlines():
                if action := re.search(r'^\s*(?:- )?uses: (.*)', line):
                    used += 1
                    self.assertRegex(action.group(1), r'^[\w./-]+@[0-9a-f]{40} # v\d', f'{path}: a tag can be moved')
                if image := re.search(r'^\s*(?:- )?image: (.*)', line):
                    used += 1
                    self.assertRegex(image.group(1), r'(:\d+\.\d+|@sha256:[0-9a-f]{64})', f'{path}: which version?')
        self.assertGreater(used, 5)

    def test_slurm_resumes_what_it_requeues(self):
        script = pipelines.FOLDER / 'slurm/qualify.sbatch'
        with tempfile.TemporaryDirectory() as folder:
            rigproof = pathlib.Path(folder, 'rigproof')
            rigproof.write_text('#!/bin/sh\necho "$*"\n')
            rigproof.chmod(0o755)
            environment = {'PATH': f'{folder}:/usr/bin:/bin', 'SLURM_JOB_ID': '7', 'RIGPROOF_RIG': 'r', 'RIGPROOF_THRESHOLDS': 't'}

            def said():
                return subprocess.run(['bash', script, '--profile', 'smoke'], cwd=folder, env=environment, check=True,
                                      capture_output=True, text=True).stdout.strip()

            self.assertEqual(said(), 'run --rig r --thresholds t --out out/slurm-7 --profile smoke')
            pathlib.Path(folder, 'out/slurm-7').mkdir(parents=True)
            self.assertEqual(said(), 'run --rig r --thresholds t --out out/slurm-7 --profile smoke')
            pathlib.Path(folder, 'out/slurm-7/journal.jsonl').touch()
            self.assertEqual(said(), 'run --resume out/slurm-7')

    def test_linters_find_nothing(self):
        linters = {'github': [['actionlint', '-ignore', 'label "rig" is unknown'], ['action-validator'],
                              ['check-jsonschema', '--builtin-schema', 'vendor.github-workflows']],
                   'gitlab': [['check-jsonschema', '--builtin-schema', 'vendor.gitlab-ci']],
                   'jenkins': []}
        for pipeline in self.each():
            for linter in linters[pipeline.path.parent.name]:
                if shutil.which(linter[0]):
                    found = subprocess.run([*linter, pipeline.path], capture_output=True, text=True)
                    self.assertEqual(found.returncode, 0, found.stdout + found.stderr)


if __name__ == '__main__':
    unittest.main()
