//! The dual semantics itself, state by state with bounded buffers, against TSO with bounded buffers: the same
//! control states are reachable. A plain second implementation: whole buffers, no words, no reductions.

use std::collections::{BTreeSet, HashSet, VecDeque};

use proptest::prelude::*;
use taut_testkit::cases::random_cases;

/// An instruction of a process; each goes to the next one, the last one to the first if the process loops.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Store(u8, u8),
    /// Waits until the cell has the value.
    Load(u8, u8),
    Fence,
    /// Waits until memory has the first value in the cell, and puts the second one there.
    Exchange(u8, u8, u8),
}

#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) list: Vec<Instruction>,
    pub(super) loops: bool,
}

/// An entry of a load buffer: cell, value, and whether it is of the process itself.
pub(super) type Message = (u8, u8, bool);

#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(super) struct State {
    pub(super) points: Vec<usize>,
    pub(super) memory: [u8; 2],
    pub(super) loads: Vec<Vec<Message>>,
    pub(super) stores: Vec<Vec<(u8, u8)>>,
}

fn start(code: &[Code]) -> State {
    let points = vec![0; code.len()];
    State {
        points,
        memory: [0; 2],
        loads: vec![vec![]; code.len()],
        stores: vec![vec![]; code.len()],
    }
}

pub(super) fn next(code: &Code, point: usize) -> usize {
    if code.loops && point + 1 == code.list.len() { 0 } else { point + 1 }
}

fn dual(code: &[Code], state: &State, bound: usize, to: &mut Vec<State>) {
    for (p, own) in code.iter().enumerate() {
        let (point, buffer) = (state.points[p], &state.loads[p]);
        let mut go = |change: &dyn Fn(&mut State)| {
            let mut new = state.clone();
            change(&mut new);
            to.push(new);
        };
        // A message from memory, or the end of the oldest one.
        if buffer.len() < bound {
            (0..2_u8).for_each(|x| go(&|s| s.loads[p].push((x, s.memory[x as usize], false))));
        }
        if !buffer.is_empty() {
            go(&|s| {
                s.loads[p].remove(0);
            });
        }
        let Some(&instruction) = own.list.get(point) else { continue };
        let step = |s: &mut State| s.points[p] = next(own, point);
        match instruction {
            Instruction::Store(x, v) if buffer.len() < bound => go(&|s| {
                s.memory[x as usize] = v;
                s.loads[p].push((x, v, true));
                step(s);
            }),
            Instruction::Load(x, v) => {
                let newest = buffer.iter().rev().find(|m| m.0 == x && m.2).map(|m| m.1);
                let oldest = buffer.first().filter(|m| m.0 == x).map(|m| m.1);
                if newest.or(oldest) == Some(v) {
                    go(&step);
                }
            }
            Instruction::Fence if buffer.is_empty() => go(&step),
            Instruction::Exchange(x, old, new)
                if buffer.is_empty() && state.memory[x as usize] == old =>
            {
                go(&|s| {
                    s.memory[x as usize] = new;
                    step(s);
                });
            }
            _ => {}
        }
    }
}

pub(super) fn tso(code: &[Code], state: &State, bound: usize, to: &mut Vec<State>) {
    for (p, own) in code.iter().enumerate() {
        let (point, buffer) = (state.points[p], &state.stores[p]);
        let mut go = |change: &dyn Fn(&mut State)| {
            let mut new = state.clone();
            change(&mut new);
            to.push(new);
        };
        if !buffer.is_empty() {
            go(&|s| {
                let (x, v) = s.stores[p].remove(0);
                s.memory[x as usize] = v;
            });
        }
        let Some(&instruction) = own.list.get(point) else { continue };
        let step = |s: &mut State| s.points[p] = next(own, point);
        match instruction {
            Instruction::Store(x, v) if buffer.len() < bound => go(&|s| {
                s.stores[p].push((x, v));
                step(s);
            }),
            Instruction::Load(x, v) => {
                let own = buffer.iter().rev().find(|e| e.0 == x).map(|e| e.1);
                if own.unwrap_or(state.memory[x as usize]) == v {
                    go(&step);
                }
            }
            Instruction::Fence if buffer.is_empty() => go(&step),
            Instruction::Exchange(x, old, new)
                if buffer.is_empty() && state.memory[x as usize] == old =>
            {
                go(&|s| {
                    s.memory[x as usize] = new;
                    step(s);
                });
            }
            _ => {}
        }
    }
}

pub(super) type Successors = fn(&[Code], &State, usize, &mut Vec<State>);

/// The control states that are reachable, and those with memory where all store buffers are empty; none if there are too
/// many states.
pub(super) fn reachable(
    code: &[Code],
    bound: usize,
    successors: Successors,
) -> Option<[BTreeSet<Vec<usize>>; 2]> {
    let mut seen = HashSet::from([start(code)]);
    let mut queue = VecDeque::from([start(code)]);
    let mut all = [BTreeSet::new(), BTreeSet::new()];
    let mut to = Vec::new();
    while let Some(state) = queue.pop_front() {
        all[0].insert(state.points.clone());
        if state.stores.iter().all(Vec::is_empty) {
            let memory = state.memory.iter().map(|&v| usize::from(v));
            all[1].insert(state.points.iter().copied().chain(memory).collect());
        }
        successors(code, &state, bound, &mut to);
        for new in to.drain(..) {
            if seen.insert(new.clone()) {
                queue.push_back(new);
            }
        }
        if seen.len() > 20_000 {
            return None;
        }
    }
    Some(all)
}

pub(super) fn code(most: usize) -> BoxedStrategy<Code> {
    let (x, v) = (0_u8..2, 0_u8..2);
    let instruction = prop_oneof![
        4 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Store(x, v)),
        4 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Load(x, v)),
        1 => Just(Instruction::Fence),
        1 => (x, v.clone(), v).prop_map(|(x, a, b)| Instruction::Exchange(x, a, b)),
    ];
    (prop::collection::vec(instruction, 1..=most), prop::bool::weighted(0.3))
        .prop_map(|(list, loops)| Code { list, loops })
        .boxed()
}

/// Straight-line code needs buffers no longer than itself: with enough room both sets are exact, and equal. With
/// loops every control state that TSO reaches within a bound is reached by the dual semantics with more room, and the other way
/// round.
#[test]
fn dual_and_tso_reach_the_same() {
    let strategy = prop::collection::vec(code(4), 2..=2);
    let tally = random_cases(120, strategy, |case, mut code| {
        let is_loop = code.iter().any(|c| c.loops);
        if !is_loop {
            code.iter_mut().for_each(|c| c.list.truncate(3));
        }
        let (Some(by_stores), Some(by_loads)) =
            (reachable(&code, 3, tso), reachable(&code, if is_loop { 3 } else { 4 }, dual))
        else {
            return case.pass_over("too large");
        };
        if is_loop {
            // More room on the other side: control states within a small bound must be there.
            let small_tso = reachable(&code, 1, tso);
            let small_dual = reachable(&code, 1, dual);
            if let (Some(tso), Some(dual)) = (small_tso, small_dual) {
                case.count("loops compared");
                prop_assert!(dual[0].is_subset(&by_stores[0]));
                prop_assert!(tso[0].is_subset(&by_loads[0]));
            }
            return Ok(());
        }
        case.count("compared");
        prop_assert_eq!(&by_stores[0], &by_loads[0], "control states");
        prop_assert_eq!(&by_stores[1], &by_loads[1], "control states with memory");
        Ok(())
    });
    tally.at_least("compared", 30).at_least("loops compared", 50);
}
