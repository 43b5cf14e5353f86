# SPDX-License-Identifier: MIT
"""What end-to-end tests try where a share is tried: in commits one after the other each test has its turn, and each form of its cases.

Usage: check-shares.py SUPPORT
"""

import importlib.util
import itertools
import math
import os
import sys
import unittest
from unittest import mock

SUPPORT = sys.argv.pop(1)
FORMS = ("-O0", "-O2")
CASES = range(3)


class Pair(unittest.TestCase):
    """Two tests, of which nobody runs one here."""

    def test_first(self):
        pass

    def test_second(self):
        pass


class Shares(unittest.TestCase):
    def support(self, share, turn):
        """The module as the tests of one commit have it."""
        with mock.patch.dict(os.environ, {"WAVETAPE_SHARE": str(share), "WAVETAPE_TURN": str(turn)}):
            spec = importlib.util.spec_from_file_location("support", SUPPORT)
            support = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(support)
        return support

    def tried(self, share, turn):
        """By the tests of one commit: each with a case and a form."""
        support = self.support(share, turn)
        tests = support.Turns().getTestCaseNames(Pair)
        return [(test, case, form) for test in tests for case in CASES for form in support.by_turn(case, FORMS)]

    def check(self, share, commits, whole):
        """So many commits try all there is, each once; `whole`: what one commit tries."""
        tried = [self.tried(share, turn) for turn in range(7, 7 + commits)]
        self.assertEqual({len(each) for each in tried}, {whole})
        self.assertEqual(sorted(itertools.chain(*tried)), sorted(itertools.product(("test_first", "test_second"), CASES, FORMS)))

    def test_all(self):
        self.check(1, 1, 12)

    def test_share(self):
        self.check(4, 2, 6)

    def test_share_of_sanitizers(self):
        """Half of the tests, each with one form of each case."""
        self.check(12, 4, 3)

    def check_rows(self, share, length, forms, at_once):
        """Of a row of so many cases each comes in every form; so many commits have the same turn of a test."""
        step = min(share, length)
        support, found = self.support(share, 0), set()
        for support.TURN in range(7, 7 + at_once * step * math.lcm(step, len(forms))):
            support.turns = itertools.count()
            tried = support.share(range(length))
            self.assertIn(len(tried), (length // step, -(-length // step)))
            found |= {(case, form) for case in tried for form in support.by_turn(case, forms)}
        self.assertEqual(found, set(itertools.product(range(length), forms)), (share, length))

    def test_parts(self):
        """A program whose tests are dear has one of each class in so many commits, a name that is given always."""
        class Six(Pair):
            test_third = test_fourth = test_fifth = test_sixth = Pair.test_first
        loaded = []
        for turn in range(5, 8):
            support = self.support(4, turn)
            with mock.patch.object(support, "shutil"), mock.patch.object(support.unittest, "main") as started:
                with mock.patch("sys.argv", ["a", "--source", ".", "--build", "."]):
                    support.main("", parts=3)
                loader = started.call_args.kwargs["testLoader"]
                loaded.append(loader.getTestCaseNames(Six))
                self.assertEqual(support.form_turn(), turn // 3)
        self.assertEqual([len(names) for names in loaded], [2, 2, 2])
        self.assertEqual(sorted(sum(loaded, [])), sorted(unittest.TestLoader().getTestCaseNames(Six)))
        self.assertEqual(loader.loadTestsFromName("Six.test_fifth", mock.Mock(Six=Six)).countTestCases(), 1)

    def test_classes(self):
        """Those of one test each have turns, too: they are counted through all classes."""
        class One(unittest.TestCase):
            def test_only(self):
                pass
        counts = []
        for turn in range(2):
            loader = self.support(12, turn).Turns()
            counts.append(sum(len(loader.getTestCaseNames(case)) for case in (One, One, Pair)))
        self.assertEqual(counts, [2, 2])

    def test_rows(self):
        for length in (1, 2, 3, 4, 5, 9):
            self.check_rows(4, length, FORMS, 1)
            if length >= 4:
                self.check_rows(4, length, (*FORMS, "-O1", "-O3"), 1)
        for length in (2, 3, 12, 13):
            self.check_rows(12, length, FORMS, 2)


if __name__ == "__main__":
    unittest.main(defaultTest="Shares")
