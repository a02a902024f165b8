//! The page, as it is compiled in.

/// The page.
pub(crate) const HTML: &str = include_str!("../assets/index.html");

/// All scripts: the view of reports, then the page's own.
pub(crate) fn script() -> String {
    [taut_report::SCRIPT, include_str!("../assets/page.js")].concat()
}

/// All styles: those of reports, then the page's own.
pub(crate) fn style() -> String {
    [taut_report::STYLE, include_str!("../assets/page.css")].concat()
}
