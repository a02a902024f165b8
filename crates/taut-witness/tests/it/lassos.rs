//! Lassos that are accepted, and lassos that were tampered with: the message says what is wrong.

use crate::common;

use common::code::{self, Also, edge, into_reg, receive, send, set_var, shake, shared};
use common::runs::*;
use common::*;
use serde_json::{Value, json};
use taut_ir::MemoryModel::{Pso, Sc, Tso};
use taut_ir::build::ProgramBuilder;
use taut_ir::{Action, Atom, Fairness, Finding, Memory, Program, PropId, Type, VarId};
use taut_ltl::Automaton;
use taut_render::{RunView, from_json, to_json, to_json_text};
use taut_source::SourceMap;
use taut_witness::{Lasso, Trace, replay};

fn lasso(
    memory: Memory,
    property: PropId,
    actions: Vec<Action>,
    (cycle, fairness): (usize, Fairness),
) -> Trace {
    let lasso = Some(Lasso { cycle, fairness });
    Trace { memory, finding: Finding::Property(property), actions, lasso }
}

fn message(program: &Program, trace: &Trace) -> String {
    replay(program, trace).expect_err("it was tampered with").to_string()
}

/// The run of [`starving`] in which `q` goes round.
fn starved() -> (Program, Trace) {
    let (program, property) = starving();
    let actions = vec![step(0, 0), commit(0, 0), step(1, 0), commit(1, 1), step(1, 1)];
    let trace = lasso(Memory::new(Tso), property, actions, (2, Fairness::ALL));
    (program, trace)
}

#[test]
fn a_lasso_is_accepted_and_its_run_says_all() {
    let (program, trace) = starved();
    let run = replay(&program, &trace).unwrap();
    assert_eq!(run.cycle(), Some(2));
    assert_eq!((0..6).map(|i| run.is_in_cycle(i)).filter(|&inside| inside).count(), 3);
    let atoms = run.atoms.unwrap();
    assert_eq!(atoms.texts, ["want == 1", "p@cs"]);
    let wanted: Vec<_> = atoms.at.iter().map(|truths| truths.as_ref().unwrap()[0]).collect();
    assert_eq!(wanted, [false, false, true, true, true, true]);
    for name in ["none", "process", "memory", "process,memory-process"] {
        let fairness = name.parse().unwrap();
        let weaker = Trace { lasso: Some(Lasso { cycle: 2, fairness }), ..trace.clone() };
        replay(&program, &weaker).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn a_cycle_must_close() {
    let (program, good) = starved();
    let without = |index| {
        let mut trace = good.clone();
        trace.actions.remove(index);
        message(&program, &trace)
    };
    let says = "the cycle does not close:";
    assert_eq!(without(4), format!("{says} q is somewhere else at its end"));
    assert_eq!(without(3), format!("{says} the buffer of q holds something else at its end"));
    assert!(without(2).starts_with("action 3: q cannot commit its store to `turn`"));
    let starting_at = |cycle| {
        let lasso = Some(Lasso { cycle, fairness: Fairness::ALL });
        message(&program, &Trace { lasso, ..good.clone() })
    };
    assert_eq!(starting_at(1), format!("{says} `want` is 0 at its start and 1 at its end"));
    assert_eq!(starting_at(0), format!("{says} `want` is 0 at its start and 1 at its end"));
    assert_eq!(starting_at(3), format!("{says} q is somewhere else at its end"));
    assert_eq!(starting_at(6), "the cycle starts at action 7, and there are 5");
    assert!(starting_at(usize::MAX).starts_with("the cycle starts at action"));
    assert_eq!(starting_at(5), "the run does not end there: this can happen: q: turn := 0");
}

#[test]
fn what_differs_is_said_of_registers_channels_and_processes() {
    let p = vec![edge(0, 0).on(send(0, &[1.into()])), edge(0, 0).on(receive(0, &[into_reg(0)]))];
    let channels = vec![code::channel("c", 2, 1)];
    let code = vec![code::code("p", &["r"], p)];
    let mut program = code::program(vec![shared("x")], channels, code);
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(VarId(0), 1))]);
    let with = |actions: &[Action]| {
        message(&program, &lasso(Memory::new(Sc), property, actions.to_vec(), (0, Fairness::NONE)))
    };
    assert!(with(&[step(0, 0)]).ends_with("channel `c` holds something else at its end"));
    assert!(with(&[step(0, 0), step(0, 1)]).ends_with("p:r is 0 at its start and 1 at its end"));
    let round = vec![step(0, 0), step(0, 1), step(0, 0), step(0, 1)];
    replay(&program, &lasso(Memory::new(Sc), property, round, (2, Fairness::ALL))).unwrap();

    let ends = code::code("p", &[], vec![edge(0, 1).exits(), edge(0, 2)]);
    let mut program = code::on_a_stack(code::program(vec![shared("x")], vec![], vec![ends]));
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(VarId(0), 1))]);
    let gone = lasso(Memory::new(Sc), property, vec![step(0, 0)], (0, Fairness::NONE));
    assert!(message(&program, &gone).ends_with("p started or ended in between"));
}

