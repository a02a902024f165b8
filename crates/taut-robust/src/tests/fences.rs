//! The smallest numbers of fences that make known algorithms robust under TSO, by brute force over all sets of stores
//! that a fence follows. The numbers are those of the literature, one fence per process and store. They are of programs that
//! wait in loops of loads: an `await` that waits is no event of a trace, and a lock with `await` may need fewer.

use taut_ir::{Control, DefId, Footprint, MemoryModel, Mode, ProcId, Program, Step, StepId};

use super::shapes::program;
use crate::{Robustness, check};

/// A store of a process.
type Store = (ProcId, StepId);

/// The program with code of its own for each process, so that fences of one are none of another.
fn apart(mut program: Program) -> Program {
    let defs = program.processes.iter().map(|p| program.defs[p.def.index()].clone()).collect();
    program.defs = defs;
    for (i, process) in program.processes.iter_mut().enumerate() {
        process.def = DefId::from(i);
    }
    program
}

fn stores(program: &Program) -> Vec<Store> {
    let of = |p: ProcId| {
        let def = program.def_of(p);
        let footprints = Footprint::of_steps(program, def);
        let stores = footprints.into_iter().enumerate().filter(|(_, f)| !f.stores.is_empty());
        stores.map(move |(step, _)| (p, StepId::from(step))).collect::<Vec<_>>()
    };
    program.process_ids().flat_map(of).collect()
}

/// The program with fences after some stores.
fn fenced(program: &Program, set: &[Store]) -> Program {
    let mut program = program.clone();
    for &(process, store) in set {
        let def = &mut program.defs[process.index()];
        let between = taut_ir::PointId::from(def.points.len());
        def.points.push(taut_ir::ProgramPoint::default());
        let step = &mut def.steps[store.index()];
        let Control::Goto(to) = step.target else { panic!("stores go to a program point") };
        step.target = Control::Goto(between);
        let span = step.span;
        def.steps.push(Step { mode: Mode::Fence, ..Step::skip(between, to, span) });
    }
    program
}

fn is_robust(program: &Program) -> bool {
    match check(program, MemoryModel::Tso, 1_000_000) {
        Ok(Robustness::Robust(_)) => true,
        Ok(Robustness::NotRobust(found)) => {
            taut_witness::replay(program, &found.trace).expect("it is accepted");
            false
        }
        other => panic!("{other:?}"),
    }
}

/// Calls a function with all subsets of a size until it says yes.
fn any_subset(
    all: &[Store],
    size: usize,
    chosen: &mut Vec<Store>,
    f: &impl Fn(&[Store]) -> bool,
) -> bool {
    if size == 0 {
        return f(chosen);
    }
    for (i, &store) in all.iter().enumerate() {
        chosen.push(store);
        let found = any_subset(&all[i + 1..], size - 1, chosen, f);
        chosen.pop();
        if found {
            return true;
        }
    }
    false
}

/// The size of the smallest set.
fn smallest(file: &str) -> usize {
    let path = taut_testkit::suite::root().join("testdata/robust").join(file);
    let text = std::fs::read_to_string(path).expect("an example");
    let program = apart(program(&text));
    let all = stores(&program);
    let enough = |set: &[Store]| is_robust(&fenced(&program, set));
    (0..=all.len())
        .find(|&size| any_subset(&all, size, &mut Vec::new(), &enough))
        .expect("a fence after every store is enough")
}

#[test]
fn known_numbers_of_fences() {
    let known = [
        ("peterson.taut", 2),
        ("dekker.taut", 4),
        ("burns.taut", 3),
        ("dijkstra.taut", 4),
        ("lamport_fast.taut", 4),
        ("clh_lock.taut", 2),
    ];
    let found = known.map(|(file, _)| (file, smallest(file)));
    assert_eq!(found, known);
}
