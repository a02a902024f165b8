//! A picture of a graph as a page: it fits the window, and can be moved and magnified.

use crate::embed;
use crate::page::policy;

const SCRIPT: &str = include_str!("../assets/graph.js");
const STYLE: &str = include_str!("../assets/graph.css");

/// A picture as one HTML file that needs nothing else. The picture is an `svg` element with a `viewBox`, without scripts
/// and style sheets.
pub fn graph_page(title: &str, svg: &str) -> String {
    let (title, policy) = (embed::text(title), policy(SCRIPT, STYLE));
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"referrer\" content=\"no-referrer\">
<link rel=\"icon\" href=\"data:,\">
<title>{title} · Taut</title>
<style>{STYLE}</style>
</head>
<body>
<nav><button id=\"closer\" type=\"button\" title=\"closer (+)\">+</button>\
<button id=\"farther\" type=\"button\" title=\"farther (-)\">−</button>\
<button id=\"fit\" type=\"button\" title=\"all of it (0)\">⤢</button></nav>
{svg}<script>{SCRIPT}</script>
</body>
</html>
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_one_script_and_names_no_other_place() {
        let page = graph_page("</title><script>", "<svg viewBox=\"0 0 1 1\"></svg>");
        assert_eq!(page.matches("<script").count(), 1);
        for address in ["http:", "https:", "url(", "@import", "src="] {
            assert!(!page.contains(address), "{address}");
        }
    }
}
