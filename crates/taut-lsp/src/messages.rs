//! Messages of front ends, and violations, as the diagnostics of the protocol.

use serde_json::{Value, json};
use taut::annotate::{Level, Remark};
use taut::diag::{Diagnostic, Severity, SourceMap, Span};
use taut::{Loaded, MemoryModel};

use crate::document::{Document, Reading};
use crate::text::{Lines, top};

const ERROR: u8 = 1;
const WARNING: u8 = 2;
const INFORMATION: u8 = 3;

/// Everything that is to be shown in a document.
pub fn diagnostics(document: &Document) -> Vec<Value> {
    let writer = Writer { document, lines: Lines::new(&document.text) };
    let mut all = match &document.reading {
        None => Vec::new(),
        Some(Reading::Mistakes(error)) => {
            let messages = error.diagnostics.sorted().into_iter();
            messages.map(|message| writer.message(&error.sources, message)).collect()
        }
        Some(Reading::Program(loaded)) => writer.warnings(loaded),
        Some(Reading::Not(why)) => {
            vec![json!({"range": top(), "severity": INFORMATION, "source": "taut", "message": why})]
        }
    };
    all.extend(document.violations.iter().cloned());
    all
}

/// The violations among what a check has to say.
pub fn violations(document: &Document, remarks: &[Remark]) -> Vec<Value> {
    let writer = Writer { document, lines: Lines::new(&document.text) };
    let errors = remarks.iter().filter(|remark| remark.level == Level::Error);
    errors.map(|remark| writer.remark(remark)).collect()
}

struct Writer<'d> {
    document: &'d Document,
    lines: Lines<'d>,
}

impl Writer<'_> {
    fn warnings(&self, loaded: &Loaded) -> Vec<Value> {
        let mut warnings = loaded.warnings.clone();
        warnings.extend(loaded.warnings_under(&MemoryModel::ALL));
        let sorted = warnings.sorted().into_iter();
        sorted.map(|message| self.message(&loaded.sources, message)).collect()
    }

    fn message(&self, sources: &SourceMap, message: &Diagnostic) -> Value {
        let mut text = format!("{}.", message.message);
        if !message.label.is_empty() && message.label != message.message {
            text.push_str(&format!("\nHere: {}.", message.label));
        }
        if let Some(help) = &message.help {
            text.push_str(&format!("\nHelp: {help}"));
        }
        let severity = match message.severity {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
        };
        let related: Vec<Value> = message
            .related
            .iter()
            .filter_map(|(span, words)| Some(self.related(self.range(sources, *span)?, words)))
            .collect();
        json!({
            "range": self.range(sources, message.span).unwrap_or_else(top),
            "severity": severity,
            "code": message.code,
            "source": "taut",
            "message": text,
            "relatedInformation": related,
        })
    }

    /// A part of this document; none if it is a part of another file, or of the text after its macros were expanded.
    fn range(&self, sources: &SourceMap, span: Span) -> Option<Value> {
        let file = sources.get(span.file)?;
        let is_here = file.text() == self.document.text;
        is_here.then(|| self.lines.range(span.start as usize..span.end as usize))
    }

    fn related(&self, range: Value, words: &str) -> Value {
        json!({"location": {"uri": self.document.uri, "range": range}, "message": words})
    }

    fn remark(&self, remark: &Remark) -> Value {
        let place = remark.place.as_ref();
        let related = remark.related.iter();
        let related: Vec<_> =
            related.map(|(place, words)| self.related(self.lines.range_of(place), words)).collect();
        json!({
            "range": place.map_or_else(top, |place| self.lines.range_of(place)),
            "severity": ERROR,
            "code": remark.rule,
            "source": "taut check",
            "message": remark.message,
            "relatedInformation": related,
        })
    }
}
