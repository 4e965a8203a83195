# What faults change on a node and their `undo` must bring back, without what changes by itself (indices, handles).
{
  ip -o link
  ip -o -4 addr
  ip -4 route show table all
  ip neigh show nud permanent
  tc qdisc
  grep -H . /proc/sys/net/ipv4/conf/*/arp_ignore /proc/sys/net/ipv4/conf/*/arp_announce /proc/sys/net/ipv4/conf/*/rp_filter
  ls /sys/class/infiniband 2>/dev/null
} | sed -E 's/^[0-9]+: //; s/state UNKNOWN/state UP/; s/@[^:]*:/:/; s/(qdisc [a-z_]+) [0-9a-f]+:/\1/' | sort
