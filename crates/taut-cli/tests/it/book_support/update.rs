//! Writing the output of commands into the pages: `TAUT_BOOK=update cargo test -p taut-cli --test it book`.
//!
//! Only blocks that are not true any more are changed. A block with `…` keeps its shape: the lines before the first `…`
//! are the first lines of the output, the lines after the last one are its last lines, and those in between are
//! looked for by their first line. The difference is to be read before it is committed.

use std::path::Path;

/// Whether pages are to be changed.
pub fn is_asked() -> bool {
    std::env::var_os("TAUT_BOOK").is_some_and(|mode| mode == "update")
}

/// Replaces what stands below a command on a page.
pub fn rewrite(page: &Path, command: &str, shown: &[String], printed: &[String]) {
    let text = std::fs::read_to_string(page).expect("a page");
    let before = block(command, shown);
    let Some(at) = text.find(&before) else {
        panic!("{}: the lines below `$ {command}` cannot be found", page.display())
    };
    let after = block(command, &in_shape(shown, printed));
    let changed = [&text[..at], &after, &text[at + before.len()..]].concat();
    std::fs::write(page, changed).expect("a page that can be written");
}

fn block(command: &str, lines: &[String]) -> String {
    let mut text = format!("$ {command}\n");
    lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
    text
}

/// The output, cut as what is shown is cut.
fn in_shape(shown: &[String], printed: &[String]) -> Vec<String> {
    let parts: Vec<&[String]> = shown.split(|line| line == "…").collect();
    let [first, between @ .., last] = parts.as_slice() else { return printed.to_vec() };
    let mut lines = printed[..first.len().min(printed.len())].to_vec();
    for part in between {
        lines.push("…".into());
        let start = part.first().map_or("", |line| line.trim());
        let at = printed.iter().position(|line| line.trim() == start);
        match at {
            Some(at) => lines.extend_from_slice(&printed[at..(at + part.len()).min(printed.len())]),
            None => lines.extend_from_slice(part),
        }
    }
    lines.push("…".into());
    lines.extend_from_slice(&printed[printed.len().saturating_sub(last.len())..]);
    lines
}
