//! Questions from outside of the text: formulas, automata, labels with a meaning.
//!
//! They are part of the certificate, so that the checker asks what was asked. Formulas and automata are read by the
//! front end or with the names of the program model; labels are formulas about program points.

use taut_ir::frontend::Labelled;
use taut_ir::{
    Atom, BinaryOp, Claim, ClaimText, Expr, Ltl, PointId, Program, Property, PropertyKind,
};
use taut_ltl::Formula;
use taut_proof::{Include, Outside};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

/// The claims of some questions, their texts added to the sources.
pub(crate) fn claims(
    asked: &[Outside],
    sources: &mut SourceMap,
) -> Result<Vec<Claim>, Diagnostics> {
    let (mut formulas, mut automata) = (0, 0);
    let mut claims = Vec::new();
    for question in asked {
        match question {
            Outside::Ltl(text) => {
                let files = vec![add(sources, "--ltl", text)?];
                let name = name("ltl", &mut formulas);
                claims.push(Claim { files, text: ClaimText::Formula { name } });
            }
            Outside::LtlFile(Include { name, text }) => {
                let files = vec![add(sources, name, text)?];
                claims.push(Claim { files, text: ClaimText::File });
            }
            Outside::Hoa(Include { name: file, text }) => {
                let read = taut_ltl::hoa::read(text)
                    .map_err(|error| Diagnostic::error("E0007", error.message, Span::NONE))?;
                // The text itself is a file, too, before its propositions.
                add(sources, file, text)?;
                let each = read.atoms.iter().map(|atom| add(sources, file, atom));
                let files = each.collect::<Result<_, _>>()?;
                let (name, automaton) = (name("hoa", &mut automata), read.automaton);
                claims.push(Claim { files, text: ClaimText::Automaton { name, automaton } });
            }
            Outside::Progress | Outside::Acceptance => {}
        }
    }
    Ok(claims)
}

/// Names for questions that have none: `ltl`, `ltl_2`, and so on.
fn name(word: &str, count: &mut usize) -> String {
    *count += 1;
    if *count == 1 { word.into() } else { format!("{word}_{count}") }
}

fn add(sources: &mut SourceMap, name: &str, text: &str) -> Result<FileId, Diagnostics> {
    sources.add_bytes(name, text.as_bytes().to_vec()).map_err(|found| Diagnostics::from(*found))
}

/// Adds the questions about labels to a program.
pub(crate) fn add_labels(asked: &[Outside], program: &mut Program, labelled: Option<Labelled>) {
    let labelled = labelled.unwrap_or_else(|| Labelled {
        progress: at_labels(program, "progress"),
        accept: at_labels(program, "accept"),
    });
    for question in asked {
        let (name, word, formula, finite_runs, at) = match question {
            Outside::Progress => {
                let again = Formula::always(Formula::eventually(Formula::atom(0)));
                ("progress", "progress", again, false, &labelled.progress)
            }
            Outside::Acceptance => {
                let never = Formula::always(Formula::not(Formula::atom(0)));
                ("acceptance", "accept", Formula::eventually(never), true, &labelled.accept)
            }
            _ => continue,
        };
        // Without a label no process is ever at one.
        let expr = at.clone().unwrap_or(Expr::Const(0));
        let atoms = vec![Atom { expr, text: format!("at {word}") }];
        let kind = PropertyKind::Ltl(Box::new(Ltl { formula, atoms, finite_runs }));
        program.properties.push(Property { name: name.into(), kind, span: Span::NONE });
    }
}

/// Whether some process is at a label that begins with a word; none if there is no such label.
fn at_labels(program: &Program, word: &str) -> Option<Expr> {
    let places = program.process_ids().filter_map(|process| {
        let points = program.def_of(process).points.iter().enumerate();
        let marked = points.filter(|(_, point)| point.labels.iter().any(|l| l.starts_with(word)));
        let marked: Vec<PointId> = marked.map(|(i, _)| PointId::from(i)).collect();
        (!marked.is_empty()).then_some(Expr::At(process, marked))
    });
    places.reduce(|a, b| Expr::binary(BinaryOp::Or, a, b))
}
