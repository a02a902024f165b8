//! Claims that are not in the text of a model: formulas and automata given from outside.
//!
//! They are read in the model's own world: its macros stand at their end, its names mean what they mean in its
//! `ltl` blocks. Each claim has one name, by which reports and `--property` speak of it; [`names`] says which,
//! with the names that SPIN 6.5 gives to claims that have none.

use taut_ltl::Automaton;
use taut_source::Span;

use crate::ast::{Expr, Item, Ltl, Model, Name};

/// A claim from outside after it was read.
#[derive(Clone, Debug)]
pub(crate) enum Extra {
    Formula(Ltl),
    Automaton { name: Name, automaton: Automaton, propositions: Vec<Expr> },
}

/// The name of a claim, with the places of its name and of the claim.
pub(crate) struct Named {
    pub name: String,
    pub at: Span,
    pub span: Span,
}

/// The names of all claims: those of the model in the order of its text, then those from outside.
pub(crate) fn names(model: &Model, extra: &[Extra]) -> Vec<Named> {
    let (mut nevers, mut formulas) = (0, 0);
    let mut all = Vec::new();
    for item in &model.items {
        match item {
            Item::Ltl(ltl) => all.push(of_formula(ltl, &mut formulas)),
            Item::Never(never) => {
                all.push(named(never.name.as_ref(), never.at.0, || format!("never_{nevers}")));
                nevers += 1;
            }
            _ => {}
        }
    }
    all.extend(extra.iter().map(|claim| match claim {
        Extra::Formula(ltl) => of_formula(ltl, &mut formulas),
        Extra::Automaton { name, .. } => named(Some(name), name.at.0, String::new),
    }));
    all
}

/// The name of a formula; SPIN numbers those that have none.
fn of_formula(ltl: &Ltl, unnamed: &mut usize) -> Named {
    named(ltl.name.as_ref(), ltl.at.0, || {
        *unnamed += 1;
        format!("ltl_{}", *unnamed - 1)
    })
}

fn named(name: Option<&Name>, span: Span, otherwise: impl FnOnce() -> String) -> Named {
    match name {
        Some(name) => Named { name: name.text.clone(), at: name.at.0, span },
        None => Named { name: otherwise(), at: span, span },
    }
}