#[test]
fn a_cycle_must_be_fair() {
    let (program, property) = spinner();
    let with = |model, actions: &[Action], cycle, fairness| {
        let trace = lasso(Memory::new(model), property, actions.to_vec(), (cycle, fairness));
        replay(&program, &trace).map(|_| ()).map_err(|e| e.to_string())
    };
    let alone = [step(0, 0)];
    assert_eq!(with(Sc, &alone, 0, Fairness::NONE), Ok(()));
    assert_eq!(with(Sc, &alone, 0, BUFFERS), Ok(()));
    assert_eq!(
        with(Sc, &alone, 0, PROCESS),
        Err("the cycle is not fair (process): q can always take a step and never does".into())
    );
    let stored = [step(1, 0), step(0, 0)];
    assert_eq!(with(Tso, &stored, 1, PROCESS), Ok(()));
    assert_eq!(
        with(Tso, &stored, 1, Fairness::ALL),
        Err("the cycle is not fair (all): the stores in the buffer of q wait for ever".into())
    );
    assert_eq!(
        with(Pso, &stored, 1, BUFFERS),
        Err("the cycle is not fair (memory): a store of q to `x` waits for ever".into())
    );
    assert_eq!(
        with(Tso, &stored, 1, MEMORY_PROCESS),
        Err(
            "the cycle is not fair (process,memory-process): stores could always be committed and \
             none ever is"
                .into()
        )
    );
    let committed = [step(1, 0), commit(1, 0), step(0, 0)];
    assert_eq!(
        with(Tso, &committed, 2, Fairness::ALL),
        Err("ltl `<> (x == 1)` holds on this run".into())
    );
}

#[test]
fn the_property_must_be_violated_and_be_one_of_runs() {
    let (mut program, trace) = starved();
    let meanings = [("want == 1", is(VarId(0), 1))];
    let holds = ltl(&mut program, "<> [] (want == 1)", &meanings);
    let atoms = vec![Atom { expr: is(VarId(0), 1), text: "want == 1".into() }];
    let formula = taut_ltl::parse("[] ! a").unwrap().formula;
    let automaton = Automaton::of(&formula, 1).unwrap();
    let claim = never(&mut program, "claim", automaton, atoms);
    let of = |id| Trace { finding: Finding::Property(id), ..trace.clone() };
    assert_eq!(message(&program, &of(holds)), "ltl `<> [] (want == 1)` holds on this run");
    assert_eq!(
        message(&program, &of(claim)),
        "the automaton of never `claim` does not accept this run"
    );
    assert!(message(&program, &of(PropId(9))).contains("a violation of property 9 has none"));
    let deadlock = Trace { finding: Finding::Deadlock, ..trace.clone() };
    assert_eq!(message(&program, &deadlock), "the trace has a cycle, and a deadlock has none");
    let open = Trace { lasso: None, ..trace };
    assert_eq!(
        message(&program, &open),
        "the trace has no cycle, and what happens decides nothing about ltl \
         `[] (want == 1 -> <> p@cs)`"
    );
    assert_eq!(replay(&program, &open).unwrap_err().action(), None);
}

