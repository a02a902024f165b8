//! Programs with properties of runs.

use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Atom, Expr, Fairness, Ltl, Memory, MemoryFairness, Never, ProcId, Program, PropId, Property,
    PropertyKind, Span, Step, Type,
};
use taut_ltl::Automaton;
use taut_witness::Trace;
use taut_witness::temporal::counterexample;

use super::LIMIT;

pub const PROCESS: Fairness = Fairness { process: true, memory: MemoryFairness::None };
pub const BUFFERS: Fairness = Fairness { process: false, memory: MemoryFairness::Buffers };
pub const MEMORY_PROCESS: Fairness = Fairness { process: true, memory: MemoryFairness::Process };

fn add(program: &mut Program, name: &str, kind: PropertyKind) -> PropId {
    let id = PropId::from(program.properties.len());
    program.properties.push(Property { name: name.into(), kind, span: Span::NONE });
    taut_ir::validate::validate(program).expect("a valid program");
    id
}

/// A formula as text and its atoms, in the order of `meanings`, which must have them all.
pub fn parsed(text: &str, meanings: &[(&str, Expr)]) -> Ltl {
    let parsed = taut_ltl::parse(text).expect("a formula");
    let atom = |text: &String| {
        let meaning = meanings.iter().find(|(name, _)| name == text);
        let (_, expr) = meaning.unwrap_or_else(|| panic!("what does `{text}` mean?"));
        Atom { expr: expr.clone(), text: text.clone() }
    };
    let atoms = parsed.atoms.iter().map(atom).collect();
    Ltl { formula: parsed.formula, atoms, finite_runs: true }
}

/// Asks a formula of a program.
pub fn ltl(program: &mut Program, text: &str, meanings: &[(&str, Expr)]) -> PropId {
    let ltl = parsed(text, meanings);
    add(program, text, PropertyKind::Ltl(Box::new(ltl)))
}

/// The same of infinite runs only.
pub fn ltl_of_infinite_runs(program: &mut Program, text: &str, all: &[(&str, Expr)]) -> PropId {
    let ltl = Ltl { finite_runs: false, ..parsed(text, all) };
    add(program, &format!("infinite {text}"), PropertyKind::Ltl(Box::new(ltl)))
}

/// Forbids the runs of an automaton.
pub fn never(program: &mut Program, name: &str, automaton: Automaton, atoms: Vec<Atom>) -> PropId {
    add(program, name, PropertyKind::Never(Box::new(Never { automaton, atoms })))
}

/// Brute force's counterexample.
pub fn shown(
    program: &Program,
    memory: Memory,
    property: PropId,
    fairness: Fairness,
) -> Option<Trace> {
    counterexample(program, memory, property, fairness, LIMIT).expect("a small program")
}

/// A process that does nothing, for ever.
pub fn spin(b: &mut ProgramBuilder, name: &str) -> ProcId {
    let mut p = b.process(name);
    let here = p.here();
    p.edge(Step::skip(here, here, Span::NONE));
    p.finish()
}

/// `x == value`
pub fn is(var: taut_ir::VarId, value: i64) -> Expr {
    Expr::from(var).equals(value.into())
}

/// `p` wants to enter when it is its turn; `q` gives the turn to itself for ever. Steps of `p`: want := 1,
/// assume(turn == 1), at cs; of `q`: turn := 0, back.
pub fn starving() -> (Program, PropId) {
    let mut b = ProgramBuilder::new("starving");
    let want = b.shared("want", Type::INT, 0);
    let turn = b.shared("turn", Type::INT, 0);
    let mut p = b.process("p");
    p.store(want, 1).assume(is(turn, 1)).label("cs");
    let cs = p.here();
    p.store(want, 0);
    let p = p.finish();
    let mut q = b.process("q");
    let start = q.here();
    q.store(turn, 0).goto(start);
    q.finish();
    let mut program = b.build().expect("a valid program");
    let meanings = [("want == 1", is(want, 1)), ("p@cs", Expr::At(p, vec![cs]))];
    let property = ltl(&mut program, "[] (want == 1 -> <> p@cs)", &meanings);
    (program, property)
}

/// `p` spins, `q` stores to x and ends.
pub fn spinner() -> (Program, PropId) {
    let mut b = ProgramBuilder::new("spinner");
    let x = b.shared("x", Type::INT, 0);
    spin(&mut b, "p");
    let mut q = b.process("q");
    q.store(x, 1);
    q.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(x, 1))]);
    (program, property)
}
