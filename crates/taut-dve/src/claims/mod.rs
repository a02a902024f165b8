//! Properties that stand outside of a model ([`taut_ir::Claim`]): formulas of the command line, files of
//! formulas as DiVinE has them, automata made by other tools.
//!
//! # Files
//! `#define NAME e` gives a DVE expression a name, `#property f` is a formula, and anything else is free text
//! ([`mod@lines`]). `#property`s are called `property_1`, `property_2` and so on. `ltl NAME: f` and `ltl NAME { f }`
//! are formulas with names of their own.
//!
//! # Formulas
//! The operators, from loose to tight, all from left to right where they are alike:
//!
//! - `->` `<->` `imply`
//! - `||` `or` `+`, and `^` for exclusive or
//! - `&&` `and` `*`
//! - `U`, `V` or `R`, `W`
//! - before a formula: `!` `not`, `X` or `O`, `F` or `<>`, `G` or `[]`
//!
//! Operators that are letters need no blanks around them: `GFp0cs` is `G F p0cs` ([`mod@words`]). Conditions
//! are propositions, or DVE expressions as they are: `[](P_0.wait -> <>P_0.CS)`, `[] x + y <= 1`, `P->v == 2`;
//! an expression in double quotes is one too, whatever stands in it. They look at memory, not into buffers.
//! LTSmin's `P == "s"` is `P.s`.
//!
//! DIVERGENCE: in DiVinE all operators between formulas bind alike, from left to right, so that there
//! `p -> q && r` is `(p -> q) && r`. Where a `#property` means something else by that rule than by the levels
//! above, parentheses are asked for: neither reading would be right for everybody.

mod codes;
mod formula;
pub(crate) mod lines;
mod propositions;
mod words;

use std::ops::Range;

use taut_ir::{Atom, Claim, ClaimText, Ltl, Never, Program, Property, PropertyKind};
use taut_ltl::{Automaton, Formula};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};

use crate::ast::Model;
use crate::lower::names::Names;
use formula::Binding;
use lines::{Line, lines};
use propositions::{Atoms, Propositions};

/// Reads properties that stand outside of a model. The program is what the model became.
pub fn claims(
    model: &Model,
    program: &Program,
    sources: &SourceMap,
    claims: &[Claim],
) -> Result<Vec<Property>, Diagnostics> {
    let names = Names::new(model);
    let mut reader = Reader::new(model, program, sources, &names);
    for claim in claims {
        if !reader.diagnostics.is_full() {
            reader.claim(claim);
        }
    }
    reader.finish()
}

/// The formulas of the model itself, `property ltl NAME "f"` of DiVinE 3. The program is what the model
/// became.
pub fn formulas(
    model: &Model,
    program: &Program,
    sources: &SourceMap,
) -> Result<Vec<Property>, Diagnostics> {
    let names = Names::new(model);
    let mut reader = Reader::new(model, program, sources, &names);
    let propositions = Propositions::new(sources, model, &names);
    for formula in &model.formulas {
        let (file, at) = (formula.text_span.file, formula.text_span);
        let range = at.start as usize..at.end as usize;
        if sources.get(file).is_none_or(|f| f.text().get(range.clone()).is_none()) {
            reader.report(no_text(formula.span));
            continue;
        }
        let place = (file, range);
        reader.formula(&formula.name.text, formula.span, place, &propositions, true);
    }
    reader.finish()
}

fn no_text(span: Span) -> Diagnostic {
    Diagnostic::error(codes::BAD_CLAIM, "a property without a text", span)
}

/// A text with single blanks between its words.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct Reader<'r> {
    model: &'r Model,
    program: &'r Program,
    sources: &'r SourceMap,
    names: &'r Names<'r>,
    found: Vec<Property>,
    diagnostics: Diagnostics,
}

