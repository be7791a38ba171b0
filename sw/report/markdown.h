// Markdown for texts with any content.
#pragma once

#include <string>
#include <vector>

namespace strobe::report {

/// Text for a sentence, a heading or a cell. The result contains no HTML and no link, and ends
/// neither the cell nor the line.
std::string markdown_text(const std::string& text);
/// The same text as code within a line.
std::string markdown_code(const std::string& text);
/// Lines of code, in a fence that they cannot close. @param language  such as "yaml"
std::string markdown_block(const char* language, const std::string& text);
/// A table. The first row has the names of the columns.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace strobe::report
