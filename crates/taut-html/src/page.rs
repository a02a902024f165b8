//! The page: the document, the view, and a policy that lets nothing else in.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::document::Document;
use crate::embed;

/// The parts of the view. They share one scope, in which each defines the functions that it is named for.
macro_rules! view {
    () => {
        concat!(
            include_str!("../assets/elements.js"),
            include_str!("../assets/timeline.js"),
            include_str!("../assets/list.js"),
            include_str!("../assets/machine.js"),
            include_str!("../assets/rows.js"),
            include_str!("../assets/diagram.js"),
            include_str!("../assets/source.js"),
            include_str!("../assets/story.js"),
            include_str!("../assets/verdicts.js"),
            include_str!("../assets/controls.js"),
            include_str!("../assets/theme.js"),
            include_str!("../assets/print.js"),
            include_str!("../assets/report.js"),
        )
    };
}

/// The view without a scope of its own, for a page that has more to say in the same one: see the
/// documentation of the crate.
pub const VIEW: &str = view!();

/// The view: one script without modules, which defines `mountReport`, and calls it if there is a document
/// in the page.
pub const SCRIPT: &str = concat!("(() => {\n\"use strict\";\n", view!(), "})();\n");

/// The style sheet of the view.
pub const STYLE: &str = concat!(
    include_str!("../assets/theme.css"),
    include_str!("../assets/report.css"),
    include_str!("../assets/diagram.css"),
    include_str!("../assets/print.css"),
);

/// A report as one HTML file that needs nothing else.
pub fn html(document: &Document) -> String {
    let title = embed::text(&document.file);
    let data = embed::json(document);
    let policy = policy(SCRIPT, STYLE);
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"color-scheme\" content=\"light dark\">
<meta name=\"referrer\" content=\"no-referrer\">
<link rel=\"icon\" href=\"data:,\">
<title>{title} · Taut</title>
<style>{STYLE}</style>
</head>
<body class=\"taut-report-page\">
<div id=\"taut-report\"><noscript>This report is drawn by a script that is part of this file. Please allow scripts \
for it, or run <code>taut check</code> for the same as text.</noscript></div>
<script type=\"application/json\" id=\"taut-report-data\">{data}</script>
<script>{SCRIPT}</script>
</body>
</html>
"
    )
}

/// The content security policy: this script and this style sheet, by their hashes, and nothing from
/// anywhere else. So even text that found a way into the markup could not run, load or send anything.
pub(crate) fn policy(script: &str, style: &str) -> String {
    let hash = |text: &str| STANDARD.encode(hmac_sha256::Hash::hash(text.as_bytes()));
    format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data:; \
         base-uri 'none'; form-action 'none'",
        hash(script),
        hash(style)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hostile() -> Document {
        Document { file: "</title><script>alert(1)</script>".into(), ..Document::default() }
    }

    #[test]
    fn the_page_has_the_scripts_it_should_have_and_no_other() {
        let page = html(&hostile());
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script>").count(), 2);
    }

    #[test]
    fn the_page_names_no_other_place() {
        let page = html(&Document::default());
        // The name of a namespace is no address.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for address in ["http:", "https:", "//cdn", "url(", "@import", "src="] {
            assert!(!page.contains(address), "{address}");
        }
    }

    #[test]
    fn the_policy_allows_nothing_by_default() {
        let policy = policy(SCRIPT, STYLE);
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"));
        assert!(!policy.contains("unsafe"));
    }
}
