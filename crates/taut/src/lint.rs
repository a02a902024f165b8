//! Warnings about a program that was read: the analyses of [`taut_ir::lint`], in the words of its language.

use std::collections::HashSet;

use taut_ir::lint::{self, codes};
use taut_ir::{Granularity, Lvalue, Mode, ProcessDef, Step, VarId};
use taut_source::{Diagnostic, Span};

use crate::load::Loaded;

/// Larger programs are generated, and nobody reads warnings about those.
const MOST_STEPS: usize = 20_000;

impl Loaded {
    /// Adds the warnings that need no search. A litmus test is its own specification: what is odd in it is meant.
    pub(crate) fn lint(&mut self) {
        let _phase = taut_budget::phase("warnings are looked for");
        let steps: usize = self.program.defs.iter().map(|def| def.steps.len()).sum();
        if self.language.is_specification() || steps > MOST_STEPS {
            return;
        }
        let names = Names::of(self);
        let is_named = |span: Span, name: &str| names.is_named(span, name);
        let mut always = lint::unused(&self.program, |span, name| names.is_idle(span, name));
        always.extend(lint::unreachable(&self.program));
        always.extend(lint::steering_ghosts(&self.program, is_named));
        always.into_iter().for_each(|warning| self.warnings.push(warning));
        // Front ends drop such statements, so the program model cannot tell.
        let dropped = self.model.dropped_statements(&self.sources, self.file);
        self.warnings.extend(dropped);
        let relaxed = self.relaxed();
        relaxed.into_iter().for_each(|warning| self.relaxed_warnings.push(warning));
    }

    /// What matters on relaxed memory only: observers in store buffers, and statements with several accesses. The
    /// macros of mmlib have a meaning of their own.
    fn relaxed(&self) -> Vec<Diagnostic> {
        if self.memory_model().is_some() {
            return Vec::new();
        }
        let observers = match self.language.ghost_advice("") {
            Some(_) => lint::observers(&self.program),
            // A language without ghosts: there is nothing to advise.
            None => Vec::new(),
        };
        let advised = observers.iter().filter_map(|&var| self.observer(var));
        let mut all: Vec<Diagnostic> = advised.collect();
        if self.has_whole_statements() {
            let atomic = self.model.atomic_spans();
            all.extend(lint::granularity(&self.program, &atomic, &observers));
        }
        all
    }

    /// Whether a statement with several accesses is one step, as is usual in its language.
    fn has_whole_statements(&self) -> bool {
        let usual = self.language.granularity();
        usual == Granularity::Statement && self.granularity() == Granularity::Statement
    }

    fn observer(&self, var: VarId) -> Option<Diagnostic> {
        let (name, span) = (&self.program.var(var).name, self.program.var(var).span);
        let (message, help) = self.language.ghost_advice(name)?;
        let warning = Diagnostic::warning(codes::OBSERVER, message, span)
            .label("only counted and asserted; its stores wait in buffers")
            .help(format!("{help}; else it fails, or is fenced, for its own sake"));
        Some(warning)
    }
}

/// The names that the main file of a program says.
struct Names<'l> {
    loaded: &'l Loaded,
    /// What is printed, which is no part of the program model.
    printed: String,
    /// Where local variables are declared that take the result of a read-modify-write, or a field of a message.
    results: HashSet<Span>,
}

impl<'l> Names<'l> {
    fn of(loaded: &'l Loaded) -> Names<'l> {
        let printed = loaded.model.printed(&loaded.sources, loaded.file);
        Names { loaded, printed, results: results(loaded) }
    }

    /// Whether a name is declared in the main file, as the author wrote it. What begins with `_` is not to be named.
    fn is_named(&self, span: Span, name: &str) -> bool {
        span.file == self.loaded.file
            && !name.starts_with('_')
            && count(self.loaded.sources.text(span), name) > 0
    }

    /// Whether a variable that the program model does not use has no other use: what is printed is no part of the model,
    /// and the result of an instruction or a message has to go somewhere.
    fn is_idle(&self, span: Span, name: &str) -> bool {
        self.is_named(span, name)
            && count(&self.printed, name) == 0
            && !self.results.contains(&span)
    }
}

/// Where local variables are declared that take the result of a read-modify-write, or a field of a message.
fn results(loaded: &Loaded) -> HashSet<Span> {
    let gives = |step: &&Step| step.mode == Mode::Locked || step.channel.is_some();
    let of_def = |def: &ProcessDef| {
        let stores = def.steps.iter().filter(gives).flat_map(Step::stores);
        let spans = stores.filter_map(|place| match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => Some(def.registers[r.index()].span),
            Lvalue::Var(_) | Lvalue::VarElem(..) => None,
        });
        spans.collect::<Vec<_>>()
    };
    loaded.program.defs.iter().flat_map(of_def).collect()
}

/// The number of times that a text says a name.
fn count(text: &str, name: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let matches = text.match_indices(name);
    matches
        .filter(|(at, _)| {
            let before = text[..*at].chars().next_back();
            let after = text[at + name.len()..].chars().next();
            !before.is_some_and(is_part) && !after.is_some_and(is_part)
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole_words() {
        assert_eq!(count("int x; xx = x;", "x"), 2);
        assert_eq!(count("", "x"), 0);
    }
}
