"""Makes of a model rig one as owners have it, its file and where needed its addresses:
   owners_rig.py one_cable|one_half|storage|uncounted|routers|spines|mixed|no_management|other_management|one_subnet|link_local FILE [routed]
one_half: each port is one netdev, as on most hosts. storage: each port1 is for storage. uncounted: no port has counters, as with virtual functions. routers: node-b is behind a router, in subnets of its own. spines: the same, behind a second router to which two others lead by equal routes. other_management: node-b's management netdev has another name. mixed: node-c and node-d have one port, node-d no management netdev. one_subnet: a subnet for each port, for both its halves.
link_local: one for all, 169.254.0.0/16. Both have the settings of ARP that Ubuntu has, and no routes but those of the addresses;
ARP has told of each second half the MAC of the first, which answers for it. routed: the model rig's settings, and a route of its own to each half's far end, without which all that is bound to no device
leaves by the first half."""

import pathlib
import re
import subprocess
import sys

what, path, routed = sys.argv[1], pathlib.Path(sys.argv[2]), 'routed' in sys.argv[3:]
ARP = {'arp_ignore': 0, 'arp_announce': 0, 'rp_filter': 2}


def owned(text):
    blocks, skipped = [], False
    for block in re.split(r'\n(?=\[\[)', text):
        table = block.partition('\n')[0]
        if what == 'no_management':
            block = re.sub(r'^management = .*\n', '', block, flags=re.MULTILINE)
        elif what == 'storage':
            block = block.replace('name = "port1"\n', 'name = "port1"\nuse = "storage"\n')
        elif what == 'uncounted':
            block = re.sub(r'^counters = .*\n', '', block, flags=re.MULTILINE)
        elif what == 'one_half':
            block = '' if re.search(r'"(\S+:)?enP2', block) else block.replace('rate = "2 Gbit/s"', 'rate = "1 Gbit/s"')
        elif table != '[[node.port.half]]':  # a half goes with its port
            skipped = table == '[[node.port]]' and 'name = "port1"' in block
        gone = skipped or (table == '[[link]]' and 'port1' in block) or (table == '[[rail]]' and 'f1np1' in block)
        if what != 'one_cable' or not gone:
            blocks.append(block)
    return '\n'.join(blocks)


def mixed(text):
    blocks, node, skipped = [], '', False
    for block in re.split(r'\n(?=\[\[)', text):
        table = block.strip().partition('\n')[0]
        if table == '[[node]]':
            node = re.search(r'name = "(.*)"', block)[1]
            if node == 'node-d':
                block = re.sub(r'^management = .*\n', '', block, flags=re.MULTILINE)
        if table != '[[node.port.half]]':
            skipped = table == '[[node.port]]' and 'name = "port1"' in block and node in ('node-c', 'node-d')
        if table == '[[link]]':
            block = re.sub(r', "node-[cd]:port1"', '', block)
        if table == '[[rail]]':
            block = re.sub(r', "node-[cd]:\w+f1np1"', '', block)
        if not skipped:
            blocks.append(block)
    return '\n'.join(blocks)


def address(rail, host):
    return f'169.254.77.{10 * rail + host}/16' if what == 'link_local' else f'192.168.{100 + rail // 2}.{10 * (rail % 2) + host}/24'


def set_arp(node, netdev):
    script = '\n'.join(f'echo {value} >/proc/sys/net/ipv4/conf/{scope}/{name}'
                       for name, value in ARP.items() for scope in ('all', 'default', netdev))
    subprocess.run([*([] if node == 'node-a' else ['ip', 'netns', 'exec', node]), 'sh', '-c', script], check=True)


def readdressed(text):
    """198.18.RAIL.HOST/24 becomes an address of the port's subnet, or a link-local one, in the node, too."""
    lines, node, netdev = [], '', ''
    hosts = {}
    macs = {(int(rail) - 1, int(host)): mac for rail, host, mac in re.findall(r'198\.18\.(\d+)\.(\d+)/24"\nmac = "(.*)"', text)}
    for rail, host in re.findall(r'address = "198\.18\.(\d+)\.(\d+)/24"', text):
        hosts.setdefault(int(rail) - 1, []).append(int(host))
    for line in text.splitlines():
        if found := re.match(r'\s*name = "(node-.)"', line):
            node = found[1]
        elif found := re.match(r'\s*netdev = "(.*)"', line):
            netdev = found[1]
        elif found := re.match(r'\s*address = "198\.18\.(\d+)\.(\d+)/24"', line):
            rail, host = int(found[1]) - 1, int(found[2])
            own, far = address(rail, host), address(rail, sum(hosts[rail]) - host)  # two hosts a rail
            inside = ['ip'] if node == 'node-a' else ['ip', '-n', node]
            commands = [['address', 'flush', 'dev', netdev], ['address', 'add', own, 'dev', netdev]]
            if routed:
                commands.append(['route', 'replace', far.partition('/')[0] + '/32', 'dev', netdev, 'src', own.partition('/')[0]])
            else:
                set_arp(node, netdev)
                far_host = sum(hosts[rail]) - host
                commands.append(['neigh', 'replace', far.partition('/')[0], 'lladdr', macs[rail & ~1, far_host], 'dev', netdev,
                                 'nud', 'reachable'])
            for command in commands:
                subprocess.run([*inside, *command], check=True)
            line = f'address = "{own}"'
        lines.append(line)
    return '\n'.join(lines) + '\n'


