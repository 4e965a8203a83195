#!/usr/bin/env python3
"""A stand-in for a MikroTik switch: an HTTPS server on 127.0.0.1 that answers a few questions of RouterOS 7's REST API
as its documentation says (all values are texts). It switches nothing, and no report of it is a rig's.

  routeros.py FOLDER [--fault NAME] [--mac MAC=PORT]... [--rate 200Gbps]    writes FOLDER/ca.pem, serves, prints its port; ends with its standard input

Faults: defaults (a port as it comes from the factory), slow (a link that has less), link-down, other-port (a MAC behind another port), aged (a table
that is empty when it is asked first), unheard (a MAC in no table), errors (a port that counts one more each time),
one-block (that counts one damage, as a codeword and as a frame), trained (that counts broken frames,
fewer than the codewords that it could not correct while the link trained), drops (whose queue was full), hang, nonsense, empty, not-json-text, nested (deeper than any document), wrong-type."""

import argparse
import base64
import http.server
import itertools
import json
import pathlib
import ssl
import subprocess
import sys
import threading
import time

LOGIN = 'rigproof:secret-of-the-stand-in'
MACS = {}  # of --mac
RATE = ['200Gbps']
ERRORS = itertools.count()
TABLES = itertools.count()
PORTS = ['qsfp56-dd-1-1', 'qsfp56-dd-1-5', 'qsfp56-dd-2-1', 'qsfp56-dd-2-5']


def ethernet(fault):
    ports = []
    for number, name in enumerate(PORTS):
        port = {'.id': f'*{number + 1}', 'name': name, 'default-name': name, 'mac-address': f'D4:01:C3:00:00:0{number}',
                'auto-negotiation': 'false', 'speed': '200G-baseCR4', 'fec-mode': 'fec91', 'l2mtu': '9216', 'mtu': '9000',
                'tx-flow-control': 'off', 'rx-flow-control': 'off', 'disabled': 'false', 'running': 'true',
                'rx-fcs-error': '0', 'rx-error-events': '0', 'rx-pause': '12', 'tx-pause': '0', 'tx-drop': '0', 'tx-packet': '0',
                'rs-fec-codewords': str(107777257915634 + number), 'rs-fec-corrected': str(33 * number),
                'rs-fec-uncorrected': '0', 'driver-rx-byte': str(178176480 + number)}
        if fault == 'cages':
            port['advertise'] = '100G-baseCR4' if number == 2 else '200G-baseCR4'
        if fault == 'defaults' and number == 2:
            port |= {'auto-negotiation': 'true', 'fec-mode': 'auto', 'l2mtu': '1584', 'mtu': '1500'}
            for absent in ('speed', 'rs-fec-codewords', 'rs-fec-corrected', 'rs-fec-uncorrected'):
                del port[absent]
        if fault == 'errors' and number == 0:
            port |= {'rx-fcs-error': str(next(ERRORS)), 'tx-pause': str(next(ERRORS))}
        if fault == 'one-block' and number == 0 and next(ERRORS) > 0:
            port |= {'rx-fcs-error': '1', 'rs-fec-uncorrected': '1', 'rx-error-events': '1'}
        if fault == 'trained' and number == 0:
            port |= {'rs-fec-uncorrected': '1200', 'rx-fcs-error': str(next(ERRORS))}
        if fault == 'drops' and number == 0:
            port['tx-drop'] = str(next(ERRORS))
        if fault == 'flow-control' and number == 2:
            port['tx-flow-control'] = 'on'
        if fault == 'no-counters' and number == 0:
            del port['rx-fcs-error'], port['rx-error-events'], port['tx-drop'], port['rs-fec-uncorrected']
        if fault == 'endless-mtu':
            port['l2mtu'] = 'inf'
        if fault == 'wrong-type' and number == 0:
            port |= {'l2mtu': None, 'mtu': ['9000']}
        ports.append(port)
    return ports


def rate(fault, name):
    return {'slow': '10Mbps', 'odd-rate': '200GBASE-CR4'}.get(fault, RATE[0]) if name == PORTS[0] else RATE[0]


def monitor(fault, question):
    name = question.get('numbers')
    down = fault == 'link-down' and name == PORTS[0]
    return [{'name': name, 'status': 'no-link' if down else 'link-ok', 'rate': '' if down else rate(fault, name),
             'full-duplex': 'true', 'auto-negotiation': 'disabled'} | ({} if down else {'fec': 'fec91'})]


def hosts(fault):
    macs = dict(MACS or {f'4C:BB:47:83:75:{last}': PORTS[port] for last, port in (('FD', 0), ('01', 0), ('FE', 2), ('02', 2))})
    if fault == 'other-port':
        macs[next(iter(macs))] = PORTS[3]
    if fault == 'unheard':
        del macs[next(iter(macs))]
    if fault == 'aged' and next(TABLES) == 0:
        macs = {}
    return [{'mac-address': mac, 'on-interface': port, 'bridge': 'bridge', 'local': 'false'} for mac, port in macs.items()]


RESOURCE = {'platform': 'MikroTik', 'board-name': 'CRS804-4DDQ', 'version': '7.22 (stable)', 'architecture-name': 'arm64'}
BOARD = {'routerboard': 'true', 'model': 'CRS804-4DDQ', 'serial-number': 'STAND-IN-1', 'current-firmware': '7.22',
         'upgrade-firmware': '7.22'}


class Handler(http.server.BaseHTTPRequestHandler):
    fault = ''

    def answer(self, code, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def serve(self, question):
        wanted = 'Basic ' + base64.b64encode(LOGIN.encode()).decode()
        if self.headers.get('Authorization') != wanted:
            return self.answer(401, {'error': 401, 'message': 'Unauthorized'})
        if self.fault == 'hang':
            time.sleep(60)
        nonsense = {'nonsense': b'\xff\xfe<html>', 'empty': b'', 'not-json-text': b'[1, "x"]',
                    'nested': b'[{"name": ' + b'[' * 1_000_000 + b']' * 1_000_000 + b'}]'}
        if self.fault in nonsense:
            return self.answer(200, nonsense[self.fault])
        table = {'/rest/interface/ethernet': lambda: ethernet(self.fault),
                 '/rest/interface/ethernet/monitor': lambda: monitor(self.fault, question),
                 '/rest/interface/bridge/host': lambda: hosts(self.fault),
                 '/rest/system/resource': lambda: RESOURCE, '/rest/system/routerboard': lambda: BOARD}
        if self.path not in table:
            return self.answer(404, {'error': 404, 'message': 'Not Found'})
        return self.answer(200, table[self.path]())

    def do_GET(self):
        self.serve({})

    def do_POST(self):
        self.serve(json.loads(self.rfile.read(int(self.headers.get('Content-Length', 0))) or b'{}'))

    def log_message(self, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--fault', default='')
    parser.add_argument('--mac', action='append', default=[], metavar='MAC=PORT', help='an entry of the forwarding table; may be given several times')
    parser.add_argument('--rate', default=RATE[0], help='rate of its links')
    arguments = parser.parse_args()
    RATE[0] = arguments.rate
    key, certificate = arguments.folder / 'key.pem', arguments.folder / 'ca.pem'
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2',
                    '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'], check=True, capture_output=True)
    Handler.fault = arguments.fault
    MACS.update(mac.split('=') for mac in arguments.mac)
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()


if __name__ == '__main__':
    main()
