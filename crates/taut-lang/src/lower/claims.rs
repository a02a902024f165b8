//! Properties from outside of the program's text.

use taut_ir::{Never, PropertyKind};
use taut_ltl::Automaton;
use taut_source::{Diagnostic, FileId, Span};

use super::Lowering;
use super::scope::Scope;
use crate::claim::{Named, Reader, read_file};
use crate::{Claim, ClaimText, ast, codes};

impl Lowering<'_> {
    /// Adds the properties of claims after those that are there.
    pub(super) fn claims(&mut self, claims: &[Claim]) {
        for claim in claims {
            if self.hopeless() {
                return;
            }
            let known = claim.files.iter().all(|&file| self.map.get(file).is_some());
            let file = claim.files.first().copied().filter(|_| known);
            match (&claim.text, file) {
                (ClaimText::Automaton { name, automaton }, _) if known => {
                    self.automaton(name, automaton, &claim.files);
                }
                (ClaimText::Formula { name }, Some(file)) => self.formula_claim(name, file),
                (ClaimText::File, Some(file)) => self.file(file),
                _ => {
                    let message = "a property without a text";
                    self.report(Diagnostic::error(codes::BAD_CLAIM, message, Span::NONE));
                }
            }
        }
    }

    /// Reads something of a claim.
    fn reading<T>(&mut self, read: impl FnOnce(&mut Reader<'_>) -> T) -> T {
        let names = self.program.processes.iter().map(|p| p.name.as_str());
        let processes = names.map(|n| n.split(['[', '#']).next().unwrap_or(n)).collect();
        read(&mut Reader { map: self.map, processes, diagnostics: self.diagnostics })
    }

    fn formula_claim(&mut self, name: &str, file: FileId) {
        if let Some(formula) = self.reading(|r| r.formula(file)) {
            self.claimed_formula(name, formula.span, &formula);
        }
    }

    fn file(&mut self, file: FileId) {
        for Named { name, formula } in self.reading(|r| read_file(r, file)) {
            if self.hopeless() {
                return;
            }
            self.claimed_formula(&name.text, name.span, &formula);
        }
    }

    fn claimed_formula(&mut self, name: &str, place: Span, formula: &ast::Formula) {
        let ltl = self.ltl(formula);
        self.claimed(name, place, PropertyKind::Ltl(Box::new(ltl)));
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
        let mut atoms = Vec::new();
        for &file in files {
            let Some(expr) = self.reading(|r| r.expression(file)) else { continue };
            atoms.push(self.atom(&Scope::temporal(), &expr));
        }
        let never = Never { automaton: automaton.clone(), atoms };
        self.claimed(name, place, PropertyKind::Never(Box::new(never)));
    }

    fn whole(&self, file: FileId) -> Span {
        Span::new(file, 0..self.map.file(file).text().len())
    }

    /// Adds a property of a claim, whose name must be new.
    fn claimed(&mut self, name: &str, place: Span, kind: PropertyKind) {
        let known = self.program.properties.iter().find(|p| p.name == name).map(|p| p.span);
        if let Some(first) = known {
            let message = format!("two properties are called `{name}`");
            let found = Diagnostic::error(codes::DECLARED_TWICE, message, place);
            let found = found.label("the second");
            let found = if first.is_none() { found } else { found.related(first, "the first") };
            self.report(found);
        }
        self.property(name.into(), kind, place);
    }
}
