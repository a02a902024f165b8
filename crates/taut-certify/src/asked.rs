//! Questions from outside of the text: formulas, automata, labels with a meaning.
//!
//! They are part of the certificate, so that the checker asks what was asked. Formulas and automata are read by the
//! front end or with the names of the program model; labels are formulas about program points.

use taut_ir::frontend::Labelled;
use taut_ir::{Claim, ClaimText, Program};
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
    let labelled = labelled.unwrap_or_else(|| Labelled::of(program));
    program.properties.extend(asked.iter().filter_map(|question| match question {
        Outside::Progress => Some(labelled.progress_property()),
        Outside::Acceptance => Some(labelled.acceptance_property()),
        _ => None,
    }));
}
