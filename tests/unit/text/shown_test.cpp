#include "sw/text/shown.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "sw/text/json_text.h"
#include "sw/text/terminal.h"

namespace strobe::text {
namespace {

TEST(Shown, TextsOfEveryLanguageAreLeftAlone) {
  const std::string text = "plain\tand\nüñí, 日本, \xf0\x9f\x99\x82 \xc2\xa0";
  EXPECT_EQ(shown(text), text);
}

TEST(Shown, WhatSteersATerminalIsEscaped) {
  EXPECT_EQ(shown("\x1b]0;title\x07"), "\\x1b]0;title\\x07");
  EXPECT_EQ(shown("a\rb\x7f"), "a\\x0db\\x7f");
  EXPECT_EQ(shown(std::string("\0", 1)), "\\x00");
  EXPECT_EQ(shown("\xc2\x9b"
                  "31m"),
            "\\xc2\\x9b31m");  // CSI of eight bits, as UTF-8
}

TEST(Shown, BytesThatAreNotUtf8AreEscaped) {
  EXPECT_EQ(shown("\xff"
                  "a\xc3"),
            "\\xffa\\xc3");
  EXPECT_EQ(shown("\x9b"
                  "31m"),
            "\\x9b"
            "31m");
}

TEST(Shown, WhatTurnsTheDirectionOfTextIsEscaped) {
  EXPECT_EQ(shown("a\xe2\x80\xae"
                  "b"),  // right-to-left override
            "a\\xe2\\x80\\xaeb");
  for (const char* one : {"\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8",
                          "\xe2\x80\xa9", "\xe2\x80\xaa", "\xe2\x81\xa6", "\xe2\x81\xa9"}) {
    EXPECT_EQ(shown(one)[0], '\\');
  }
  EXPECT_EQ(shown("\xe2\x80\x94\xe2\x81\xaf"),
            "\xe2\x80\x94\xe2\x81\xaf");  // a dash, and one beyond
}

TEST(OneLine, ANameHasNoNewlineAndNoTab) {
  EXPECT_EQ(one_line("new\nline\ttab\x1b[31m"), "new\\x0aline\\x09tab\\x1b[31m");
  EXPECT_EQ(one_line("operator<< üñ"), "operator<< üñ");
}

TEST(Shortened, ALongNameKeepsItsBeginningAndItsEnd) {
  EXPECT_EQ(shortened("short", 12), "short");
  EXPECT_EQ(shortened("abcdefghijklmnopqrstuvwxyz", 12), "abcdef...xyz");
  EXPECT_EQ(shortened("ääääääääääääääääääää", 12), "ääääää...äää");
  EXPECT_EQ(shortened("\n\n\n\n\n\n", 12), "\\x0a\\x...x0a");
}

TEST(JsonText, NamesThatAreNotUtf8BecomeReplacementCharacters) {
  EXPECT_EQ(json_text(nlohmann::json{{"a", "x\xff"}}), "{\"a\":\"x\xef\xbf\xbd\"}");
  EXPECT_EQ(json_text(nlohmann::ordered_json{{"b", 1}, {"a", "\xc0"}}, 1),
            "{\n \"b\": 1,\n \"a\": \"\xef\xbf\xbd\"\n}");
}

TEST(JsonText, HoldsNoControlCharacterAndMeansTheSame) {
  const nlohmann::json document = {"\x1b[31m\x7f\xc2\x9b", "é", "\xe2\x80\xae"};
  const std::string text = json_text(document);
  EXPECT_EQ(text, "[\"\\u001b[31m\\u007f\\u009b\",\"é\",\"\\u202e\"]");
  EXPECT_EQ(nlohmann::json::parse(text), document);
}

/// What a process prints when both of its channels are one pipe.
std::string printed_by(void (*print)()) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    escape_what_is_printed();
    print();
    std::fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char block[4096];
  for (ssize_t got; (got = read(ends[0], block, sizeof block)) > 0;) {
    text.append(block, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return text;
}

TEST(Terminal, WhatAProcessPrintsIsEscapedOnBothChannels) {
  EXPECT_EQ(printed_by([] {
              std::fputs("symbol \x1b[2J\n", stdout);
              std::fflush(stdout);
              std::fputs("error \x1b[2J\n", stderr);
            }),
            "symbol \\x1b[2J\nerror \\x1b[2J\n");
}

TEST(Terminal, ACharacterThatIsPrintedInPartsIsOne) {
  EXPECT_EQ(printed_by([] {
              for (const char c : std::string("日本\xff.\n")) {
                std::fputc(c, stdout);
                std::fflush(stdout);
              }
            }),
            "日本\\xff.\n");
}

}  // namespace
}  // namespace strobe::text
