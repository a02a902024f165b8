//! Messages as text: file, line, column, the line itself with a caret, and the hint.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{Diagnostic, Diagnostics, Severity, SourceFile, SourceMap, Span};

/// Past this many bytes into a line its text is not shown: a line that long was not written by hand,
/// and a caret a thousand columns to the right helps nobody.
const LONGEST_SHOWN: usize = 1_000;
/// How much of a line is shown after the end of a span.
const SHOWN_AFTER: usize = 160;

/// Renders one message, with colours if `styled`.
pub fn render(map: &SourceMap, diagnostic: &Diagnostic, styled: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let mut groups: Vec<Group<'_>> = Vec::new();
    let windows: Vec<_> = std::iter::once((diagnostic.span, diagnostic.label.as_str()))
        .chain(diagnostic.related.iter().map(|(span, text)| (*span, text.as_str())))
        .filter_map(|(span, text)| Window::of(map, span).map(|window| (window, text)))
        .collect();
    let mut group = Group::with_title(title);
    for (index, (window, text)) in windows.iter().enumerate() {
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let mut annotation = kind.span(window.range.clone());
        if !text.is_empty() {
            annotation = annotation.label(*text);
        }
        let snippet = Snippet::source(window.text)
            .line_start(window.line as usize)
            .path(window.name)
            .annotation(annotation);
        group = group.element(snippet);
    }
    if windows.is_empty()
        && let Some(position) = map.position(diagnostic.span)
    {
        let name = map.file(diagnostic.span.file).name();
        let origin = annotate_snippets::Origin::path(name)
            .line(position.line as usize)
            .char_column(position.column as usize);
        group = group.element(origin);
        if !diagnostic.label.is_empty() {
            group = group.element(Level::NOTE.message(diagnostic.label.as_str()));
        }
    }
    groups.push(group);
    if let Some(help) = &diagnostic.help {
        groups.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
    }
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&groups)
}

/// Renders all messages in the order of their places, a blank line between them.
pub fn render_all(map: &SourceMap, diagnostics: &Diagnostics, styled: bool) -> String {
    let mut parts: Vec<_> =
        diagnostics.sorted().into_iter().map(|d| render(map, d, styled)).collect();
    if diagnostics.dropped() > 0 {
        parts.push(format!("… and {} more like these", diagnostics.dropped()));
    }
    parts.join("\n\n")
}

/// The line of a span, cut to what can be shown, with the span inside it.
struct Window<'m> {
    name: &'m str,
    text: &'m str,
    line: u32,
    range: std::ops::Range<usize>,
}

impl<'m> Window<'m> {
    /// The window of a span; none if it points nowhere or too far into a long line.
    fn of(map: &'m SourceMap, span: Span) -> Option<Window<'m>> {
        let file: &SourceFile = map.get(span.file)?;
        let line = file.position(span.start).line;
        let first = file.line_start(line);
        let text = file.line(line);
        let start = (span.start as usize - first).min(text.len());
        if start > LONGEST_SHOWN {
            return None;
        }
        let end = (span.end as usize).saturating_sub(first).clamp(start, text.len());
        let end = end.min(start + SHOWN_AFTER);
        let shown = file.floor_boundary(first + (end + SHOWN_AFTER).min(text.len())) - first;
        let end = file.floor_boundary(first + end) - first;
        Some(Window { name: file.name(), text: &text[..shown], line, range: start..end.max(start) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_file_line_column_caret_and_hint() {
        let mut map = SourceMap::new();
        let id = map.add("p.taut", "one\ntwo three\n");
        let d = Diagnostic::error("T0001", "unknown word", Span::new(id, 8..13))
            .label("expected a statement")
            .help("did you mean `tree`?");
        let text = render(&map, &d, false);
        assert!(text.contains("error[T0001]: unknown word"), "{text}");
        assert!(text.contains("p.taut:2:5"), "{text}");
        assert!(text.contains("^^^^^ expected a statement"), "{text}");
        assert!(text.contains("help: did you mean `tree`?"), "{text}");
    }

    #[test]
    fn a_line_of_ten_megabytes_is_not_shown_whole() {
        let mut map = SourceMap::new();
        let id = map.add("p.taut", "x".repeat(10 << 20));
        for start in [0, 5_000_000] {
            let d = Diagnostic::error("T0001", "bad", Span::new(id, start..(10 << 20)));
            assert!(render(&map, &d, false).len() < 2_000);
        }
    }

    #[test]
    fn the_place_after_the_last_line_can_be_shown() {
        let mut map = SourceMap::new();
        let id = map.add("p.taut", "one\n");
        let d = Diagnostic::error("T0001", "unexpected end", Span::new(id, 4..4)).label("here");
        assert!(render(&map, &d, false).contains("p.taut:2:1"));
    }
}
