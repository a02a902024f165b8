//! The page: what a browser gets, and nothing else.
//!
//! One document, one script and one style sheet, each made of small files. The view of `taut-html` comes
//! first, in the same scope: the page uses its helpers and draws its reports. All of it is in the
//! executable; there are no files behind the addresses.
//!
//! The part that knows where jobs run is one file per [`JobHost`]. Each defines the same names: `HOST`, with the words that
//! differ, `askSetup` and `startJob`.

/// Where jobs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobHost {
    /// Behind a server.
    Server,
    /// In a worker of the browser.
    Worker,
}

impl JobHost {
    /// The part of the script that knows it.
    fn part(self) -> &'static str {
        match self {
            JobHost::Server => include_str!("../assets/host_server.js"),
            JobHost::Worker => include_str!("../assets/host_worker.js"),
        }
    }
}

/// The script of a worker.
pub const WORKER: &str = include_str!("../assets/worker.js");

/// The document.
pub const HTML: &str = include_str!("../assets/index.html");

/// The parts of the script, in one scope after those of the view. Functions may be used before they are
/// defined; the last part begins.
const PARTS: &[&str] = &[
    include_str!("../assets/languages.js"),
    include_str!("../assets/marks.js"),
    include_str!("../assets/typing.js"),
    include_str!("../assets/loading.js"),
    include_str!("../assets/paging.js"),
    include_str!("../assets/editor.js"),
    include_str!("../assets/messages.js"),
    include_str!("../assets/program.js"),
    include_str!("../assets/examples.js"),
    include_str!("../assets/files.js"),
    include_str!("../assets/keeping.js"),
    include_str!("../assets/choices.js"),
    include_str!("../assets/link.js"),
    include_str!("../assets/markdown.js"),
    include_str!("../assets/help.js"),
    include_str!("../assets/ending.js"),
    include_str!("../assets/progress.js"),
    include_str!("../assets/diff.js"),
    include_str!("../assets/repair.js"),
    include_str!("../assets/results.js"),
    include_str!("../assets/running.js"),
    include_str!("../assets/frame.js"),
    include_str!("../assets/page.js"),
];

/// The parts of the style sheet, after that of the view.
const STYLES: &[&str] = &[
    include_str!("../assets/page.css"),
    include_str!("../assets/editor.css"),
    include_str!("../assets/results.css"),
];

/// The script for a host.
pub fn script(host: JobHost) -> String {
    let (view, parts) = (taut_html::VIEW, PARTS.concat());
    format!("(() => {{\n\"use strict\";\n{view}{}{parts}}})();\n", host.part())
}

/// The style sheet.
pub fn style() -> String {
    format!("{}{}", taut_html::STYLE, STYLES.concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The name that a line defines for all parts, if it defines one: what is nested is indented.
    fn defined(line: &str) -> Option<&str> {
        let starts = ["async function* ", "async function ", "function ", "const ", "let "];
        let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    }

    /// In one scope a second function of a name would silently take the place of the first.
    #[test]
    fn no_two_parts_define_the_same_name() {
        for script in [script(JobHost::Server), script(JobHost::Worker)] {
            let names: Vec<_> = script.lines().filter_map(defined).collect();
            let different: BTreeSet<_> = names.iter().collect();
            for name in ["mountReport", "mountPage", "HOST", "askSetup", "startJob"] {
                assert!(names.contains(&name), "{name}");
            }
            assert_eq!(names.len(), different.len(), "{names:?}");
        }
    }

    /// The policy that the page is served with allows no script and no style in the document.
    #[test]
    fn the_document_has_nothing_inline() {
        for inline in ["<style", "style=", "<script>", " on"] {
            let found = HTML.lines().find(|line| line.contains('<') && line.contains(inline));
            assert_eq!(found, None, "{inline}");
        }
    }

    #[test]
    fn the_page_names_no_other_place() {
        for text in [HTML, WORKER, &script(JobHost::Server), &script(JobHost::Worker), &style()] {
            // The name of a namespace is no address.
            let text = text.replace("http://www.w3.org/2000/svg", "");
            for address in ["http:", "https:", "//cdn", "url(", "@import", "innerHTML"] {
                assert!(!text.contains(address), "{address}");
            }
        }
    }
}