impl<'r> Reader<'r> {
    fn new(
        model: &'r Model,
        program: &'r Program,
        sources: &'r SourceMap,
        names: &'r Names<'r>,
    ) -> Reader<'r> {
        let (found, diagnostics) = (Vec::new(), Diagnostics::new());
        Reader { model, program, sources, names, found, diagnostics }
    }

    fn finish(self) -> Result<Vec<Property>, Diagnostics> {
        if self.diagnostics.is_empty() { Ok(self.found) } else { Err(self.diagnostics) }
    }

    fn report(&mut self, found: Diagnostic) {
        self.diagnostics.push(found);
    }

    fn claim(&mut self, claim: &Claim) {
        let known = claim.files.iter().all(|&file| self.sources.get(file).is_some());
        let file = claim.files.first().copied().filter(|_| known);
        match (&claim.text, file) {
            (ClaimText::Automaton { name, automaton }, _) if known => {
                self.automaton(name, automaton, &claim.files);
            }
            (ClaimText::Formula { name }, Some(file)) => {
                let propositions = Propositions::new(self.sources, self.model, self.names);
                let whole = self.whole(file);
                let place = (file, self.without_semicolon(file));
                self.formula(name, whole, place, &propositions, false);
            }
            (ClaimText::File, Some(file)) => self.file(file),
            _ => self.report(no_text(Span::NONE)),
        }
    }

    fn whole(&self, file: FileId) -> Span {
        Span::new(file, 0..self.sources.file(file).text().len())
    }

    /// The text of a file without the `;` that may end it.
    fn without_semicolon(&self, file: FileId) -> Range<usize> {
        let text = self.sources.file(file).text().trim_end();
        0..text.strip_suffix(';').unwrap_or(text).len()
    }

    fn file(&mut self, file: FileId) {
        let mut propositions = Propositions::new(self.sources, self.model, self.names);
        let mut properties = 0;
        for line in lines(self.sources.file(file).text()) {
            if self.diagnostics.is_full() {
                return;
            }
            match line {
                Line::Define { name, body } => {
                    if let Err(found) = propositions.define(file, name, body) {
                        self.diagnostics.extend(found);
                    }
                }
                Line::Property { formula } => {
                    properties += 1;
                    let name = format!("property_{properties}");
                    let span = Span::new(file, formula.clone());
                    self.formula(&name, span, (file, formula), &propositions, true);
                }
                Line::Named { name, formula } => {
                    let text = self.sources.text(Span::new(file, name.clone()));
                    let span = Span::new(file, name.start..formula.end.max(name.end));
                    self.formula(text, span, (file, formula), &propositions, false);
                }
                Line::Other { word } => self.other(file, word),
            }
        }
    }

    /// `#` and a word: free text, unless it is nearly one of ours.
    fn other(&mut self, file: FileId, word: Range<usize>) {
        let span = Span::new(file, word);
        if let Some(meant) = nearest(self.sources.text(span), ["define", "property"]) {
            let message = "only definitions and properties can follow a `#`";
            let found = Diagnostic::error(codes::BAD_CLAIM, message, span).label("unknown");
            self.report(found.help(format!("did you mean `#{meant}`?")));
        }
    }

    /// Adds a formula; what is wrong with it is reported.
    fn formula(
        &mut self,
        name: &str,
        span: Span,
        place: (FileId, Range<usize>),
        propositions: &Propositions<'_>,
        both: bool,
    ) {
        let file = place.0;
        let mut atoms = Atoms { propositions, file, list: Vec::new(), told: Diagnostics::new() };
        match self.read(place, &mut atoms, both) {
            Ok(formula) => {
                let ltl = Ltl { formula, atoms: atoms.list, finite_runs: true };
                self.add(name, span, PropertyKind::Ltl(Box::new(ltl)));
            }
            Err(found) => {
                self.diagnostics.extend(atoms.told);
                self.report(*found);
            }
        }
    }

    /// A formula by levels, which must say the same from left to right if `both`.
    fn read(
        &self,
        (file, range): (FileId, Range<usize>),
        atoms: &mut Atoms<'_, '_>,
        both: bool,
    ) -> Result<Formula, Box<Diagnostic>> {
        let text = self.sources.file(file).text();
        let words = words::words(text, range.clone(), file, atoms.propositions)?;
        let read = formula::formula(&words, file, Binding::Levels, atoms)?;
        if both && read != formula::formula(&words, file, Binding::Alike, atoms)? {
            let message = "this formula can be read in two ways";
            let span = Span::new(file, range);
            let found = Diagnostic::error(codes::UNCLEAR_ORDER, message, span);
            let found = found.label("DiVinE reads all operators from left to right");
            return Err(Box::new(found.help("write parentheses: `p -> (q && r)`")));
        }
        Ok(read)
    }

    /// An automaton: each file is what one of its propositions means.
    fn automaton(&mut self, name: &str, automaton: &Automaton, files: &[FileId]) {
        let place = files.first().map_or(Span::NONE, |&file| self.whole(file));
        if files.len() != automaton.atoms {
            let message = format!(
                "the automaton `{name}` has {} propositions, but the number of texts for them is {}",
                automaton.atoms,
                files.len()
            );
            return self.report(Diagnostic::error(codes::BAD_AUTOMATON, message, place));
        }
        let propositions = Propositions::new(self.sources, self.model, self.names);
        let mut atoms = Vec::new();
        for &file in files {
            match self.atom(&propositions, file) {
                Ok(atom) => atoms.push(atom),
                Err(found) => self.diagnostics.extend(found),
            }
        }
        let never = Never { automaton: automaton.clone(), atoms };
        self.add(name, place, PropertyKind::Never(Box::new(never)));
    }

    /// A condition that is a whole text.
    fn atom(&self, propositions: &Propositions<'_>, file: FileId) -> Result<Atom, Diagnostics> {
        let text = self.sources.file(file).text();
        let expr = propositions.expression(file, 0..text.len())?;
        let expr = propositions.lowered(&expr).map_err(|found| *found)?;
        Ok(Atom { expr, text: one_line(text) })
    }

    /// Adds a property, whose name must be new.
    fn add(&mut self, name: &str, span: Span, kind: PropertyKind) {
        let all = self.program.properties.iter().chain(&self.found);
        let first = all.filter(|p| p.name == name).map(|p| p.span).next();
        if let Some(first) = first {
            let message = format!("two properties are called `{name}`");
            let found = Diagnostic::error(codes::DEFINED_TWICE, message, span).label("the second");
            let found = if first.is_none() { found } else { found.related(first, "the first") };
            self.report(found);
        }
        self.found.push(Property { name: name.into(), kind, span });
    }
}
