//! `taut ltl`: the automaton of a formula.

use taut::diag::{Diagnostic, SourceMap, Span, render_all};
use taut::ltl::{Automaton, Formula, ParseError, Parsed, dot, hoa, never, parse};

use super::args::{AutomatonArg, LtlArgs};
use super::exit::Exit;
use super::output::{eprint, is_error_styled, print};

/// Runs the command.
pub fn run(args: &LtlArgs) -> Exit {
    let Parsed { formula, atoms } = match parse(&args.formula) {
        Ok(parsed) => parsed,
        Err(error) => return refuse(&args.formula, error),
    };
    let formula = if args.negate { Formula::not(formula) } else { formula };
    let title = formula.display(&atoms).to_string();
    let mut automaton = match Automaton::of(&formula, atoms.len()) {
        Ok(automaton) => automaton,
        Err(error) => {
            eprint(&format!("error: {error}\n"));
            return Exit::BadInput;
        }
    };
    automaton.name = Some(title.clone());
    print(&match args.to {
        AutomatonArg::Hoa => hoa::write(&automaton, &atoms),
        AutomatonArg::Never => never::write(&automaton, &atoms, &title),
        AutomatonArg::Dot => dot::write(&automaton, &atoms),
    });
    Exit::Holds
}

/// Shows what is wrong with a formula.
fn refuse(text: &str, error: ParseError) -> Exit {
    let mut sources = SourceMap::new();
    let file = sources.add("formula", text);
    let mut diagnostic = Diagnostic::error("E0008", error.message, Span::new(file, error.at));
    if let Some(help) = error.help {
        diagnostic = diagnostic.help(help);
    }
    eprint(&render_all(&sources, &diagnostic.into(), is_error_styled()));
    eprint("\n");
    Exit::BadInput
}
