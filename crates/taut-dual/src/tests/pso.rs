//! Why the engine is for TSO alone: one load buffer per cell is not PSO, in either direction. The two programs of the book, state
//! by state with whole buffers.

use super::semantics::{Code, Instruction, State, next, reachable};

/// PSO: the oldest store of each cell may commit.
fn pso(code: &[Code], state: &State, bound: usize, to: &mut Vec<State>) {
    for (p, own) in code.iter().enumerate() {
        let (point, buffer) = (state.points[p], &state.stores[p]);
        let mut go = |change: &dyn Fn(&mut State)| {
            let mut new = state.clone();
            change(&mut new);
            to.push(new);
        };
        for x in 0..2_u8 {
            let Some(oldest) = buffer.iter().position(|e| e.0 == x) else { continue };
            go(&|s| {
                let (_, v) = s.stores[p].remove(oldest);
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
            _ => {}
        }
    }
}

/// The dual semantics with one load buffer per cell: a load looks at the oldest message of its own cell, a deletion takes the
/// oldest one of any.
fn per_cell(code: &[Code], state: &State, bound: usize, to: &mut Vec<State>) {
    for (p, own) in code.iter().enumerate() {
        let (point, buffer) = (state.points[p], &state.loads[p]);
        let mut go = |change: &dyn Fn(&mut State)| {
            let mut new = state.clone();
            change(&mut new);
            to.push(new);
        };
        for x in 0..2_u8 {
            if buffer.len() < bound {
                go(&|s| s.loads[p].push((x, s.memory[x as usize], false)));
            }
            if let Some(oldest) = buffer.iter().position(|m| m.0 == x) {
                go(&|s| {
                    s.loads[p].remove(oldest);
                });
            }
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
                let oldest = buffer.iter().find(|m| m.0 == x).map(|m| m.1);
                if newest.or(oldest) == Some(v) {
                    go(&step);
                }
            }
            Instruction::Fence if buffer.is_empty() => go(&step),
            _ => {}
        }
    }
}

const X: u8 = 0;
const Y: u8 = 1;

/// Whether both processes reach their ends, under PSO and with a load buffer per cell.
fn both_end(writer: &[Instruction], reader: &[Instruction]) -> [bool; 2] {
    let code = [writer, reader].map(|list| Code { list: list.to_vec(), loops: false });
    let ends = vec![writer.len(), reader.len()];
    [pso as super::semantics::Successors, per_cell].map(|successors| {
        let [points, _] = reachable(&code, 3, successors).expect("few states");
        points.contains(&ends)
    })
}

/// A fence of the writer keeps its stores in order. Messages about different cells do not keep theirs.
#[test]
fn a_load_buffer_per_cell_reaches_what_pso_does_not() {
    use Instruction::{Fence, Load, Store};
    let [by_stores, by_loads] =
        both_end(&[Store(X, 1), Fence, Store(Y, 1)], &[Load(Y, 1), Load(X, 0)]);
    assert!(!by_stores && by_loads);
}

/// A fence of the reader empties its buffers, and the older store is in memory before the younger one.
#[test]
fn a_load_buffer_per_cell_misses_what_pso_reaches() {
    use Instruction::{Fence, Load, Store};
    let [by_stores, by_loads] =
        both_end(&[Store(X, 1), Store(Y, 1)], &[Load(Y, 1), Fence, Load(X, 0)]);
    assert!(by_stores && !by_loads);
}
