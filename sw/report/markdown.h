// Markdown of texts that may hold anything.
#pragma once

#include <string>
#include <vector>

namespace strobe::report {

/// A text inside of a sentence, a heading or a cell: it holds no HTML and no link, and ends neither
/// the cell nor the line.
std::string markdown_text(const std::string& text);
/// The same as code in a line.
std::string markdown_code(const std::string& text);
/// Lines of code, in a fence that they do not close. @param language  such as "yaml"
std::string markdown_block(const char* language, const std::string& text);
/// The first row has the names of the columns.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace strobe::report
