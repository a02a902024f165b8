//! Results as JUnit XML, which most build servers read: one test suite a folder, one test case an expectation.
//!
//! There is no single schema of it; written are the elements and attributes on which the tools agree
//! (`testsuites`, `testsuite`, `testcase`, `failure`, `error`, `skipped`).

use std::fmt::Write;

use super::{Answer, FileResult, Outcome, Status};

/// The results of a suite as JUnit XML. What is known to be not as expected is skipped.
pub fn xml(
    name: &str,
    files: &[FileResult],
    is_known: &dyn Fn(&FileResult, &Answer) -> bool,
) -> String {
    let cases: Vec<Case> = files.iter().flat_map(|file| cases(file, is_known)).collect();
    let count = |kind: &str| cases.iter().filter(|c| c.trouble == kind).count();
    let seconds: f64 = files.iter().map(|f| f.time.as_secs_f64()).sum();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{seconds:.6}\"",
        cases.len(),
        count("failure"),
        count("error"),
        count("skipped"),
    );
    let name = escaped(name);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string does not fail.
    let _ = writeln!(text, "<testsuites name=\"taut\" {counts}>");
    let _ = writeln!(text, "  <testsuite name=\"{name}\" {counts}>");
    for case in &cases {
        text.push_str(&case.xml());
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// One test case.
struct Case {
    file: String,
    name: String,
    seconds: f64,
    /// The element that says what is wrong; empty if nothing is.
    trouble: &'static str,
    kind: &'static str,
    message: String,
    body: String,
}

impl Case {
    fn xml(&self) -> String {
        let Case { file, name, seconds, trouble, kind, message, body } = self;
        let (file, name) = (escaped(file), escaped(name));
        let (message, body) = (escaped(message), escaped(body));
        let open =
            format!("    <testcase classname=\"{file}\" name=\"{name}\" time=\"{seconds:.6}\"");
        match *trouble {
            "" => format!("{open}/>\n"),
            "skipped" => {
                format!("{open}>\n      <skipped message=\"{message}\"/>\n    </testcase>\n")
            }
            _ => format!(
                "{open}>\n      <{trouble} type=\"{kind}\" message=\"{message}\">{body}</{trouble}>\n    </testcase>\n"
            ),
        }
    }
}

fn cases(file: &FileResult, is_known: &dyn Fn(&FileResult, &Answer) -> bool) -> Vec<Case> {
    let whole = |trouble, kind, message: String, body| Case {
        file: file.name(),
        name: "header".into(),
        seconds: file.time.as_secs_f64(),
        trouble,
        kind,
        message,
        body,
    };
    match &file.outcome {
        Outcome::NoExpectation => {
            vec![whole("skipped", "", "no expectation".into(), String::new())]
        }
        Outcome::Refused(error) => {
            let first = error.diagnostics.sorted().first().map(|d| d.message.clone());
            vec![whole("error", "refused", first.unwrap_or_default(), error.render(false))]
        }
        Outcome::Fault(fault) => vec![whole("error", "internal", fault.to_string(), String::new())],
        Outcome::Checked(answers) => {
            answers.iter().map(|a| case(file, a, is_known(file, a))).collect()
        }
    }
}

fn case(file: &FileResult, answer: &Answer, is_known: bool) -> Case {
    let (trouble, kind) = match answer.status() {
        Status::Met | Status::NoExpectation => ("", ""),
        Status::Unknown => ("failure", "unknown"),
        Status::Differs if is_known => ("skipped", ""),
        Status::Differs | Status::Error => ("failure", "differs"),
    };
    let expected = answer.expectation.text();
    Case {
        file: file.name(),
        name: format!("{} {expected}", answer.expectation.model.name()),
        seconds: answer.time.as_secs_f64(),
        trouble,
        kind,
        message: format!("expected {expected}, got {}", answer.got.name()),
        body: answer.hint(&file.path),
    }
}

/// Text for XML 1.0, in an attribute or between elements. Characters that XML cannot hold at all, such as most
/// control characters, become U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // A parser would make blanks of them in an attribute.
            '\n' | '\t' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_reads_back_what_was_written() {
        let text = "a & <b> \"c\" 'd'\n\te]]>";
        let xml = format!("<x y=\"{0}\">{0}</x>", escaped(text));
        let document = roxmltree::Document::parse(&xml).expect("well-formed");
        let root = document.root_element();
        assert_eq!(root.attribute("y"), Some(text));
        assert_eq!(root.text(), Some(text));
        assert_eq!(escaped("\u{1b}[1m"), "\u{fffd}[1m");
    }
}