def between_spines(leaf):
    """The fabric and the router `leaf` reach each other by two others, which the packet's ports choose."""
    commands = []
    for spine in ('spine-1', 'spine-2'):
        number = spine[-1]
        commands.append(['ip', 'netns', 'add', spine])
        for side, router in ((1, 'fabric'), (2, leaf)):
            commands += [['ip', '-n', router, 'link', 'add', f'to-{spine}', 'mtu', '9216', 'type', 'veth', 'peer', 'name', f'to-{router}',
                          'netns', spine, 'mtu', '9216']]
            for name, device, host in ((router, f'to-{spine}', 1), (spine, f'to-{router}', 2)):
                commands += [['ip', '-n', name, 'address', 'add', f'198.51.100.{16 * int(number) + 4 * side + host}/30', 'dev', device],
                             ['ip', '-n', name, 'link', 'set', device, 'up']]
            commands.append(['ip', '-n', spine, 'route', 'add', f'198.1{7 + side}.0.0/16',
                             'via', f'198.51.100.{16 * int(number) + 4 * side + 1}'])
    for side, router, far in ((1, 'fabric', '198.19.0.0/16'), (2, leaf, '198.18.0.0/16')):
        ways = [word for number in (1, 2) for word in ('nexthop', 'via', f'198.51.100.{16 * number + 4 * side + 2}')]
        commands.append(['ip', '-n', router, 'route', 'add', far, *ways])
    for name in ('fabric', leaf, 'spine-1', 'spine-2'):
        commands.append(['ip', 'netns', 'exec', name, 'sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.fib_multipath_hash_policy=1',
                         'net.ipv4.conf.all.rp_filter=0', 'net.ipv4.conf.default.rp_filter=0', 'net.ipv4.icmp_ratelimit=0'])
    return commands


def behind_a_router(text):
    """198.18.RAIL.2 of node-b becomes 198.19.RAIL.2, or the same with fd93:198:18:RAIL::2; the fabric routes between its bridges, or to those of the router "leaf"."""
    ip = ['ip', '-n', 'fabric']
    leaf = 'leaf' if what == 'spines' else 'fabric'
    commands = [['ip', 'netns', 'add', leaf], *between_spines(leaf)] if what == 'spines' else []
    ipv6 = 'fd93:' in text
    bits, family, nodad = (64, ['-6'], ['nodad']) if ipv6 else (24, ['-4'], [])
    for port in (0, 1):
        bridge = f'rt-port{port}'
        if what == 'spines':
            commands.append([*ip, 'link', 'set', f'sw-b-port{port}', 'netns', leaf])
        commands += [['ip', '-n', leaf, 'link', 'add', bridge, 'mtu', '9216', 'type', 'bridge', 'stp_state', '0', 'mcast_snooping', '0'],
                     ['ip', '-n', leaf, 'link', 'set', bridge, 'up'],
                     ['ip', '-n', leaf, 'link', 'set', f'sw-b-port{port}', 'master', bridge, 'up']]
        for half, name in enumerate((f'enp1s0f{port}np{port}', f'enP2p1s0f{port}np{port}')):
            rail = 2 * port + half + 1
            sides = [f'fd93:198:{side}:{rail}::' if ipv6 else f'198.{side}.{rail}.' for side in (18, 19)]
            for node, own, far, router, device in (('node-a', *sides, 'fabric', f'sw-port{port}'),
                                                   ('node-b', *reversed(sides), leaf, bridge)):
                inside = ['ip'] if node == 'node-a' else ['ip', '-n', node]
                gateway = 'fe80::fe' if ipv6 else f'{own}254'  # as routers announce themselves by IPv6
                if ipv6:
                    commands += [['ip', 'netns', 'exec', router, 'sysctl', '-qw', f'net.ipv6.conf.{device}.disable_ipv6=0'],
                                 ['ip', '-n', router, 'address', 'replace', 'fe80::fe/64', 'dev', device, 'nodad']]
                commands.append(['ip', '-n', router, 'address', 'add', f'{own}254/{bits}', 'dev', device, *nodad])
                if node == 'node-b':
                    commands += [[*inside, *family, 'address', 'flush', 'dev', name, 'scope', 'global'],
                                 [*inside, 'address', 'add', f'{own}2/{bits}', 'dev', name, *nodad]]
                commands.append([*inside, 'route', 'add', f'{far}{"" if ipv6 else "0"}/{bits}', 'via', gateway, 'dev', name])
                if what == 'spines':  # else the node drops what the routers tell it
                    commands.append([*inside, 'route', 'append', '198.51.100.0/24', 'via', gateway, 'dev', name])
    commands.append(['ip', 'netns', 'exec', 'fabric', 'sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'])
    for command in commands:
        subprocess.run(command, check=True)
    text = re.sub(r'"198\.18\.([1-4])\.2/24"', r'"198.19.\1.2/24"', text)
    text = re.sub(r'"fd93:198:18:([1-4])::2/64"', r'"fd93:198:19:\1::2/64"', text)
    return re.sub(r'(\[\[rail\]\]\nname = .*\n)', r'\1routed = true\n', text)


text = path.read_text()
if what == 'mixed':
    path.write_text(mixed(text))
elif what in ('routers', 'spines'):
    path.write_text(behind_a_router(text))
elif what == 'other_management':
    path.write_text(re.sub(r'(name = "node-b"\n.*\nmanagement = )"mgmt0"', r'\1"wlan0"', text))
    for netdev, *words in (['mgmt0', 'down'], ['mgmt0', 'name', 'wlan0'], ['wlan0', 'up']):
        subprocess.run(['ip', '-n', 'node-b', 'link', 'set', netdev, *words], check=True)
else:
    path.write_text(readdressed(text) if what in ('one_subnet', 'link_local') else owned(text))
