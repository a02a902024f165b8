//! Warnings about a program that was read: the analyses of [`taut_ir::lint`], in the words of its language.

use std::collections::HashSet;

use taut_ir::lint::{self, codes};
use taut_ir::{Granularity, Lvalue, Mode, ProcessDef, Step, VarId};
use taut_source::{Diagnostic, Diagnostics, Span};

use crate::load::{Language, Loaded};

/// Larger programs are generated, and nobody reads warnings about those.
const MOST_STEPS: usize = 20_000;

impl Loaded {
    /// Adds the warnings that need no search. A litmus test is its own specification: what is odd in it is meant.
    pub(crate) fn lint(&mut self) {
        let _phase = taut_budget::phase("warnings are looked for");
        let steps: usize = self.program.defs.iter().map(|def| def.steps.len()).sum();
        if self.language == Language::Litmus || steps > MOST_STEPS {
            return;
        }
        let names = Names::of(self);
        let is_named = |span: Span, name: &str| names.is_named(span, name);
        let mut always = lint::unused(&self.program, |span, name| names.is_idle(span, name));
        always.extend(lint::unreachable(&self.program));
        always.extend(lint::steering_ghosts(&self.program, is_named));
        always.into_iter().for_each(|warning| self.warnings.push(warning));
        // Front ends drop such statements, so the program model cannot tell.
        let dropped = match &self.promela {
            Some(model) => model.after_endless_loops(),
            None if self.language == Language::Taut => {
                taut_lang::after_endless_loops(&self.sources, self.file)
            }
            None => Diagnostics::new(),
        };
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
        // DVE has no ghosts, so there is nothing to advise.
        let observers = match self.language {
            Language::Dve => Vec::new(),
            _ => lint::observers(&self.program),
        };
        let mut all: Vec<Diagnostic> = observers.iter().map(|&var| self.observer(var)).collect();
        if self.has_whole_statements() {
            let atomic = self.promela.as_ref().map(|model| model.atomic_places());
            let atomic = atomic.unwrap_or_default();
            all.extend(lint::granularity(&self.program, &atomic, &observers));
        }
        all
    }

    /// Whether a statement with several accesses is one step.
    fn has_whole_statements(&self) -> bool {
        let has_statements = matches!(self.language, Language::Promela | Language::Dve);
        has_statements && self.granularity() == Granularity::Statement
    }

    fn observer(&self, var: VarId) -> Diagnostic {
        let (name, span) = (&self.program.var(var).name, self.program.var(var).span);
        let (message, help) = match self.language {
            Language::Promela => (
                format!("`{name}` looks like an observer: `--ghost {name}`"),
                format!("with `--ghost {name}`, or declared `ghost`, it is never buffered"),
            ),
            _ => (
                format!("`{name}` looks like an observer: declare it `ghost`"),
                "a ghost is never buffered".into(),
            ),
        };
        Diagnostic::warning(codes::OBSERVER, message, span)
            .label("only counted and asserted; its stores wait in buffers")
            .help(format!("{help}; else it fails, or is fenced, for its own sake"))
    }
}

/// The names that the main file of a program says.
struct Names<'l> {
    loaded: &'l Loaded,
    /// What `printf` prints, which is no part of the program model.
    printed: String,
    /// Where local variables are declared that take the result of a read-modify-write, or a field of a message.
    results: HashSet<Span>,
}

impl<'l> Names<'l> {
    fn of(loaded: &'l Loaded) -> Names<'l> {
        let text = loaded.sources.file(loaded.file).text();
        let printed = match loaded.language {
            Language::Promela => printed(&without_comments(text)),
            _ => String::new(),
        };
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

/// A text without `// …` and `/* … */`. Strings that hold such marks are cut, which only makes warnings fewer.
fn without_comments(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    // From one slash to the next: a search for each of the two marks would go through the whole rest each time.
    while let Some(start) = rest.find('/') {
        taut_budget::tick();
        let comment = &rest[start..];
        let end = match comment.as_bytes().get(1) {
            Some(b'/') => comment.find('\n'),
            Some(b'*') => comment.find("*/").map(|end| end + 2),
            _ => {
                out.push_str(&rest[..=start]);
                rest = &rest[start + 1..];
                continue;
            }
        };
        out.push_str(&rest[..start]);
        out.push(' ');
        match end {
            Some(end) => rest = &comment[end..],
            None => return out,
        }
    }
    out + rest
}

/// What stands between the parentheses of `printf`, or up to the end of the line.
fn printed(text: &str) -> String {
    let calls = text.match_indices("printf").map(|(at, _)| &text[at..]);
    let arguments = calls.map(|call| call.split(['\n', ';']).next().unwrap_or(call));
    arguments.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_whole_words_outside_of_comments() {
        let text = without_comments("int x; // x\n/* x */ xx = x;");
        assert_eq!(count(&text, "x"), 2, "{text}");
        assert_eq!(without_comments("a /* open"), "a  ");
        assert_eq!(without_comments("a / b // c\n/"), "a / b  \n/");
        assert_eq!(count(&printed("x = 1; printf(\"%d\", y); y = 2"), "x"), 0);
    }
}