#[test]
fn a_run_ends_only_where_nothing_can_happen() {
    let mut b = ProgramBuilder::new("end");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    p.store(x, 1);
    p.finish();
    let mut program = b.build().unwrap();
    let zero = [("x == 0", is(x, 0))];
    let again = ltl(&mut program, "[] <> (x == 0)", &zero);
    let infinite = ltl_of_infinite_runs(&mut program, "[] <> (x == 0)", &zero);
    let all = [step(0, 0), commit(0, 0)];
    let with = |property, actions: usize| {
        let actions = all[..actions].to_vec();
        lasso(Memory::new(Tso), property, actions.clone(), (actions.len(), Fairness::ALL))
    };
    let run = replay(&program, &with(again, 2)).unwrap();
    assert_eq!((run.cycle(), run.rows.len()), (Some(2), 2));
    assert_eq!(
        message(&program, &with(again, 1)),
        "the run does not end there: this can happen: p: x commits"
    );
    assert_eq!(
        message(&program, &with(infinite, 2)),
        "the run ends, and ltl `infinite [] <> (x == 0)` is about runs that do not"
    );
}

#[test]
fn a_bound_is_no_end() {
    let mut b = ProgramBuilder::new("deep");
    b.call_depth(1);
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    let start = p.here();
    let again = p.procedure("again", start, vec![], 0);
    let call = taut_ir::Control::Call { procedure: again, args: vec![], return_to: start };
    p.edge(taut_ir::Step {
        target: call,
        ..taut_ir::Step::skip(start, start, taut_ir::Span::NONE)
    });
    p.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(x, 1))]);
    let trace = |cycle| lasso(Memory::new(Sc), property, vec![step(0, 0)], (cycle, Fairness::NONE));
    assert_eq!(
        message(&program, &trace(1)),
        "the run does not end there: only a bound holds it up"
    );
    assert!(message(&program, &trace(0)).contains("the open calls of p are others"));
}

/// `p` holds the others between its two steps, and goes round.
#[test]
fn nobody_holds_the_others_at_the_ends_of_a_cycle() {
    let p = vec![edge(0, 1).does(set_var(0, 1)).holds(), edge(1, 0).does(set_var(0, 0))];
    let mut program = code::program(vec![shared("x")], vec![], vec![code::code("p", &[], p)]);
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(VarId(0), 1))]);
    let round = [step(0, 0), step(0, 1), step(0, 0), step(0, 1)];
    let with = |actions: usize, cycle| {
        lasso(Memory::new(Sc), property, round[..actions].to_vec(), (cycle, Fairness::ALL))
    };
    let run = replay(&program, &with(2, 0)).expect("nobody sees x == 1");
    assert_eq!(run.atoms.unwrap().at, [Some(vec![false]), None, Some(vec![false])]);
    let held = "while p goes on and holds all others";
    assert_eq!(message(&program, &with(3, 1)), format!("the cycle starts {held}"));
    assert_eq!(message(&program, &with(3, 2)), format!("the cycle ends {held}"));
    assert_eq!(message(&program, &with(3, 3)), format!("the cycle starts {held}"));
    let open = Trace { lasso: None, ..with(3, 0) };
    assert_eq!(message(&program, &open), format!("the trace ends {held}"));
}

#[test]
fn a_step_that_goes_wrong_belongs_to_no_run() {
    let p = vec![edge(0, 0), edge(0, 1).does(set_var(0, code::bad()))];
    let mut program = code::program(vec![shared("x")], vec![], vec![code::code("p", &[], p)]);
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(VarId(0), 1))]);
    let with = |actions: &[Action]| {
        message(&program, &lasso(Memory::new(Sc), property, actions.to_vec(), (0, Fairness::NONE)))
    };
    assert!(with(&[step(0, 1), step(0, 0)]).starts_with("action 1 of 2 already ends the run"));
    assert!(with(&[step(0, 0), step(0, 1)]).starts_with("action 2 ends the run with a fault"));
}

