// SPDX-License-Identifier: MIT
#include "driver/selftest/kill_matrix.hpp"

namespace driver {
namespace {

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '<':
        html += "&lt;";
        break;
      case '&':
        html += "&amp;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

const char* const head = R"(<!doctype html><meta charset="utf-8"><title>kill matrix</title><style>
body{font:13px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
table{border-collapse:collapse}th{font-weight:normal;text-align:left;white-space:nowrap}
thead th{height:15em;vertical-align:bottom}thead div{writing-mode:vertical-rl;max-height:15em}
td{width:9px;height:15px;padding:0;border:1px solid #eee}td.k{background:#356fb5}
td.c{background:#d9822b}th.f{color:#b00020;font-weight:bold}tr:hover{background:#fff6d6}
tbody th{position:sticky;left:0;background:#fff;padding-right:1em}small{color:#777}
</style>)";

std::string header_row(const Exercise& exercise) {
  std::string html = "<thead><tr><th></th>";
  for (const Case& test_case : exercise.cases) {
    html += "<th><div>" + escaped(test_case.name) + "</div></th>";
  }
  return html + "</tr></thead>";
}

std::string row(const Exercise& exercise, const SubjectResult& result) {
  const Subject& subject = result.subject;
  const bool is_flaw = result.is_built && subject.must_pass() != result.cases.empty();
  std::string html = std::string("<tr><th") + (is_flaw ? " class=f" : "") + " title=\"" +
                     escaped(subject.why) + "\">" + escaped(subject.name) + " <small>";
  for (const std::string& rule : subject.rules) {
    html += rule + " ";
  }
  html += "</small></th>";
  for (const Case& test_case : exercise.cases) {
    const auto found = result.cases.find(test_case.name);
    if (found == result.cases.end()) {
      html += "<td></td>";
      continue;
    }
    const char* kind = found->second.verdict == "wrong" ? "k" : "c";
    const std::string rule = found->second.rules.empty() ? "" : " " + found->second.rules.front();
    html += std::string("<td class=") + kind + " title=\"" +
            escaped(subject.name + " / " + test_case.name + ": " + found->second.verdict + rule) +
            "\"></td>";
  }
  return html + "</tr>\n";
}

}  // namespace

std::string kill_matrix_page(const Exercise& exercise, const KillMatrix& matrix) {
  std::string html = std::string(head) + "<h1>" + escaped(exercise.slug) + "</h1><pre>" +
                     escaped(kill_matrix_text(exercise, matrix)) +
                     "</pre><p>A row a solution, a column a case. Blue: wrong; orange: crash, "
                     "deadlock and the like; red name: a flaw of the grader.</p><table>";
  html += header_row(exercise) + "<tbody>\n";
  for (const SubjectResult& result : matrix.results) {
    html += row(exercise, result);
  }
  return html + "</tbody></table>\n";
}

}  // namespace driver
