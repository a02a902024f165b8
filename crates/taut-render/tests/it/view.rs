//! The model of a run: what is in a view, and that all outputs take their words from it.

use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Action, Effect, Expr, Finding, Lvalue, Memory, MemoryModel, Mode, ProcId, Program, PropId,
    StepId, Type, VarId,
};
use taut_render::view::{ActionKind, Held};
use taut_render::{LaneOptions, RunView, explain, lanes, story, tell, to_json};
use taut_source::SourceMap;
use taut_witness::{Address, Run, Trace, replay};

/// `p` stores 1 to `a[1]` and then to `y`, twice each; `q` loads `y`, then `a[1]`.
fn program() -> Program {
    let mut b = ProgramBuilder::new("elements");
    let a = b.shared_array("a", Type::INT, vec![0, 0]);
    let y = b.shared("y", Type::INT, 0);
    let mut p = b.process("p");
    for value in [1, 2] {
        let place = Lvalue::VarElem(a, 1.into());
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(place, value)]);
    }
    p.store(y, 1);
    p.finish();
    let mut q = b.process("q");
    let (r, s) = (q.register("r", Type::INT, 0), q.register("s", Type::INT, 7));
    q.load(r, y);
    q.set(s, Expr::VarElem(a, Box::new(1.into())));
    let q = q.finish();
    let sees =
        |register, value| Expr::In(q, Box::new(Expr::Reg(register))).equals(Expr::Const(value));
    b.forbid("stale", sees(r, 1).and(sees(s, 0)));
    b.build().expect("a valid program")
}

fn step(process: u32, step: u32) -> Action {
    Action::step(ProcId(process), StepId(step))
}

const STALE: Finding = Finding::Property(PropId(0));
const Y: VarId = VarId(1);

/// The run in which `y` overtakes `a[1]`, which only PSO allows.
fn overtaken(program: &Program) -> Run {
    let commit = Action::Commit { process: ProcId(0), var: Y, index: 0 };
    let actions = vec![step(0, 0), step(0, 1), step(0, 2), commit, step(1, 0), step(1, 1)];
    let trace = Trace::new(Memory::new(MemoryModel::Pso), STALE, actions);
    replay(program, &trace).expect("PSO allows it")
}

#[test]
fn rows_have_parts_with_names_values_and_sides() {
    let (program, sources) = (program(), SourceMap::new());
    let run = overtaken(&program);
    let view = RunView::new(&program, &sources, &run);
    let kinds: Vec<_> = view.rows().map(|row| row.kind()).collect();
    let step = ActionKind::Step;
    assert_eq!(kinds, [step, step, step, ActionKind::Commit, step, step]);
    assert_eq!(view.acting(), [ProcId(0), ProcId(1)]);

    let store = view.row(0).first();
    assert_eq!((store.name(), store.text().as_deref()), ("p", Some("a[1] := 1")));
    assert!(store.is_buffered() && store.results().is_empty());
    let write = store.writes().next().expect("a write");
    assert_eq!((write.name.as_str(), write.value, write.side()), ("a[1]", 1, "buffer"));

    let commit = view.row(3).first();
    assert_eq!((commit.step(), commit.text(), commit.line()), (None, None, None));
    assert_eq!(commit.committed("="), ["y=1"]);

    let load = view.row(4).part(ProcId(1)).expect("q moves");
    assert_eq!(load.results(), ["1"]);
    let read = load.reads().next().expect("a read");
    assert_eq!((read.name.as_str(), read.value, read.side()), ("y", 1, "memory"));
    assert!(view.row(4).part(ProcId(0)).is_none(), "p has no part in it");
}

#[test]
fn buffers_are_queues_per_location_only_where_the_memory_model_has_them() {
    let (program, sources) = (program(), SourceMap::new());
    let run = overtaken(&program);
    let state = RunView::new(&program, &sources, &run).row(2).after();
    let stores = |index, name: &str, values: &[i64]| Held::Stores {
        location: if name == "y" {
            Address { var: Y, index }
        } else {
            Address { var: VarId(0), index }
        },
        name: name.into(),
        values: values.to_vec(),
    };
    let of = |model| state.buffer(model, ProcId(0));
    assert_eq!(of(MemoryModel::Pso), [stores(1, "a[1]", &[1, 2]), stores(0, "y", &[1])]);
    // The same stores one by one, where their order counts.
    let apart = [stores(1, "a[1]", &[1]), stores(1, "a[1]", &[2]), stores(0, "y", &[1])];
    assert_eq!(of(MemoryModel::Tso), apart);
    assert_eq!(state.buffer(MemoryModel::Pso, ProcId(1)), []);
}

#[test]
fn states_know_values_and_program_points() {
    let (program, sources) = (program(), SourceMap::new());
    let run = overtaken(&program);
    let view = RunView::new(&program, &sources, &run);
    let start: Vec<_> = view.start().variables().map(|v| (v.name, v.is_array, v.values)).collect();
    assert_eq!(start, [("a", true, &[0, 0][..]), ("y", false, &[0][..])]);
    let registers: Vec<_> = view.end().registers(ProcId(1)).map(|r| (r.name, r.values)).collect();
    assert_eq!(registers, [("r", &[1][..]), ("s", &[0][..])]);
    let end = view.end().point(ProcId(1)).expect("it lives");
    assert!(end.is_final && end.leaving.is_empty());
    assert_eq!(view.start().point(ProcId(1)).map(|point| point.leaving.len()), Some(1));
}

#[test]
fn an_element_of_an_array_has_one_name_in_every_output() {
    let (program, sources) = (program(), SourceMap::new());
    let run = overtaken(&program);
    let view = RunView::new(&program, &sources, &run);
    let drawn = lanes(view, STALE, LaneOptions { width: 120, styled: false, full: true });
    assert!(drawn.contains("[a[1]=1,2 y=1]"), "{drawn}");
    let json = to_json(view, "elements", STALE);
    assert_eq!(json["steps"][1]["buffers"]["p"][1]["variable"], "a[1]");
    assert_eq!(json["steps"][0]["writes"][0]["variable"], "a[1]");
    assert!(story(view, STALE).text().contains("a[1]"));
    assert_eq!(tell(view.names(), &run.rows[0]), "p: a[1] := 1");
    assert!(explain(view, STALE).headline.contains("`stale`"));
}
