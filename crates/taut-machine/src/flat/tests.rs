//! Flat code against the trees: the same answers, the same outcomes.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use taut_ir::{
    BinaryOp, Finding, FullBuffer, Interval, Memory, MemoryModel, Overflow, ProcId, Program, Type,
    UnaryOp,
};
use taut_memory::{Field, LayoutBuilder, MemorySystem, Sc};
use taut_testkit::promela_like;
use taut_testkit::random::{config, graph};

use super::decision::Decision;
use super::test::Truth;
use super::write::Writes;
use crate::code::Code;
use crate::destination::{Destination, Fit};
use crate::effect::{CompiledEffect, run};
use crate::stop::{StepContext, Stop};
use crate::take::take;
use crate::{Bound, Machine, MachineVisitor, Provenance, Scratch, Sink, compile, compile_for};

/// States of a program that are looked at.
const MOST_STATES: usize = 150;

/// Takes states.
#[derive(Default)]
struct Successors(Vec<Vec<u64>>);

impl Sink for Successors {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        self.0.push(state.to_vec());
    }
    fn finding(&mut self, _: Provenance, _: Finding) {}
    fn blocked(&mut self, _: Bound) {}
}

/// Compares every step in the first states of a machine.
fn steps_agree<M: MemorySystem>(machine: &Machine<M>) -> Result<(), TestCaseError> {
    let mut seen = BTreeSet::from([machine.initial().to_vec()]);
    let mut queue = VecDeque::from([machine.initial().to_vec()]);
    while let Some(state) = queue.pop_front() {
        for timeout in [false, true] {
            steps_agree_in(machine, StepContext { state: &state, timeout, could_start: 0 })?;
        }
        let mut sink = Successors::default();
        machine.expand(&state, &mut Scratch::default(), &mut sink);
        for next in sink.0 {
            if seen.len() < MOST_STATES && seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
    Ok(())
}

fn steps_agree_in<M: MemorySystem>(
    machine: &Machine<M>,
    before: StepContext<'_>,
) -> Result<(), TestCaseError> {
    let (mut flatly, mut carefully) = (before.state.to_vec(), before.state.to_vec());
    for process in &machine.processes {
        let mut moment = before;
        for (i, step) in process.steps[process.pc.bits(before.state) as usize].iter().enumerate() {
            let mut failed = Vec::new();
            let careful = take(machine, process, step, moment, &mut carefully, &mut failed);
            let flat = step.flat.as_ref();
            match flat.and_then(|f| {
                f.take(machine, (process.id, step.channel.as_ref()), moment, &mut flatly)
            }) {
                Some(true) => {
                    prop_assert!(
                        careful.is_ok() && failed.is_empty(),
                        "{:?}: {careful:?}",
                        step.action
                    );
                    prop_assert_eq!(&flatly, &carefully, "{:?}: {:?}", step.action, flat);
                }
                Some(false) => {
                    let disabled = matches!(careful, Err(Stop::Disabled));
                    prop_assert!(disabled, "{:?}: {careful:?}, {flat:?}", step.action);
                }
                None => {}
            }
            let started = !matches!(careful, Err(Stop::Disabled | Stop::Meeting(_)));
            moment.could_start |= u64::from(started).wrapping_shl(i as u32);
        }
    }
    Ok(())
}

fn agree(program: &Program, model: MemoryModel) -> Result<(), TestCaseError> {
    let memory = Memory { model, bound: Some(2), full_buffer: FullBuffer::Wait };
    compile(program, memory, &[], 1).visit(StepsAgree)
}

struct StepsAgree;

impl MachineVisitor for StepsAgree {
    type Out = Result<(), TestCaseError>;

    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Self::Out {
        steps_agree(machine)
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn steps_of_random_programs(draft in graph(7)) {
        for model in MemoryModel::ALL {
            agree(&draft.program(), model)?;
        }
    }

    #[test]
    fn steps_of_random_programs_with_channels(draft in promela_like::draft()) {
        let program = draft.program();
        for model in [MemoryModel::Sc, MemoryModel::Tso] {
            agree(&program, model)?;
        }
    }
}

/// A machine without a program, for what needs one but does not look at it.
fn nothing() -> Machine<Sc> {
    let memory = Memory { model: MemoryModel::Sc, bound: Some(1), full_buffer: FullBuffer::Wait };
    compile_for(&Program::default(), memory, &[], 1)
}

/// Six fields in a few words, of widths and smallest values that are drawn.
fn fields(drawn: &[(u32, i64)]) -> (Vec<Field>, usize) {
    let mut layout = LayoutBuilder::new();
    let add = |&(width, lo): &(u32, i64)| {
        let size = 1_i64.checked_shl(width).unwrap_or(0);
        layout.add(Interval { lo, hi: lo + size - 1 })
    };
    let fields = drawn.iter().map(add).collect();
    (fields, layout.finish().words)
}

fn drawn_fields() -> impl Strategy<Value = Vec<(u32, i64)>> {
    prop::collection::vec((0_u32..25, -3_i64..4), 6)
}

/// A state in which only bits of fields are set.
fn state(fields: &[Field], words: usize, bits: &[u64]) -> Vec<u64> {
    let mut state = vec![0; words];
    for (field, bits) in fields.iter().zip(bits) {
        let ones = (1_u64 << field.width()) - 1;
        // Small numbers often, since they are what programs compare with.
        let bits = if bits & 1 == 0 { (bits >> 1) % 4 } else { bits >> 1 };
        field.set_bits(&mut state, bits & ones);
    }
    state
}

/// Code over fields 0 to 5 as names, to be resolved once there are fields.
#[derive(Clone, Debug)]
enum Draft {
    Const(i64),
    Field(usize),
    Compute(usize, BinaryOp, i64),
    Not(Box<Draft>),
    Binary(BinaryOp, Box<Draft>, Box<Draft>),
    And(Box<Draft>, Box<Draft>),
    Or(Box<Draft>, Box<Draft>),
    Cond(Box<[Draft; 3]>),
}

fn operator() -> impl Strategy<Value = BinaryOp> {
    prop::sample::select(&BinaryOp::ALL[..])
}

fn draft() -> impl Strategy<Value = Draft> {
    let equality = (0_usize..6, 0_i64..4).prop_map(|(f, n)| Draft::Compute(f, BinaryOp::Eq, n));
    let leaf = prop_oneof![
        1 => (-1_i64..2).prop_map(Draft::Const),
        2 => (0_usize..6).prop_map(Draft::Field),
        4 => (0_usize..6, operator(), -5_i64..9).prop_map(|(f, op, n)| Draft::Compute(f, op, n)),
        4 => equality,
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        let three = [inner.clone(), inner.clone(), inner.clone()];
        prop_oneof![
            2 => inner.clone().prop_map(|a| Draft::Not(Box::new(a))),
            4 => pair.clone().prop_map(|(a, b)| Draft::And(a, b)),
            3 => pair.clone().prop_map(|(a, b)| Draft::Or(a, b)),
            2 => (operator(), pair).prop_map(|(op, (a, b))| Draft::Binary(op, a, b)),
            1 => three.prop_map(|parts| Draft::Cond(Box::new(parts))),
        ]
    })
}

impl Draft {
    fn code(&self, fields: &[Field]) -> Code {
        let boxed = |draft: &Draft| Box::new(draft.code(fields));
        match self {
            Draft::Const(value) => Code::Const(*value),
            Draft::Field(f) => Code::Field(fields[*f]),
            Draft::Compute(f, op, number) => {
                Code::Compute { field: fields[*f], op: *op, number: *number }
            }
            Draft::Not(a) => Code::Unary(UnaryOp::Not, boxed(a)),
            Draft::Binary(op, a, b) => Code::Binary(*op, boxed(a), boxed(b)),
            Draft::And(a, b) => Code::And(boxed(a), boxed(b)),
            Draft::Or(a, b) => Code::Or(boxed(a), boxed(b)),
            Draft::Cond(parts) => Code::Cond(Box::new([0, 1, 2].map(|i| parts[i].code(fields)))),
        }
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn a_test_is_its_comparison(
        drawn in drawn_fields(), op in operator(), number in -9_i64..40, bits in any::<[u64; 6]>()
    ) {
        let (fields, words) = fields(&drawn);
        let state = state(&fields, words, &bits);
        let machine = nothing();
        for &field in &fields {
            let code = Code::Compute { field, op, number };
            let Some(truth) = Truth::of(&code) else { continue };
            let expected = code.eval(&machine.memory, &state).expect("a comparison") != 0;
            let holds = match truth {
                Truth::Always => true,
                Truth::Never => false,
                Truth::If(test) => test.holds(&state),
            };
            prop_assert_eq!(holds, expected, "{:?}", code);
        }
    }

    #[test]
    fn a_decision_is_its_conditions_in_order(
        drawn in drawn_fields(),
        drafts in prop::collection::vec(draft(), 1..4),
        bits in any::<[u64; 6]>(),
    ) {
        let (fields, words) = fields(&drawn);
        let state = state(&fields, words, &bits);
        let machine = nothing();
        let codes: Vec<_> = drafts.iter().map(|d| d.code(&fields)).collect();
        let all = codes.iter().map(|code| code.eval(&machine.memory, &state));
        let decided = all.map(|value| value.map(|v| v != 0)).find(|v| *v != Ok(true));
        let expected = match decided {
            None => Some(true),
            Some(Ok(_)) => Some(false),
            Some(Err(_)) => None,
        };
        let decision = Decision::all(codes.iter().collect()).expect("a small one");
        prop_assert_eq!(decision.decide(&machine.memory, &state), expected, "{:?}", decision);
    }

    #[test]
    fn writes_are_their_assignments_in_order(
        drawn in drawn_fields(),
        list in prop::collection::vec((0_usize..6, 0_u8..4, draft(), -3_i64..4, any::<bool>()), 1..7),
        bits in any::<[u64; 6]>(),
    ) {
        let (fields, words) = fields(&drawn);
        let (mut flatly, machine) = (state(&fields, words, &bits), nothing());
        let mut carefully = flatly.clone();
        let (mut writes, mut goes_well) = (Writes::default(), true);
        for (f, kind, draft, by, wraps) in &list {
            let Interval { lo, hi } = fields[*f].interval();
            let overflow = if *wraps { Overflow::Wrap } else { Overflow::Fault };
            let into = Fit::Into(Type { lo, hi, overflow });
            let (value, fit) = match kind {
                0 => (Code::Const((lo + by.abs()).min(hi)), Fit::Fits),
                1 => (Code::Compute { field: fields[*f], op: BinaryOp::Add, number: *by }, into),
                2 => (Code::Compute { field: fields[*f], op: BinaryOp::Sub, number: *by }, into),
                _ => (draft.code(&fields), into),
            };
            let destination = Destination::Field(fields[*f], fit);
            writes.assign(destination.clone(), value.clone());
            let effect = CompiledEffect::Assign(destination, value);
            goes_well = goes_well
                && run(&machine, ProcId(0), &effect, &mut carefully, &mut Vec::new()).is_ok();
        }
        let (writes, patches) = writes.finish();
        let done = writes.iter().all(|write| write.run(&machine, ProcId(0), &mut flatly));
        patches.iter().for_each(|patch| patch.apply(&mut flatly));
        // What would wrap around is left to the trees.
        prop_assert!(goes_well || !done, "{:?} {:?}", writes, patches);
        if done {
            prop_assert_eq!(flatly, carefully, "{:?} {:?}", writes, patches);
        }
    }
}

/// A negation was joined with an equality of the same word, and its exits stayed the wrong way round.
#[test]
fn regression_a_negation_beside_an_equality() {
    let (fields, words) = fields(&[(2, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0)]);
    let machine = nothing();
    let status = Code::Compute { field: fields[0], op: BinaryOp::Eq, number: 2 };
    let not = Code::Unary(UnaryOp::Not, Box::new(Code::Field(fields[1])));
    let both = Code::And(Box::new(status), Box::new(not));
    let decision = Decision::all(vec![&both]).expect("a small one");
    for (first, second) in [(2, 0), (2, 1), (1, 0), (1, 1)] {
        let mut state = vec![0; words];
        fields[0].set_bits(&mut state, first);
        fields[1].set_bits(&mut state, second);
        let expected = first == 2 && second == 0;
        assert_eq!(decision.decide(&machine.memory, &state), Some(expected));
    }
}
