//! Channel operations: the channel exists, and all messages through it have as many values.

use std::collections::HashMap;

use taut_source::{Diagnostic, Span, shown};

use super::{Check, with_nearest};
use crate::ast::{Message, Model, Process, Sync};
use crate::codes;

/// How many values the messages of a channel have, and what says so.
struct Arity {
    values: usize,
    span: Span,
    why: &'static str,
}

/// A channel: whose, if it is no global one, and its name.
type Key<'m> = (Option<&'m str>, &'m str);

impl<'m> Check<'m, '_> {
    /// Checks the names in a channel operation.
    pub(super) fn sync(&mut self, sync: &Sync, process: &Process) {
        match &sync.message {
            Message::Send(values) => values.iter().for_each(|v| self.expr(v, Some(process))),
            Message::Receive(places) => places.iter().for_each(|p| self.place(p, process)),
        }
        if let Some(of) = &sync.process
            && self.known_process(of).is_none()
        {
            return;
        }
        if self.channel(sync, process).is_some() || self.diagnostics.is_full() {
            return;
        }
        let own = sync.process.as_ref().unwrap_or(&process.name);
        let own = self.table.process(&own.text).into_iter().flat_map(|w| w.channels.keys());
        let all = own.chain(self.table.globals.channels.keys()).copied();
        let name = &sync.channel;
        let message = format!("there is no channel {}", shown(&name.text));
        let found = Diagnostic::error(codes::UNKNOWN_CHANNEL, message, name.span);
        let global = self.table.globals.channels.contains_key(name.text.as_str());
        let help = match sync.process.is_some() && global {
            true => "it is a global channel: write its name alone".into(),
            false => format!("declare it: `channel {};`", name.text),
        };
        let found = with_nearest(found, &name.text, all, &help);
        self.diagnostics.push(found);
    }

    /// The channel of an operation: of the process it names, of its own process, or a global one.
    fn channel(&self, sync: &Sync, process: &Process) -> Option<Key<'m>> {
        let of = |process: &str| {
            let words = self.table.process(process)?;
            let channel = words.channels.get(sync.channel.text.as_str())?;
            Some((self.table.name_of(process), channel.name.text.as_str()))
        };
        if let Some(process) = &sync.process {
            return of(&process.text);
        }
        let global = || {
            let channel = self.table.globals.channels.get(sync.channel.text.as_str())?;
            Some((None, channel.name.text.as_str()))
        };
        of(&process.name.text).or_else(global)
    }

    /// Checks that all messages of a channel have the same number of values.
    pub(super) fn arities(&mut self, model: &'m Model) {
        let mut arities: HashMap<Key<'m>, Arity> = HashMap::new();
        let globals = model.channels.iter().map(|c| (None, c));
        let of = |p: &'m Process| p.channels.iter().map(|c| (Some(p.name.text.as_str()), c));
        for (owner, channel) in globals.chain(model.processes.iter().flat_map(of)) {
            if let Some(types) = &channel.types {
                let (values, span) = (types.len(), channel.span);
                let arity = Arity { values, span, why: "its declaration says so" };
                arities.insert((owner, channel.name.text.as_str()), arity);
            }
        }
        for process in &model.processes {
            for sync in process.transitions.iter().filter_map(|t| t.sync.as_ref()) {
                let Some(key) = self.channel(sync, process) else { continue };
                let (values, span) = (sync.message.arity(), sync.span);
                let found = Arity { values, span, why: "so it is here" };
                let first = arities.entry(key).or_insert(found);
                if first.values != values {
                    self.diagnostics.push(uneven(sync, first));
                }
            }
        }
    }
}

fn uneven(sync: &Sync, first: &Arity) -> Diagnostic {
    let count = |n| match n {
        0 => "no value".to_string(),
        1 => "1 value".into(),
        n => format!("{n} values"),
    };
    let channel = shown(&sync.channel.text);
    let (wanted, given) = (count(first.values), count(sync.message.arity()));
    let message =
        format!("messages of the channel {channel} have {wanted}, but this one has {given}");
    let found = Diagnostic::error(codes::CHANNEL_ARITY, message, sync.span);
    found.label(given).related(first.span, first.why)
}
