//! Random formulas about random programs.

use proptest::prelude::*;
use taut_ir::{
    Atom, BinaryOp, Expr, Fairness, Ltl, MemoryFairness, PointId, ProcId, Program, PropId,
    Property, PropertyKind, Span, VarId,
};
use taut_ltl::Formula;

/// How many atoms a random formula speaks of.
pub const ATOMS: u32 = 3;

/// What an atom is drawn as; `expr` makes it a condition on a program.
#[derive(Clone, Copy, Debug)]
pub struct DraftAtom {
    kind: u8,
    which: u8,
    number: u8,
}

impl DraftAtom {
    fn expr(self, program: &Program) -> Expr {
        let process = ProcId::from(usize::from(self.which) % program.processes.len().max(1));
        let def = program.def_of(process);
        let point = PointId::from(usize::from(self.number) % def.points.len());
        match self.kind {
            0 if !program.processes.is_empty() => Expr::Drained(process),
            1 if !program.processes.is_empty() => Expr::Enabled(process),
            2..4 if !program.processes.is_empty() => Expr::At(process, vec![point]),
            _ => self.comparison(program),
        }
    }

    fn comparison(self, program: &Program) -> Expr {
        let scalars = program.var_ids().filter(|&v| program.var(v).len.is_none());
        let scalars: Vec<VarId> = scalars.collect();
        let Some(&var) = scalars.get(usize::from(self.which) % scalars.len().max(1)) else {
            return Expr::TRUE;
        };
        let op = if self.kind.is_multiple_of(2) { BinaryOp::Eq } else { BinaryOp::Lt };
        Expr::binary(op, var.into(), i64::from(self.number % 3).into())
    }
}

fn atom() -> BoxedStrategy<DraftAtom> {
    (0_u8..8, any::<u8>(), any::<u8>())
        .prop_map(|(kind, which, number)| DraftAtom { kind, which, number })
        .boxed()
}

/// Formulas over [`ATOMS`] atoms.
pub fn formula(depth: u32) -> BoxedStrategy<Formula> {
    let leaf = prop_oneof![
        8 => (0..ATOMS).prop_map(Formula::atom),
        1 => Just(Formula::True),
        1 => Just(Formula::False),
    ];
    leaf.prop_recursive(depth, 24, 2, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            2 => boxed().prop_map(Formula::Not),
            2 => (boxed(), boxed()).prop_map(|(f, g)| Formula::And(f, g)),
            2 => (boxed(), boxed()).prop_map(|(f, g)| Formula::Or(f, g)),
            2 => (boxed(), boxed()).prop_map(|(f, g)| Formula::Implies(f, g)),
            1 => (boxed(), boxed()).prop_map(|(f, g)| Formula::Iff(f, g)),
            1 => boxed().prop_map(Formula::Next),
            4 => boxed().prop_map(Formula::Always),
            4 => boxed().prop_map(Formula::Eventually),
            2 => (boxed(), boxed()).prop_map(|(f, g)| Formula::Until(f, g)),
            1 => (boxed(), boxed()).prop_map(|(f, g)| Formula::Release(f, g)),
            1 => (boxed(), boxed()).prop_map(|(f, g)| Formula::WeakUntil(f, g)),
        ]
    })
    .boxed()
}

/// A formula, its atoms, and whether runs that end count.
#[derive(Clone, Debug)]
pub struct Question {
    formula: Formula,
    atoms: Vec<DraftAtom>,
    finite_runs: bool,
}

/// Questions about runs.
pub fn question(depth: u32) -> BoxedStrategy<Question> {
    let atoms = prop::collection::vec(atom(), ATOMS as usize);
    (formula(depth), atoms, prop::bool::weighted(0.8))
        .prop_map(|(formula, atoms, finite_runs)| Question { formula, atoms, finite_runs })
        .boxed()
}

impl Question {
    /// Asks it of a program.
    pub fn ask(&self, program: &mut Program) -> PropId {
        let atoms = self
            .atoms
            .iter()
            .enumerate()
            .map(|(i, atom)| Atom { expr: atom.expr(program), text: format!("a{i}") });
        let ltl = Ltl {
            formula: self.formula.clone(),
            atoms: atoms.collect(),
            finite_runs: self.finite_runs,
        };
        let id = PropId::from(program.properties.len());
        let kind = PropertyKind::Ltl(Box::new(ltl));
        program.properties.push(Property { name: "run".into(), kind, span: Span::NONE });
        id
    }
}

/// Any fairness.
pub fn fairness() -> BoxedStrategy<Fairness> {
    let memory = prop_oneof![
        Just(MemoryFairness::None),
        Just(MemoryFairness::Buffers),
        Just(MemoryFairness::Process)
    ];
    (any::<bool>(), memory).prop_map(|(process, memory)| Fairness { process, memory }).boxed()
}
