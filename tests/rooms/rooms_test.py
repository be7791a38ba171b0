#!/usr/bin/env python3
"""Does the tree include only what the table of rooms allows, and is a forbidden include seen?"""
import unittest

import rooms

PAGE = """
## Rooms

| room | what it is | may include |
|---|---|---|
| `sc_models/port` | shared | nothing |
| `sc_models/core` | the core | port |
| `sw/run` | a run | sc_models, text |
| `sw/text` | text | nothing |

## Limits
"""
SOURCES = {"sc_models/port/a.h": "", "sc_models/core/b.h": '#include "sc_models/port/a.h"\n', "sw/text/t.h": "",
           "sw/run/r.cpp": '#include "sc_models/core/b.h"\n#include "sw/text/t.h"\n#include <vector>\n'}


class Rule(unittest.TestCase):
    def faults(self, page=PAGE, **more):
        sources = {**SOURCES, **{path.replace("__", "/").replace("_h", ".h"): text for path, text in more.items()}}
        return list(rooms.faults(rooms.read_table(page), sources))

    def test_a_tree_that_keeps_to_its_table_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_an_include_that_the_table_does_not_allow_is_named_with_its_line(self):
        (fault,) = self.faults(sw__text__u_h='\n#include "sc_models/core/b.h"\n')
        self.assertIn("sw/text/u.h:2: room sw/text includes sc_models/core/b.h, of room sc_models/core", fault)

    def test_a_folder_without_a_row_is_a_fault(self):
        (fault,) = self.faults(sw__new__x_h="")
        self.assertIn("sw/new/x.h: its folder is in no room", fault)

    def test_a_room_without_a_source_is_a_fault(self):
        (fault,) = self.faults(PAGE.replace("\n\n## Limits", "\n| `sw/gone` | nothing | nothing |\n\n## Limits"))
        self.assertIn("room sw/gone has no source", fault)

    def test_a_circle_in_the_table_is_a_fault(self):
        (fault,) = self.faults(PAGE.replace("| shared | nothing |", "| shared | run |"))
        self.assertIn("in a circle", fault)

    def test_a_name_that_is_no_room_is_a_fault(self):
        (fault,) = self.faults(PAGE.replace(", text |\n", ", texts |\n"))[:1]
        self.assertIn("texts, which is no room", fault)

    def test_a_library_of_one_room_is_included_nowhere_else(self):
        (fault,) = self.faults(sw__text__y_h="#include <yaml-cpp/parser.h>\n")
        self.assertIn("expected that in sw/yaml alone", fault)

    def test_a_page_without_a_table_is_a_fault(self):
        self.assertEqual(len(self.faults("## Rooms\n\nnone\n")), 1)


class Tree(unittest.TestCase):
    def test_includes_what_the_table_of_the_architecture_page_allows(self):
        self.assertEqual(list(rooms.faults(rooms.read_table((rooms.ROOT / rooms.PAGE).read_text()), rooms.tree())), [])

    def test_is_read_whole(self):
        self.assertGreater(len(rooms.tree()), 500)


if __name__ == "__main__":
    unittest.main()
