//! Remarks about what is wrong with a text, and what is worth a look in it.

use taut_ir::MemoryModel;
use taut_source::{Diagnostic, Diagnostics, Severity, SourceMap};

use super::{Annotations, Level, Remark, SourceLine};
use crate::load::{LoadError, Loaded};
use crate::outcome::Report;

impl Annotations {
    /// Why a program was refused.
    pub fn of_load_error(error: &LoadError) -> Annotations {
        let mut all = Annotations::default();
        all.add_messages(&error.sources, &error.diagnostics);
        all
    }

    /// What is worth a look though the program is accepted.
    pub(super) fn add_warnings(&mut self, loaded: &Loaded, reports: &[Report]) {
        self.add_messages(&loaded.sources, &loaded.warnings);
        let models: Vec<MemoryModel> = reports.iter().map(|report| report.memory.model).collect();
        self.add_messages(&loaded.sources, &loaded.warnings_under(&models));
    }

    pub(crate) fn add_messages(&mut self, sources: &SourceMap, messages: &Diagnostics) {
        self.remarks.extend(messages.sorted().into_iter().map(|message| of(sources, message)));
        if messages.dropped() > 0 {
            let text = format!("{} more messages are left out.", messages.dropped());
            self.remarks.push(Remark::placeless(super::REFUSED, "more messages", text));
        }
    }
}

fn of(sources: &SourceMap, message: &Diagnostic) -> Remark {
    let Diagnostic { severity, code, message: what, span, label, related, help } = message;
    let mut text = format!("{what}.");
    if !label.is_empty() && *label != *what {
        text.push_str(&format!(" Here: {label}."));
    }
    if let Some(help) = help {
        let stop = if help.ends_with(['.', '?', '!']) { "" } else { "." };
        text.push_str(&format!(" Help: {help}{stop}"));
    }
    let place = SourceLine::of(sources, *span);
    let file = place.as_ref().map_or("", |place| place.file.as_str());
    let related = related.iter().filter_map(|(span, words)| {
        SourceLine::of(sources, *span).map(|place| (place, words.clone()))
    });
    Remark {
        level: match severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        },
        rule: code,
        title: format!("{code}: {what}"),
        message: text,
        subject: format!("{file}/{code}/{what}"),
        related: related.collect(),
        run: Vec::new(),
        place,
        // The codes of the Taut language: other front ends promise nothing about the words of a help.
        fix: taut_lang::fix(message).filter(|_| code.starts_with('T')).map(|edit| edit.text),
    }
}
