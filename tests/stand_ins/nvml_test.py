#!/usr/bin/env python3
"""`rigproof facts` reads a GPU by a stand-in for NVML as what it is. How such facts are judged: tests/broken_rigs/facts.

  nvml_test.py RIGPROOF FOLDER_OF_THE_STAND_IN"""

import json
import os
import subprocess
import sys
import unittest

RIGPROOF, STAND_INS = sys.argv[1:3]
SOUND = {'name': 'stand-in GPU', 'uuid': 'GPU-stand-in', 'compute_capability': '12.1', 'temperature_c': 41, 'power_w': 4.5,
         'graphics_clock_mhz': 2400, 'max_graphics_clock_mhz': 3003, 'performance_state': 0, 'throttle_reasons': []}


def read(fault):
    environment = os.environ | {'LD_LIBRARY_PATH': STAND_INS, 'STAND_IN_FAULT': fault}
    told = subprocess.run([RIGPROOF, 'facts'], stdout=subprocess.PIPE, text=True, check=True, env=environment, timeout=60)
    document = json.loads(told.stdout)
    return document['facts'], document['unread']


class Nvml(unittest.TestCase):
    def expect_gpu(self, fault, wanted):
        gpu = read(fault)[0]['gpus']['0']
        self.assertEqual({key: gpu.get(key) for key in wanted}, wanted)

    def test_a_sound_gpu(self):
        self.expect_gpu('', SOUND)

    def test_one_that_is_held_back(self):
        self.expect_gpu('throttled', SOUND | {'throttle_reasons': ['hardware thermal slowdown'], 'temperature_c': 94,
                                              'graphics_clock_mhz': 513})

    def test_one_that_counts_the_mistakes_of_its_memory(self):
        os.environ['STAND_IN_ECC'] = '1'
        self.addCleanup(os.environ.pop, 'STAND_IN_ECC')
        self.expect_gpu('', SOUND | {'corrected_ecc_errors': 0, 'uncorrected_ecc_errors': 0})
        self.expect_gpu('ecc', SOUND | {'corrected_ecc_errors': 17, 'uncorrected_ecc_errors': 3})

    def test_what_it_does_not_tell_is_unread_for_a_reason(self):
        facts, unread = read('')
        self.assertNotIn('uncorrected_ecc_errors', facts['gpus']['0'])
        for path in ('gpus/0/uncorrected_ecc_errors', 'gpus/0/corrected_ecc_errors', 'gpus/0/serial'):
            self.assertIn('Not Supported', unread[path])

    def test_one_that_wants_a_reset(self):
        facts, unread = read('wedged')
        for name in ('throttle_reasons', 'power_w', 'graphics_clock_mhz'):
            self.assertNotIn(name, facts['gpus']['0'])
            self.assertIn('GPU requires reset', unread[f'gpus/0/{name}'])

    def test_the_driver(self):
        self.assertEqual(read('')[0]['nvidia']['driver'], '580.95.05')
        self.assertEqual(read('driver')[0]['nvidia']['driver'], '570.00.01')

    def test_no_gpu(self):
        facts, unread = read('no_gpu')
        self.assertNotIn('gpus', facts)
        self.assertIn('Not Found', unread['gpus'])


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
