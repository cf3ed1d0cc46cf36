"""Rate limits: token buckets for a socket, an address or a network."""

import ipaddress
from collections import OrderedDict
from collections.abc import Hashable
from functools import lru_cache


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """The key for rate limits: an IPv4 address, or the first 64 bits of an IPv6 address, because one client has all of
    these."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    return str(known.ipv4_mapped or ipaddress.ip_network((int(known) >> 64 << 64, 64)))


class Bucket:
    """A token bucket: holds up to `size` tokens and gains `rate` per second; every action takes one."""

    __slots__ = ("_drops", "_rate", "_size", "_then")

    def __init__(self, size: float, rate: float, now: float) -> None:
        self._size = self._drops = size
        self._rate = rate
        self._then = now

    def take(self, now: float, drops: float = 1) -> bool:
        """Take a token; False if there is none."""
        self._drops = min(self._size, self._drops + (now - self._then) * self._rate)
        self._then = now
        if self._drops < drops:
            return False
        self._drops -= drops
        return True


class Buckets:
    """A token bucket per address; those unused for longest are forgotten first."""

    def __init__(self, size: float, rate: float, most: int = 20_000) -> None:
        self._size, self._rate, self._most = size, rate, most
        self._buckets: OrderedDict[Hashable, Bucket] = OrderedDict()

    def take(self, key: Hashable, now: float, drops: float = 1) -> bool:
        """Take a token of this address; False if there is none."""
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._size, self._rate, now)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket.take(now, drops)


class Tally:
    """Counts something per address and in all, with limits."""

    def __init__(self, each: int, all_: int) -> None:
        self._each, self._all = each, all_
        self._counts: dict[Hashable, int] = {}
        self.total = 0

    def add(self, key: Hashable) -> bool:
        """Add one; False if the limit is reached."""
        count = self._counts.get(key, 0)
        if count >= self._each or self.total >= self._all:
            return False
        self._counts[key] = count + 1
        self.total += 1
        return True

    def remove(self, key: Hashable) -> None:
        """Remove one."""
        self.total -= 1
        if self._counts[key] == 1:
            del self._counts[key]
        else:
            self._counts[key] -= 1