/// `p` and `q` meet for ever; the receiver moves, too.
#[test]
fn both_move_in_a_rendezvous() {
    let p = code::code("p", &[], vec![edge(0, 0).on(send(0, &[1.into()]))]);
    let q = vec![edge(0, 0).on(receive(0, &[into_reg(0)])), edge(0, 0).does(set_var(0, 0))];
    let channels = vec![code::channel("c", 0, 1)];
    let defs = vec![p, code::code("q", &["r"], q)];
    let mut program = code::program(vec![shared("x")], channels, defs);
    let property = ltl(&mut program, "<> (x == 1)", &[("x == 1", is(VarId(0), 1))]);
    let meet = shake(0, 0, 1, 0);
    let trace = |cycle: Vec<Action>| {
        let actions = [vec![meet], cycle].concat();
        lasso(Memory::new(Sc), property, actions, (1, PROCESS))
    };
    replay(&program, &trace(vec![meet])).expect("the receiver moves");
    assert_eq!(
        message(&program, &trace(vec![step(1, 1)])),
        "the cycle is not fair (process): p can always take a step and never does"
    );
}

#[test]
fn a_bad_prefix_must_be_beyond_fixing() {
    let (mut program, _) = spinner();
    let one = [("x == 1", is(VarId(0), 1))];
    let safe = ltl(&mut program, "[] ! (x == 1)", &one);
    let trace =
        |actions: Vec<Action>| Trace::new(Memory::new(Tso), Finding::Property(safe), actions);
    replay(&program, &trace(vec![step(1, 0), commit(1, 0)])).expect("x is 1 now");
    replay(&program, &trace(vec![step(1, 0), commit(1, 0), step(0, 0)])).expect("it was 1");
    assert!(message(&program, &trace(vec![step(1, 0)])).contains("decides nothing"));
    // Only the tableau sees that nothing satisfies both.
    let both = ltl(&mut program, "[] <> (x == 1) && <> [] ! (x == 1)", &one);
    replay(&program, &Trace::new(Memory::new(Tso), Finding::Property(both), vec![])).unwrap();
}

fn written() -> (Program, Trace, Value) {
    let (program, trace) = starved();
    let run = replay(&program, &trace).unwrap();
    let value =
        to_json(RunView::new(&program, &SourceMap::new(), &run), "starving.taut", trace.finding);
    (program, trace, value)
}

#[test]
fn a_lasso_survives_the_round_trip() {
    let (program, trace, value) = written();
    assert_eq!(from_json(&program, &value.to_string()), Ok(trace.clone()));
    let run = replay(&program, &trace).unwrap();
    let text = to_json_text(
        RunView::new(&program, &SourceMap::new(), &run),
        "starving.taut",
        trace.finding,
    );
    assert_eq!(from_json(&program, &text), Ok(trace.clone()));
    insta::assert_snapshot!(text);
    let mut without = value;
    without.as_object_mut().unwrap().remove("lasso");
    assert_eq!(from_json(&program, &without.to_string()), Ok(Trace { lasso: None, ..trace }));
}

#[test]
fn every_fairness_is_read_back() {
    let (program, trace, mut value) = written();
    for name in ["none", "process", "memory", "all", "memory-process", "process,memory-process"] {
        value["lasso"]["fairness"] = name.into();
        let fairness: Fairness = name.parse().unwrap();
        assert_eq!(fairness.name(), name);
        let lasso = Some(Lasso { cycle: 2, fairness });
        assert_eq!(from_json(&program, &value.to_string()), Ok(Trace { lasso, ..trace.clone() }));
    }
}

#[test]
fn hostile_lassos_are_errors() {
    let (program, _, good) = written();
    let with = |lasso: Value| {
        let mut value = good.clone();
        value["lasso"] = lasso;
        from_json(&program, &value.to_string()).expect_err("it is wrong").to_string()
    };
    let of = |cycle: Value, fairness: Value| json!({"cycle": cycle, "fairness": fairness});
    assert_eq!(with(of(6.into(), "all".into())), "the cycle starts at step 6, and there are 5");
    assert_eq!(
        with(of(u64::MAX.into(), "all".into())),
        format!("the cycle starts at step {}, and there are 5", u64::MAX)
    );
    assert_eq!(with(of(2.into(), "some".into())), "unknown fairness `some`");
    for odd in [json!(-1), json!(1.5), json!("2"), json!(1e30), json!([2]), Value::Null] {
        assert!(with(of(odd.clone(), "all".into())).contains("column"), "{odd}");
    }
    for odd in [json!([]), json!({}), json!(3), json!("x"), json!({"cycle": 2})] {
        assert!(with(odd.clone()).contains("column"), "{odd}");
    }
    assert!(with(of(2.into(), 7.into())).contains("column"));
}
