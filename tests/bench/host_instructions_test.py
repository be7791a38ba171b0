#!/usr/bin/env python3
"""Whether host_instructions.py sees a figure that has grown by more than its margin."""
import contextlib
import io
import unittest

import host_instructions


def compared(found, recorded):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        return host_instructions.compare(found, recorded), printed.getvalue()


class Compare(unittest.TestCase):
    def test_what_grew_by_more_than_the_margin_is_named(self):
        bad, printed = compared({"timing lisp": 1031.0, "timing btree": 900.0}, {"timing lisp": 1000.0, "timing btree": 900.0})
        self.assertEqual(bad, ["timing lisp"])
        self.assertIn("timing lisp: 1031.0 host instructions for each simulated one, recorded 1000.0, +3.1 %", printed)

    def test_what_grew_less_or_shrank_is_not(self):
        self.assertEqual(compared({"a": 1029.0, "b": 10.0}, {"a": 1000.0, "b": 1000.0})[0], [])

    def test_what_is_not_recorded_is_named(self):
        bad, printed = compared({"timing lisp": 1.0}, {})
        self.assertEqual(bad, ["timing lisp"])
        self.assertIn("not recorded", printed)


if __name__ == "__main__":
    unittest.main()
