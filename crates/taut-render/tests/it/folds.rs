//! Folding: which rows matter, and how the others are drawn.

use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Action, Expr, Finding, Memory, MemoryModel, ProcId, Program, PropId, StepId, Type, VarId,
};
use taut_render::view::{Fold, Held, ShownRow};
use taut_render::{LaneOptions, RunView, lanes, to_json};
use taut_source::SourceMap;
use taut_witness::{Run, Trace, replay};

const SEEN: Finding = Finding::Property(PropId(0));

/// `p` sets `r` three times, stores to `y` and then to `x`, and sets `s`; the property reads `p:s` and `x`.
fn program() -> Program {
    let mut b = ProgramBuilder::new("local");
    let (x, y) = (b.shared("x", Type::INT, 0), b.shared("y", Type::INT, 0));
    let mut p = b.process("p");
    let (r, s) = (p.register("r", Type::INT, 0), p.register("s", Type::INT, 0));
    for value in 1..4 {
        p.set(r, Expr::Const(value));
    }
    p.store(y, 1);
    p.store(x, 1);
    p.set(r, Expr::Const(7));
    p.set(s, Expr::Const(1));
    p.set(r, Expr::Const(8));
    let p = p.finish();
    let own = Expr::In(p, Box::new(Expr::Reg(s)));
    b.forbid("seen", own.equals(Expr::Const(1)).and(Expr::Var(x).equals(Expr::Const(1))));
    b.build().expect("a valid program")
}

fn run(program: &Program) -> Run {
    let mut actions: Vec<_> = (0..8).map(|step| Action::step(ProcId(0), StepId(step))).collect();
    actions.push(Action::Commit { process: ProcId(0), var: VarId(0), index: 0 });
    replay(program, &Trace::new(Memory::new(MemoryModel::Pso), SEEN, actions)).expect("possible")
}

#[test]
fn local_steps_are_one_row_unless_the_property_names_what_they_change() {
    let (program, sources) = (program(), SourceMap::new());
    let run = run(&program);
    let view = RunView::new(&program, &sources, &run);
    let first = ShownRow::Fold(Fold { rows: 0..3, steps: vec![(ProcId(0), 3)] });
    // Row 6 is alone, row 7 sets what the property reads.
    let rows = (3..9).map(ShownRow::Row);
    let expected: Vec<_> = std::iter::once(first).chain(rows).collect();
    assert_eq!(view.folded(&view.matters(Some(SEEN))), expected);
    // Without a finding nothing is named: rows 6 to 8 are local.
    let last = ShownRow::Fold(Fold { rows: 5..8, steps: vec![(ProcId(0), 3)] });
    assert_eq!(view.folded(&view.matters(None))[3], last);
}

#[test]
fn folds_are_drawn_unless_all_rows_are_asked_for_and_files_keep_all() {
    let (program, sources) = (program(), SourceMap::new());
    let run = run(&program);
    let view = RunView::new(&program, &sources, &run);
    let folded = lanes(view, SEEN, LaneOptions::default());
    assert!(folded.contains("1-3 │ … 3 local steps"), "{folded}");
    assert!(folded.contains("… local steps are folded; --full shows them"), "{folded}");
    let full = lanes(view, SEEN, LaneOptions { full: true, ..LaneOptions::default() });
    assert!(full.contains("r := 3") && !full.contains("local steps"), "{full}");
    let json = to_json(view, "local", SEEN);
    let matters: Vec<_> = (0..9).map(|row| json["steps"][row]["matters"] == true).collect();
    assert_eq!(matters, [false, false, false, true, true, false, true, false, true]);
}

#[test]
fn buffers_are_shown_when_they_change_in_the_order_of_the_stores() {
    let (program, sources) = (program(), SourceMap::new());
    let run = run(&program);
    let view = RunView::new(&program, &sources, &run);
    let changes = view.buffer_changes();
    let changed: Vec<_> = changes.iter().map(|row| !row.is_empty()).collect();
    assert_eq!(changed, [false, false, false, true, true, false, false, false, true]);
    let names = |held: &Held| match held {
        Held::Stores { name, .. } => name.clone(),
        Held::Barrier => "¦".into(),
    };
    let after: Vec<_> = changes[4][0].1.iter().map(names).collect();
    assert_eq!(after, ["y", "x"], "y was stored first");
    let drawn = lanes(view, SEEN, LaneOptions::default());
    assert_eq!(drawn.matches("[y=1 x=1]").count(), 1, "{drawn}");
    let json = to_json(view, "local", SEEN);
    assert_eq!(json["steps"][5]["buffers"]["p"][0]["variable"], "y");
}
