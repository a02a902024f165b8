//! Remarks as workflow commands of GitHub Actions, which shows them beside the lines of a pull request; and the
//! verdicts as Markdown, for the summary of a job.
//!
//! Everything in a remark may come from a hostile file: a name with a line break in it must not begin a command
//! of its own. So all of it is escaped by the rules of GitHub's own toolkit, and what is printed beside
//! the commands is printed from here, too.

use super::{Annotations, Level, Remark, VerdictLine};

/// How much of a message is shown. GitHub cuts longer ones off without saying so.
const MOST_CHARACTERS: usize = 4000;
/// How many verdicts are in a summary, which has a limit of one megabyte.
const MOST_VERDICTS: usize = 1000;

/// The remarks as commands, a line each, and a line that counts them. GitHub shows the first ten errors and the first
/// ten warnings of a step, so what matters most comes first, and what holds is left to the summary.
pub fn commands(annotations: &Annotations) -> String {
    let mut remarks: Vec<&Remark> = annotations.remarks.iter().collect();
    remarks.sort_by_key(|remark| std::cmp::Reverse(remark.level));
    let mut text: String = remarks.into_iter().map(command).collect();
    text.push_str(&count(annotations));
    text
}

/// `::error file=a.taut,line=3,…::message`.
fn command(remark: &Remark) -> String {
    let word = match remark.level {
        Level::Error => "error",
        Level::Warning | Level::Open => "warning",
        Level::Note | Level::Known => "notice",
    };
    let mut properties = Vec::new();
    if let Some(place) = &remark.place {
        properties.push(("file", place.file.clone()));
        properties.push(("line", place.line.to_string()));
        properties.push(("endLine", place.end_line.to_string()));
        // GitHub wants columns for places in one line only.
        if place.line == place.end_line {
            properties.push(("col", place.column.to_string()));
            properties.push(("endColumn", place.end_column.to_string()));
        }
    }
    properties.push(("title", format!("Taut: {}", remark.title)));
    let properties: Vec<_> = properties
        .into_iter()
        .map(|(name, value)| format!("{name}={}", escaped_property(&value)))
        .collect();
    format!("::{word} {}::{}\n", properties.join(","), escaped(&shortened(&remark.message)))
}

/// What the commands come to, in a line that is none.
fn count(annotations: &Annotations) -> String {
    let of = |level| annotations.remarks.iter().filter(|r| r.level == level).count();
    let [errors, warnings, open] = [Level::Error, Level::Warning, Level::Open].map(of);
    let verdicts = annotations.verdicts.len();
    let notes = match of(Level::Note) {
        0 => String::new(),
        notes => format!(", notes {notes}"),
    };
    let known = match of(Level::Known) {
        0 => String::new(),
        known => format!(", known {known}"),
    };
    format!(
        "taut: verdicts {verdicts}, errors {errors}, left open {open}, warnings {warnings}{notes}{known}\n"
    )
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// Text as the message of a command.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text as the value of a property of a command.
fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

/// The verdicts as a table in Markdown, for the file that `GITHUB_STEP_SUMMARY` names.
pub fn summary(annotations: &Annotations) -> String {
    let mut text = String::from("### Taut\n\n");
    for remark in annotations.remarks.iter().filter(|r| r.level == Level::Error) {
        if remark.place.is_none() || annotations.verdicts.is_empty() {
            text.push_str(&format!("- {}\n", markdown(&remark.message)));
        }
    }
    if annotations.verdicts.is_empty() {
        return text + "\nNothing was checked.\n";
    }
    text.push_str("\n| file | model | property | verdict | coverage |\n");
    text.push_str("| --- | --- | --- | --- | --- |\n");
    text.extend(annotations.verdicts.iter().take(MOST_VERDICTS).map(row));
    if annotations.verdicts.len() > MOST_VERDICTS {
        let rest = annotations.verdicts.len() - MOST_VERDICTS;
        text.push_str(&format!("\n{rest} more verdicts are left out.\n"));
    }
    text
}

fn row(line: &VerdictLine) -> String {
    let model = line.model.unwrap_or("–").to_uppercase();
    let cells = [&line.file, &model, &line.property, &line.verdict, &line.coverage];
    let cells: Vec<_> = cells.into_iter().map(|cell| markdown(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text in which nothing is markup.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '@' | ':' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::SourceLine;
    use super::*;

    fn hostile() -> Remark {
        Remark {
            level: Level::Error,
            rule: "forbid",
            title: "a,b:c%\n::set-output name=x::y".into(),
            message: "first\r\n::warning::second 100%".into(),
            place: Some(SourceLine {
                line: 3,
                end_line: 4,
                ..SourceLine::top("odd,name:1\n.taut")
            }),
            related: Vec::new(),
            run: Vec::new(),
            subject: String::new(),
            fix: None,
        }
    }

    #[test]
    fn nothing_in_a_remark_begins_a_command() {
        let all = Annotations { remarks: vec![hostile()], ..Annotations::default() };
        let text = commands(&all);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_eq!(
            lines[0],
            "::error file=odd%2Cname%3A1%0A.taut,line=3,endLine=4,\
             title=Taut%3A a%2Cb%3Ac%25%0A%3A%3Aset-output name=x%3A%3Ay::\
             first%0D%0A::warning::second 100%25"
        );
        assert_eq!(lines[1], "taut: verdicts 0, errors 1, left open 0, warnings 0");
    }

    #[test]
    fn what_matters_most_comes_first() {
        let of = |level| Remark { level, ..hostile() };
        let remarks = vec![of(Level::Open), of(Level::Warning), of(Level::Error)];
        let text = commands(&Annotations { remarks, ..Annotations::default() });
        let words: Vec<_> = text.lines().filter_map(|l| l.split(' ').next()).collect();
        assert_eq!(words, ["::error", "::warning", "::warning", "taut:"]);
    }

    #[test]
    fn long_messages_are_cut_between_characters() {
        let remark = Remark { message: "µ".repeat(9000), ..hostile() };
        let text = command(&remark);
        assert!(text.ends_with("µ…\n"));
        assert!(text.chars().filter(|c| *c == 'µ').count() == MOST_CHARACTERS);
    }

    #[test]
    fn nothing_in_a_summary_is_markup() {
        let line = VerdictLine {
            file: "a|b\n# c".into(),
            model: Some("tso"),
            property: "<img src=x> [l](http://e) `c` @me".into(),
            verdict: "holds".into(),
            coverage: "all".into(),
        };
        let text = summary(&Annotations { verdicts: vec![line], ..Annotations::default() });
        let row = text.lines().last().expect("a row");
        assert_eq!(
            row,
            "| a\\|b \\# c | TSO | &lt;img src=x&gt; \\[l\\](http\\://e) \\`c\\` \\@me | holds | all |"
        );
    }
}
