#!/usr/bin/env python3
"""Traffic between the nodes of a model rig, for faults and for proving them.

  traffic.py flood SOURCE DESTINATION MBIT [SECONDS]   sends from one address to another; for ever without SECONDS
  traffic.py rate FROM TO RAIL...                      Mbit/s that arrive when node FROM floods node TO by these rails
  traffic.py carried NAMESPACE NETDEV                  Mbit/s that a netdev carries, both directions added up
  traffic.py hold NETDEV OTHER FILE                    on a node: NETDEV sends 200 Mbit/s at most while OTHER sends next to
                                                       nothing; makes FILE when it came to that
  traffic.py meet NETDEV RATE FILE OTHER...            on a switch: NETDEV sends 200 Mbit/s at most, else RATE, while all the OTHERs
                                                       receive; makes FILE when it came to that
"""

import json
import pathlib
import socket
import subprocess
import sys
import time

PORT = 9  # discard
PAYLOAD = bytes(7 * 8976 - 8)  # seven fragments of 8976 B: little work for a busy machine
SOCKETS = 32  # one's buffer holds too little for the queue of a shaper that others keep full
WINDOW = 0.5


def flood(source, destination, megabits, seconds=float('inf')):
    """What the path does not take is dropped there."""
    senders = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(SOCKETS)]
    for sender in senders:
        sender.bind((source, 0))
    begin, sent = time.monotonic(), 0
    while (elapsed := time.monotonic() - begin) < seconds:
        while sent * len(PAYLOAD) * 8 < elapsed * megabits * 1e6:
            try:
                senders[sent % SOCKETS].sendto(PAYLOAD, socket.MSG_DONTWAIT, (destination, PORT))
            except OSError:
                pass  # a full queue, or a path that is down: the fault, not ours
            sent += 1
        time.sleep(0.001)


def shown(namespace, *words):
    return json.loads(subprocess.run(['ip', '-n', namespace, '-s', '-j', *words], check=True,
                                     stdout=subprocess.PIPE).stdout)


def octets(namespace, netdev):
    statistics = shown(namespace, 'link', 'show', netdev)[0]['stats64']
    return {way: statistics[way]['bytes'] for way in ('rx', 'tx')}


def address(node, rail):
    return f'198.18.{rail}.{ord(node[-1]) - ord("a") + 1}'


def flooding(sender, receiver, rail):
    return subprocess.Popen(['ip', 'netns', 'exec', sender, sys.executable, __file__, 'flood', address(sender, rail),
                             address(receiver, rail), '1300', str(4 * WINDOW)])


def rate(sender, receiver, *rails):
    netdevs = [shown(receiver, 'addr', 'show', 'to', address(receiver, rail))[0]['ifname'] for rail in rails]
    floods = [flooding(sender, receiver, rail) for rail in rails]
    time.sleep(2 * WINDOW)  # until both send
    before = [octets(receiver, netdev)['rx'] for netdev in netdevs]
    time.sleep(WINDOW)
    after = [octets(receiver, netdev)['rx'] for netdev in netdevs]
    for each in floods:
        each.wait()
    return (sum(after) - sum(before)) * 8 / 1e6 / WINDOW


def carried(namespace, netdev):
    before = sum(octets(namespace, netdev).values())
    time.sleep(WINDOW)
    return (sum(octets(namespace, netdev).values()) - before) * 8 / 1e6 / WINDOW


def shape(netdev, rate):
    subprocess.run(['tc', 'qdisc', 'replace', 'dev', netdev, 'root', 'tbf', 'rate', rate, 'burst', '256kb', 'latency', '20ms'],
                   check=True)


def hold_while(netdev, rate, file, counter, watched, holds):
    """Shapes a netdev while `holds` says so of which of the watched netdevs count more than acknowledgements."""
    counters = [pathlib.Path(f'/sys/class/net/{name}/statistics/{counter}') for name in watched]
    look, idle = 0.04, 2e6  # s; B/s: acknowledgements
    last, held = None, False
    while True:
        now = time.monotonic(), *(int(one.read_text()) for one in counters)
        if last:
            busy = [(now[place] - last[place]) / (now[0] - last[0]) > idle for place in range(1, len(now))]
            if held != holds(busy):
                held = not held
                shape(netdev, '200mbit' if held else rate)
                pathlib.Path(file).touch()
        last = now
        time.sleep(look)


def hold(netdev, other, file):
    hold_while(netdev, '1gbit', file, 'tx_bytes', (netdev, other), lambda busy: busy[0] and not busy[1])


def meet(netdev, rate, file, *others):
    hold_while(netdev, rate, file, 'rx_bytes', others, all)


def main(action, *words):
    if action == 'flood':
        flood(words[0], words[1], *map(float, words[2:]))
    elif action == 'rate':
        print(round(rate(*words)))
    elif action == 'carried':
        print(round(carried(*words)))
    elif action == 'hold':
        hold(*words)
    elif action == 'meet':
        meet(*words)
    else:
        sys.exit(__doc__)


if __name__ == '__main__':
    main(*sys.argv[1:] or ['help'])
