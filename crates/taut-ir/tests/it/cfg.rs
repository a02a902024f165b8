//! The control-flow graph against the plainest way to compute the same.

use proptest::prelude::*;
use taut_ir::{
    Cfg, Control, PointId, Procedure, ProcedureId, ProcessDef, ProgramPoint, Span, Step, StepId,
};

const POINTS: u32 = 7;

/// Where a step leads: to a program point, into one of two procedures, back, or out.
fn control() -> BoxedStrategy<Control> {
    let point = || (0..POINTS).prop_map(PointId);
    prop_oneof![
        8 => point().prop_map(Control::Goto),
        2 => (0..2_u32, point()).prop_map(|(procedure, return_to)| Control::Call {
            procedure: ProcedureId(procedure),
            args: vec![],
            return_to,
        }),
        1 => Just(Control::Return),
        1 => Just(Control::Exit),
    ]
    .boxed()
}

fn definition() -> BoxedStrategy<ProcessDef> {
    let step = ((0..POINTS).prop_map(PointId), control());
    let entries = prop::array::uniform2((0..POINTS).prop_map(PointId));
    (prop::collection::vec(step, 0..14), entries)
        .prop_map(|(steps, entries)| {
            let step = |(source, target)| Step { target, ..Step::skip(source, source, Span::NONE) };
            let procedure =
                |entry| Procedure { name: "f".into(), entry, registers: vec![], params: 0 };
            ProcessDef {
                name: "p".into(),
                registers: vec![],
                params: 0,
                points: vec![ProgramPoint::new(); POINTS as usize],
                entry: PointId(0),
                steps: steps.into_iter().map(step).collect(),
                procedures: entries.map(procedure).to_vec(),
                channel_registers: vec![],
                span: Span::NONE,
            }
        })
        .boxed()
}

/// Where a step may lead, from its text.
fn next(def: &ProcessDef, step: &Step) -> Vec<PointId> {
    let behind = |s: &Step| match s.target {
        Control::Call { return_to, .. } => Some(return_to),
        _ => None,
    };
    match &step.target {
        Control::Goto(to) => vec![*to],
        Control::Call { procedure, .. } => vec![def.procedures[procedure.index()].entry],
        Control::Return => def.steps.iter().filter_map(behind).collect(),
        Control::Exit => vec![],
    }
}

/// For each program point, those that may come after it, itself included: rounds until nothing changes.
fn closure(def: &ProcessDef) -> Vec<u64> {
    let mut after: Vec<u64> = (0..def.points.len()).map(|p| 1 << p).collect();
    loop {
        let before = after.clone();
        for step in &def.steps {
            for to in next(def, step) {
                after[step.source.index()] |= after[to.index()];
            }
        }
        if after == before {
            return after;
        }
    }
}

