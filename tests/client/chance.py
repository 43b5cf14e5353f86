# SPDX-License-Identifier: MIT
"""Numbers by chance that are the same everywhere for the same seed."""

ALL = 2**64 - 1


class Random:
    """splitmix64."""

    def __init__(self, seed):
        self.seed = seed

    def next(self):
        self.seed = self.seed + 0x9E3779B97F4A7C15 & ALL
        z = self.seed
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ALL
        z = (z ^ z >> 27) * 0x94D049BB133111EB & ALL
        return z ^ z >> 31

    def one_in(self, n):
        return self.next() % n == 0
