//! JUnit's XML, as most servers that run tests read it: a case for each finding, one that passes for each file without.

use std::collections::BTreeSet;

use super::found::{Found, place, whole};
use super::severity_word;
use crate::diagnostic::Severity;
use crate::source::hidden::in_xml;

/// Returns the report on some files; remarks fail nothing.
pub fn report(all: &[Found<'_>], files: &[&str]) -> String {
    let failing = all
        .iter()
        .filter(|it| it.finding.severity > Severity::Info)
        .count();
    let mut cases = String::new();
    let mut told = BTreeSet::new();
    for it in all {
        let span = it.finding.span();
        let place = span.and_then(|span| place(it.sources, span));
        let (file, at) = place.map_or(("rules", String::new()), |it| {
            (it.file, format!("{}:{}", it.start.line, it.start.column))
        });
        told.insert(file);
        let code = it.finding.code;
        let name = format!("{} {} {at}", code.id(), code.name());
        let words = whole(it.finding);
        let inside = match it.finding.severity {
            Severity::Info => format!("<system-out>{}</system-out>", in_xml(&words)),
            severity => format!(
                "<failure type=\"{}\" message=\"{}\">{}</failure>",
                severity_word(severity),
                in_xml(&it.finding.message),
                in_xml(&words)
            ),
        };
        cases.push_str(&format!(
            "    <testcase classname=\"{}\" name=\"{}\">{inside}</testcase>\n",
            in_xml(file),
            in_xml(name.trim_end())
        ));
    }
    let clean: Vec<&&str> = files.iter().filter(|it| !told.contains(**it)).collect();
    for file in &clean {
        cases.push_str(&format!(
            "    <testcase classname=\"{}\" name=\"lint\"/>\n",
            in_xml(file)
        ));
    }
    let tests = all.len() + clean.len();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites tests=\"{tests}\" failures=\"{failing}\">\n  \
         <testsuite name=\"adit lint\" tests=\"{tests}\" failures=\"{failing}\">\n\
         {cases}  </testsuite>\n</testsuites>\n"
    )
}