/// Whether a graph of program points has a loop.
fn has_loop(def: &ProcessDef, follows: impl Fn(&Step, StepId) -> bool) -> bool {
    let mut after = vec![0_u64; def.points.len()];
    for _ in 0..def.points.len() {
        for (i, step) in def.steps.iter().enumerate() {
            if follows(step, StepId::from(i)) {
                for to in next(def, step) {
                    after[step.source.index()] |= after[to.index()] | 1 << to.0;
                }
            }
        }
    }
    after.iter().enumerate().any(|(p, after)| after >> p & 1 == 1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn steps_leave_and_lead_as_their_text_says(def in definition()) {
        let cfg = Cfg::of(&def);
        for (i, step) in def.steps.iter().enumerate() {
            prop_assert_eq!(cfg.targets(StepId::from(i)), next(&def, step));
            prop_assert_eq!(cfg.source(StepId::from(i)), step.source);
        }
        for point in cfg.points() {
            let plain: Vec<StepId> = def.steps_from(point).map(|(id, _)| id).collect();
            prop_assert_eq!(cfg.leaving(point), plain);
            prop_assert_eq!(cfg.is_last(point), def.steps_from(point).next().is_none());
        }
    }

    #[test]
    fn what_lies_ahead_is_what_rounds_find(def in definition()) {
        let cfg = Cfg::of(&def);
        let own: Vec<u64> = (0..def.points.len()).map(|p| 1 << p).collect();
        let plain = closure(&def);
        prop_assert_eq!(&cfg.ahead(&own, |all, more| *all |= more), &plain);
        for from in cfg.points() {
            let reachable = cfg.reachable([from], |_| true);
            let bits = reachable.iter().enumerate().fold(0, |all, (p, is)| all | u64::from(*is) << p);
            prop_assert_eq!(bits, plain[from.index()]);
        }
        prop_assert_eq!(cfg.reachable_from_entry(|_| true), cfg.reachable([def.entry], |_| true));
    }

    #[test]
    fn components_are_numbered_from_the_last_one(def in definition()) {
        let (cfg, ahead) = (Cfg::of(&def), closure(&def));
        let number = cfg.components();
        for (from, to) in cfg.points().flat_map(|from| cfg.points().map(move |to| (from.index(), to.index()))) {
            let [there, back] = [(from, to), (to, from)].map(|(a, b)| ahead[a] >> b & 1 == 1);
            prop_assert!(!there || number[to] <= number[from]);
            prop_assert_eq!(there && back, number[from] == number[to]);
        }
    }

    #[test]
    fn an_order_is_followed_by_every_step_and_missing_only_where_there_is_a_loop(def in definition()) {
        let cfg = Cfg::of(&def);
        let order = cfg.order();
        prop_assert_eq!(order.is_none(), has_loop(&def, |_, _| true));
        let Some(order) = order else { return Ok(()) };
        prop_assert_eq!(order.len(), def.points.len());
        let position = |point: PointId| order.iter().position(|&p| p == point);
        for step in &def.steps {
            for to in next(&def, step) {
                prop_assert!(position(step.source) < position(to));
            }
        }
    }

    #[test]
    fn without_back_edges_there_is_no_loop(def in definition(), followed in any::<u16>()) {
        let cfg = Cfg::of(&def);
        let follows = |id: StepId| followed >> id.0 & 1 == 1;
        let back = cfg.back_edges(follows);
        let is_plain = |step: &Step| matches!(step.target, Control::Goto(_));
        let left = |step: &Step, id: StepId| follows(id) && is_plain(step) && !back[id.index()];
        prop_assert!(!has_loop(&def, left));
        // A back edge closes a loop: it is none if there is no loop with it.
        for (i, _) in back.iter().enumerate().filter(|(_, is)| **is) {
            let with = |step: &Step, id: StepId| left(step, id) || id.index() == i;
            prop_assert!(has_loop(&def, with));
        }
    }
}

#[test]
fn program_points_belong_to_the_procedure_that_comes_to_them_without_calls() {
    let goto = |from: u32, to: u32| Step::skip(PointId(from), PointId(to), Span::NONE);
    let call = |from: u32, procedure: u32, to: u32| Step {
        target: Control::Call {
            procedure: ProcedureId(procedure),
            args: vec![],
            return_to: PointId(to),
        },
        ..goto(from, from)
    };
    let back = |from: u32| Step { target: Control::Return, ..goto(from, from) };
    let procedure = |entry| Procedure { name: "f".into(), entry, registers: vec![], params: 0 };
    let def = ProcessDef {
        name: "p".into(),
        registers: vec![],
        params: 0,
        points: vec![ProgramPoint::new(); 6],
        entry: PointId(0),
        // The body: 0 calls the first procedure and goes on at 1. The first: 2 calls the second, 3 returns. The
        // second: 4 to 5, which returns.
        steps: vec![call(0, 0, 1), call(2, 1, 3), back(3), goto(4, 5), back(5)],
        procedures: vec![procedure(PointId(2)), procedure(PointId(4))],
        channel_registers: vec![],
        span: Span::NONE,
    };
    let (first, second) = (Some(ProcedureId(0)), Some(ProcedureId(1)));
    assert_eq!(Cfg::of(&def).procedures(), [None, None, first, first, second, second]);
    assert_eq!(def.procedure_of(), Cfg::of(&def).procedures());
}

/// Twenty thousand steps with a thousand calls and a thousand returns: no edge between each two of them is looked at.
#[test]
fn large_graphs_take_little_time() {
    let count = 20_000_u32;
    let step = |i: u32| {
        let target = match i % 20 {
            0 => Control::Return,
            1 => {
                let procedure = ProcedureId(i % 2);
                Control::Call { procedure, args: vec![], return_to: PointId((i + 7) % count) }
            }
            _ => Control::Goto(PointId((i + 1) % count)),
        };
        Step { target, ..Step::skip(PointId(i), PointId(i), Span::NONE) }
    };
    let procedure = |entry| Procedure { name: "f".into(), entry, registers: vec![], params: 0 };
    let def = ProcessDef {
        name: "p".into(),
        registers: vec![],
        params: 0,
        points: vec![ProgramPoint::new(); count as usize],
        entry: PointId(0),
        steps: (0..count).map(step).collect(),
        procedures: vec![procedure(PointId(5)), procedure(PointId(9))],
        channel_registers: vec![],
        span: Span::NONE,
    };
    let started = std::time::Instant::now();
    let cfg = Cfg::of(&def);
    let own: Vec<u64> = (0..u64::from(count)).map(|p| 1 << (p % 64)).collect();
    let ahead = cfg.ahead(&own, |all, more| *all |= more);
    assert_eq!(ahead.len(), count as usize);
    assert_eq!(cfg.reachable_from_entry(|_| true).len(), count as usize);
    assert_eq!(cfg.back_edges(|_| true).len(), count as usize);
    assert!(cfg.order().is_none());
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}
