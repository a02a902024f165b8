//! Programs whose answers are known.

use taut_ir::{MemoryModel, Program};

use taut_ir::build::ProgramBuilder;
use taut_ir::{Control, Effect, Expr, Lvalue, Span, Step, StepId, Type};

use taut_witness::happens::{Object, circle};
use taut_witness::{Machine, replay};

use crate::{Robustness, check};
use taut_fault::{Fault, with};

/// A program of the Taut language.
pub fn program(text: &str) -> Program {
    let mut map = taut_source::SourceMap::new();
    let file = map.add("shape.taut", text);
    taut_lang::parse(&map, file, &taut_lang::Options::default())
        .unwrap_or_else(|found| panic!("{text}: {found:?}"))
}

/// Whether a program is robust under a model.
fn is_robust(text: &str, model: MemoryModel) -> bool {
    match check(&program(text), model, 1_000_000) {
        Ok(Robustness::Robust(_)) => true,
        Ok(Robustness::NotRobust(_)) => false,
        other => panic!("{text}: {other:?}"),
    }
}

fn answers(text: &str) -> [bool; 2] {
    [MemoryModel::Tso, MemoryModel::Pso].map(|model| is_robust(text, model))
}

const SB: &str = "shared bool x = 0; shared bool y = 0;
process p begin local bool r; x := 1; r := y; end
process q begin local bool r; y := 1; r := x; end";

#[test]
fn store_buffering_names_the_store_and_the_load() {
    let sb = program(SB);
    let Ok(Robustness::NotRobust(found)) = check(&sb, MemoryModel::Tso, 1_000) else {
        panic!("store buffering is not robust")
    };
    let run = replay(&sb, &found.trace).expect("it is accepted");
    let found = circle(&Machine::new(&sb, found.trace.memory), &run).expect("there is one");
    let name = |object: Option<Object>| match object {
        Some(Object::Cell(address)) => sb.var(address.var).name.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(found.store.process, found.past.process);
    assert!(!found.store.is_load && found.past.is_load);
    let mut names = [name(found.store.object), name(found.past.object)];
    names.sort();
    assert_eq!(names, ["x", "y"]);
    assert_eq!(found.edges.len(), 4, "two steps of each process");
}

#[test]
fn the_classic_shapes() {
    assert_eq!(answers(SB), [false, false]);
    let fenced = SB.replace("1;", "1; fence;");
    assert_eq!(answers(&fenced), [true, true]);
    let half = SB.replace("x := 1;", "x := 1; fence;");
    assert_eq!(answers(&half), [false, false], "one fence of two");
    let message = "shared bool x = 0; shared bool y = 0;
process p begin x := 1; y := 1; end
process q begin local bool r; r := y; r := x; end";
    assert_eq!(answers(message), [true, false]);
    assert_eq!(answers(&message.replace("x := 1;", "x := 1; sfence;")), [true, true]);
    let both = "shared bool x = 0; shared bool y = 0;
process p begin x := 1; y := 1; end
process q begin y := 0; x := 0; end";
    assert_eq!(answers(both), [true, false], "two stores each");
}

/// Three processes that wait for each other in a circle; and one that is only fenced in two places.
#[test]
fn circles_of_three_processes() {
    let three = |fences: [&str; 3]| {
        format!(
            "shared bool x = 0; shared bool y = 0; shared bool z = 0;
process p begin local bool r; x := 1; {} r := y; end
process q begin local bool r; y := 1; {} r := z; end
process w begin local bool r; z := 1; {} r := x; end",
            fences[0], fences[1], fences[2]
        )
    };
    assert_eq!(answers(&three(["", "", ""])), [false, false]);
    assert_eq!(answers(&three(["fence;", "fence;", ""])), [false, false]);
    assert_eq!(answers(&three(["fence;", "fence;", "fence;"])), [true, true]);
}

/// Under PSO, and under TSO where a process shows something at once, one delaying process need not be enough.
#[test]
fn two_processes_may_have_to_delay() {
    let text = "shared 0..2 x = 0; shared bool g = 0; shared bool h = 0;
process p begin x := 1; g := 1; end
process q begin x := 2; await(g == 1); h := 1; end
process w begin await(h == 1); await(x == 0); end";
    assert_eq!(answers(text), [true, false]);
    let ghosts =
        text.replace("shared bool g", "ghost bool g").replace("shared bool h", "ghost bool h");
    assert_eq!(answers(&ghosts), [false, false]);
    with(Fault::OneDelays, || assert_eq!(answers(&ghosts), [true, true], "is noticed"));
}

#[test]
fn a_store_is_delayed_past_a_load_of_the_same_array() {
    let text = "shared bool a[2] = 0;
process p begin local bool r; a[0] := 1; r := a[1]; end
process q begin local bool r; a[1] := 1; r := a[0]; end";
    assert_eq!(answers(text), [false, false]);
    with(Fault::ArraysAreOne, || assert_eq!(answers(text), [true, true], "is noticed"));
}

/// What an alternative finds false is what the `else` loads.
#[test]
fn a_store_is_delayed_past_an_else() {
    let mut b = ProgramBuilder::new("else");
    let [x, y] = ["x", "y"].map(|name| b.shared(name, Type::BOOL, 0));
    let mut p = b.process("p");
    p.store(x, 1);
    let (from, to) = (p.here(), p.point());
    let skip = || Step::skip(from, to, Span::NONE);
    p.edge(Step { guard: Expr::from(y), ..skip() });
    p.edge(Step { yields_to: vec![StepId(1)], ..skip() });
    p.at(to);
    p.finish();
    let mut q = b.process("q");
    q.store(y, 1);
    let (from, to) = (q.here(), q.point());
    let r = q.register("r", Type::BOOL, 0);
    let load = vec![Effect::assign(Lvalue::Reg(r), x)];
    q.edge(Step { effects: load, target: Control::Goto(to), ..Step::skip(from, to, Span::NONE) });
    q.at(to);
    q.finish();
    let program = b.build().expect("it is well formed");
    let is_robust = || match check(&program, MemoryModel::Tso, 1_000) {
        Ok(answer) => matches!(answer, Robustness::Robust(_)),
        Err(refusal) => panic!("{refusal:?}"),
    };
    assert!(!is_robust());
}

#[test]
fn own_stores_and_own_variables_do_not_matter() {
    let own = "shared bool x = 0; shared bool y = 0;
process p begin local bool r; x := 1; r := x; end
process q begin local bool r; x := 0; r := x; y := r; end";
    assert!(answers(own)[0], "a load of the own store");
    let apart = "shared bool x = 0; shared bool y = 0; shared bool a = 0; shared bool b = 0;
process p begin local bool r; a := 1; r := x; end
process q begin local bool r; b := 1; r := y; end";
    assert_eq!(answers(apart), [true, true], "nothing is shared");
}
