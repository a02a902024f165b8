//! Everything that `validate` refuses: one broken program per refusal, with its message.
//!
//! [`every_refusal_of_the_source_has_a_broken_program`] reads the messages in the source of the validation, so that a
//! refusal without a test is noticed.

use taut_ir::validate::validate;
use taut_ir::{
    Assignment, Atom, ChanId, Channel, ChannelOp, Control, DefId, Effect, EffectOrder, EventState,
    EventTrace, Expr, Lifecycle, Ltl, Lvalue, Never, Pattern, PointId, ProcId, Procedure,
    ProcedureId, Process, ProcessDef, Program, ProgramPoint, PropId, Property, PropertyKind, RegId,
    Register, Span, Start, Step, StepId, Type, VarId, VarKind, Variable,
};
use taut_ltl::{Automaton, Edge, Formula, Guard, State};

const X: VarId = VarId(0);
const ARRAY: VarId = VarId(1);
const GHOST: VarId = VarId(2);
const R: RegId = RegId(0);
const REGISTERS: RegId = RegId(1);
const P: ProcId = ProcId(0);

fn variable(name: &str, kind: VarKind, len: Option<u32>) -> Variable {
    let init = vec![0; len.unwrap_or(1) as usize];
    Variable { name: name.into(), kind, ty: Type::range(0, 3), len, init, span: Span::NONE }
}

fn register(name: &str, len: Option<u32>) -> Register {
    let init = vec![0; len.unwrap_or(1) as usize];
    Register { name: name.into(), ty: Type::range(0, 3), len, init, span: Span::NONE }
}

fn property(name: &str, kind: PropertyKind) -> Property {
    Property { name: name.into(), kind, span: Span::NONE }
}

fn process(name: &str, start: Start) -> Process {
    let args = if start == Start::Initially { vec![1] } else { vec![] };
    Process { name: name.into(), def: DefId(0), args, start, channels: vec![ChanId(0)] }
}

/// A valid program: a process `p` of the definition `d` with a parameter, an array and a procedure `f(n)`, a slot to
/// spawn, a channel, an assertion and an invariant. Steps: 0 calls `f`, 1 returns, 2 and 3 leave program point 1.
fn valid() -> Program {
    let step = |from: u32, to: u32| Step::skip(PointId(from), PointId(to), Span::NONE);
    let args = vec![Expr::Const(1)];
    let call = Control::Call { procedure: ProcedureId(0), args, return_to: PointId(1) };
    let steps = vec![
        Step { target: call, ..step(0, 0) },
        Step { target: Control::Return, ..step(3, 3) },
        step(1, 2),
        Step { yields_to: vec![StepId(2)], ..step(1, 2) },
    ];
    let def = ProcessDef {
        name: "d".into(),
        registers: vec![register("r", None), register("rs", Some(2)), register("n", None)],
        params: 1,
        points: vec![ProgramPoint::new(); 4],
        entry: PointId(0),
        steps,
        procedures: vec![Procedure {
            name: "f".into(),
            entry: PointId(3),
            registers: vec![RegId(2)],
            params: 1,
        }],
        channel_registers: vec![(R, 0)],
        span: Span::NONE,
    };
    let channel = Channel {
        name: "c".into(),
        capacity: 1,
        fields: vec![Type::BOOL],
        order: EffectOrder::SenderFirst,
        span: Span::NONE,
    };
    Program {
        name: "valid".into(),
        vars: vec![
            variable("x", VarKind::Shared, None),
            variable("a", VarKind::Shared, Some(2)),
            variable("g", VarKind::Ghost, None),
        ],
        defs: vec![def],
        processes: vec![process("p", Start::Initially), process("p#1", Start::Spawned)],
        properties: vec![
            property("assertion", PropertyKind::Assert),
            property("good", PropertyKind::Invariant(Expr::TRUE)),
        ],
        call_depth: 1,
        channels: vec![channel],
        ..Program::default()
    }
}

type Break = fn(&mut Program);

fn def(p: &mut Program) -> &mut ProcessDef {
    &mut p.defs[0]
}

/// Lets step 2 have one more effect.
fn effect(p: &mut Program, effect: Effect) {
    def(p).steps[2].effects.push(effect);
}

/// Lets step 2 have a guard.
fn guard(p: &mut Program, guard: Expr) {
    def(p).steps[2].guard = guard;
}

/// Lets the invariant be an expression.
fn invariant(p: &mut Program, expr: Expr) {
    p.properties[1].kind = PropertyKind::Invariant(expr);
}

fn inside(process: ProcId, expr: Expr) -> Expr {
    Expr::In(process, Box::new(expr))
}

fn assign(place: Lvalue, atomic: bool) -> Effect {
    Effect::Assign(vec![Assignment { place, value: Expr::Const(0), atomic }])
}

/// The property with an automaton that has one state and one edge.
fn never(p: &mut Program, change: impl FnOnce(&mut Never)) {
    let edge = Edge { guard: Guard::always(), target: 0, accepts: 0 };
    let state = State { edges: vec![edge], name: None };
    let automaton =
        Automaton { atoms: 1, states: vec![state], initial: vec![0], sets: 1, name: None };
    let atoms = vec![Atom { expr: Expr::TRUE, text: "true".into() }];
    let mut never = Never { automaton, atoms };
    change(&mut never);
    p.properties[1].kind = PropertyKind::Never(Box::new(never));
}

/// The property with a formula over so many atoms.
fn ltl(p: &mut Program, used: u32, atoms: usize) {
    let atom = Atom { expr: Expr::TRUE, text: "true".into() };
    let formula = Formula::atom(used - 1);
    let ltl = Ltl { formula, atoms: vec![atom; atoms], finite_runs: true };
    p.properties[1].kind = PropertyKind::Ltl(Box::new(ltl));
}

fn trace(p: &mut Program, state: VarId) {
    let states = vec![EventState::default(); 4];
    p.event_trace = Some(EventTrace { word: "trace".into(), state, states, span: Span::NONE });
}

/// Priorities in the ghost array `q`, in a program with pids.
fn priorities(p: &mut Program) {
    p.lifecycle = Lifecycle::Stack;
    p.vars.push(variable("q", VarKind::Ghost, Some(2)));
    p.priorities = Some(VarId(3));
}

/// Each broken program: what is wrong, how it is broken, and everything that is said about it.
const BROKEN: &[(&str, Break, &[&str])] = &[
    (
        "any number of processes of a definition without one",
        |p| p.replicated = vec![DefId(7)],
        &["any number of definition 7, but not one"],
    ),
    // Variables and registers.
    (
        "a type without values",
        |p| (p.vars[0].ty, p.vars[0].init) = (Type { lo: 1, hi: 0, ..Type::BOOL }, vec![]),
        &["`x` has an empty range", "`x` needs 1 initial values"],
    ),
    (
        "an empty array",
        |p| (p.vars[1].len, p.vars[1].init) = (Some(0), vec![]),
        &["array `a` has no elements"],
    ),
    ("too few initial values", |p| p.vars[1].init = vec![0], &["`a` needs 2 initial values"]),
    (
        "an initial value outside",
        |p| def(p).registers[1].init = vec![0, 4],
        &["an initial value of `rs` is outside of its range"],
    ),
    ("a name twice", |p| p.vars[1].name = "x".into(), &["variable `x` is declared twice"]),
    // Definitions.
    (
        "more parameters than registers",
        |p| def(p).params = 9,
        &["`d`: parameters", "a parameter of `d` is an array", "process `p` needs 9 arguments"],
    ),
    (
        "an array as a parameter",
        |p| (def(p).params, p.processes[0].args) = (2, vec![1, 1]),
        &["a parameter of `d` is an array"],
    ),
    (
        "an entry that does not exist",
        |p| def(p).entry = PointId(9),
        &["`d` has no program point 9"],
    ),
    (
        "an atomic entry",
        |p| def(p).points[0].atomic = true,
        &["`d` starts inside an atomic section"],
    ),
    (
        "an unknown register of a procedure",
        |p| def(p).procedures[0].registers = vec![RegId(9)],
        &["procedure `f`: unknown register"],
    ),
    (
        "more parameters than registers of a procedure",
        |p| def(p).procedures[0].registers = vec![],
        &["procedure `f`: parameters"],
    ),
    (
        "a return in the body",
        |p| def(p).steps[2].target = Control::Return,
        &["`d` returns outside of a procedure"],
    ),
    // Steps.
    (
        "a source that does not exist",
        |p| def(p).steps[1].source = PointId(7),
        &["`d` has no program point 7"],
    ),
    (
        "a target that does not exist",
        |p| def(p).steps[2].target = Control::Goto(PointId(8)),
        &["`d` has no program point 8"],
    ),
    (
        "too few arguments of a call",
        |p| {
            let call =
                Control::Call { procedure: ProcedureId(0), args: vec![], return_to: PointId(1) };
            def(p).steps[0].target = call;
        },
        &["procedure `f` takes 1 arguments"],
    ),
    (
        "an unknown procedure",
        |p| {
            let call =
                Control::Call { procedure: ProcedureId(5), args: vec![], return_to: PointId(1) };
            def(p).steps[0].target = call;
        },
        &["`d` calls an unknown procedure"],
    ),
    (
        "yielding to a step elsewhere",
        |p| def(p).steps[3].yields_to = vec![StepId(0)],
        &["`d`: a step yields to one elsewhere"],
    ),
    (
        "yielding in a circle",
        |p| def(p).steps[2].yields_to = vec![StepId(3)],
        &["`d`: steps yield to each other", "`d`: steps yield to each other"],
    ),
    (
        "an exit without a stack",
        |p| def(p).steps[2].target = Control::Exit,
        &["an exit where processes live on no stack"],
    ),
    (
        "an exit with a buffered store",
        |p| {
            p.lifecycle = Lifecycle::Stack;
            def(p).steps[2].target = Control::Exit;
            effect(p, assign(Lvalue::Var(X), false));
        },
        &["a step that exits does something else that lasts"],
    ),
    // Channels.
    ("a channel without fields", |p| p.channels[0].fields = vec![], &["channel `c` has no fields"]),
    (
        "a field that cannot be 0",
        |p| p.channels[0].fields = vec![Type::range(1, 2)],
        &["a field of channel `c` cannot be 0"],
    ),
    // Effects.
    ("no assignment", |p| effect(p, Effect::Assign(vec![])), &["an assignment to nothing"]),
    (
        "an atomic write to a register",
        |p| effect(p, assign(Lvalue::Reg(R), true)),
        &["an atomic write to a register"],
    ),
    (
        "an assertion of an invariant",
        |p| {
            effect(p, Effect::Assert { condition: Expr::TRUE, property: PropId(1) });
        },
        &["an assertion names a property that is no assertion"],
    ),
    (
        "a pid without a stack",
        |p| {
            let pid = Some(Lvalue::Reg(R));
            effect(p, Effect::Spawn { def: DefId(0), args: vec![Expr::Const(1)], pid });
        },
        &["a pid where processes live on no stack"],
    ),
    (
        "too few arguments of a spawn",
        |p| {
            effect(p, Effect::Spawn { def: DefId(0), args: vec![], pid: None });
        },
        &["process `d` takes 1 arguments"],
    ),
    (
        "an unknown definition",
        |p| {
            effect(p, Effect::Spawn { def: DefId(3), args: vec![], pid: None });
        },
        &["an unknown process is spawned"],
    ),
    // Names in steps.
    (
        "an unknown register",
        |p| effect(p, assign(Lvalue::Reg(RegId(9)), false)),
        &["`d` has no register 9"],
    ),
    (
        "an unknown variable",
        |p| effect(p, assign(Lvalue::Var(VarId(9)), false)),
        &["there is no variable 9"],
    ),
    (
        "an array as a scalar",
        |p| guard(p, Expr::Var(ARRAY)),
        &["array `a` is used without an index"],
    ),
    (
        "a register array as a scalar",
        |p| {
            let pattern = vec![Pattern::Bind(Lvalue::Reg(REGISTERS))];
            let (channel, anywhere, keep) = (Expr::Const(1), false, false);
            def(p).steps[2].channel = Some(ChannelOp::Receive { channel, pattern, anywhere, keep });
        },
        &["array `rs` is used without an index"],
    ),
    (
        "a scalar as an array",
        |p| guard(p, Expr::VarElem(X, Box::new(Expr::Const(0)))),
        &["`x` is no array"],
    ),
    // Expressions.
    (
        "a register without its process",
        |p| invariant(p, Expr::Reg(R)),
        &["a property names a register without its process"],
    ),
    (
        "a step that asks for a buffer",
        |p| guard(p, Expr::Drained(P)),
        &["`d` looks into another process"],
    ),
    (
        "a step that asks for a view",
        |p| guard(p, inside(P, Expr::Var(X))),
        &["`d` looks at the view of another process"],
    ),
    (
        "a pid of no process",
        |p| {
            p.lifecycle = Lifecycle::Stack;
            invariant(p, Expr::Pid);
        },
        &["a property asks for a pid of nobody"],
    ),
    (
        "a number of processes without a stack",
        |p| invariant(p, Expr::Processes),
        &["a pid where processes live on no stack"],
    ),
    (
        "a property with a timeout",
        |p| invariant(p, Expr::Timeout),
        &["a property asks for a timeout"],
    ),
    (
        "a view of a sum",
        |p| invariant(p, inside(P, Expr::Const(1))),
        &["a view is of a variable or a register"],
    ),
    ("an unknown process", |p| invariant(p, Expr::Alive(ProcId(9))), &["there is no process 9"]),
    (
        "a program point of a process that does not exist",
        |p| invariant(p, Expr::At(P, vec![PointId(6)])),
        &["`d` has no program point 6"],
    ),
    // Processes.
    (
        "two processes with one name",
        |p| p.processes[1].name = "p".into(),
        &["two processes are called `p`"],
    ),
    (
        "a process that waits before one that runs",
        |p| p.processes.reverse(),
        &["processes that wait to be spawned come last"],
    ),
    ("a process without code", |p| p.processes[1].def = DefId(4), &["process `p#1` has no code"]),
    (
        "a place in a process without code",
        |p| {
            p.processes[1].def = DefId(4);
            invariant(
                p,
                Expr::At(ProcId(1), vec![PointId(0)]).and(inside(ProcId(1), Expr::Reg(R))),
            );
        },
        &["process `p#1` has no code"],
    ),
    (
        "too few arguments of a process",
        |p| p.processes[0].args = vec![],
        &["process `p` needs 1 arguments"],
    ),
    (
        "an argument outside",
        |p| p.processes[0].args = vec![4],
        &["an argument of `p` is out of range"],
    ),
    (
        "too few channels of a process",
        |p| p.processes[0].channels = vec![],
        &["the channels of process `p` do not fit its code"],
    ),
    // Properties.
    (
        "two properties with one name",
        |p| p.properties[1].name = "assertion".into(),
        &["two properties are called `assertion`"],
    ),
    (
        "an automaton that leads nowhere",
        |p| never(p, |n| n.automaton.initial = vec![7]),
        &["the automaton of `good` leads to a state that it does not have"],
    ),
    (
        "too many acceptance sets",
        |p| never(p, |n| n.automaton.sets = 65),
        &["the automaton of `good` has more than 64 acceptance sets"],
    ),
    (
        "a state that asks what is enabled",
        |p| invariant(p, Expr::Enabled(P)),
        &["a property over states asks what is enabled"],
    ),
    ("an atom without a meaning", |p| ltl(p, 2, 1), &["an atom of `good` has no meaning"]),
    (
        "too many atoms",
        |p| ltl(p, 1, 65),
        &["`good` has 65 atoms, and 64 are the most that are possible"],
    ),
    // Priorities.
    (
        "priorities nowhere",
        |p| p.priorities = Some(VarId(9)),
        &["the variable of the priorities does not exist"],
    ),
    (
        "shared priorities",
        |p| {
            priorities(p);
            p.vars[3].kind = VarKind::Shared;
        },
        &["priorities are not in a ghost variable"],
    ),
    (
        "too few priorities",
        |p| {
            priorities(p);
            (p.vars[3].len, p.vars[3].init) = (Some(1), vec![0]);
        },
        &["priorities need one element per process"],
    ),
    (
        "priorities without a stack",
        |p| {
            priorities(p);
            p.lifecycle = Lifecycle::Slots;
        },
        &["priorities where processes have no pid"],
    ),
    (
        "priorities and a rendezvous",
        |p| {
            priorities(p);
            p.channels[0].capacity = 0;
        },
        &["priorities and a rendezvous channel"],
    ),
    (
        "priorities and an atomic section",
        |p| {
            priorities(p);
            def(p).points[1].atomic = true;
        },
        &["priorities and an atomic program point"],
    ),
    // Trace assertions.
    (
        "a trace assertion nowhere",
        |p| trace(p, VarId(9)),
        &["the variable of the trace assertion does not exist"],
    ),
    (
        "a trace assertion in a shared variable",
        |p| trace(p, X),
        &["`x` cannot hold the state of a trace assertion"],
    ),
];

fn messages(program: &Program) -> Vec<String> {
    let errors = validate(program).err().unwrap_or_default();
    errors.into_iter().map(|error| error.to_string()).collect()
}

#[test]
fn the_program_that_is_broken_is_valid() {
    assert_eq!(messages(&valid()), [""; 0]);
    let mut with_priorities = valid();
    priorities(&mut with_priorities);
    let mut with_trace = valid();
    trace(&mut with_trace, GHOST);
    let mut with_automaton = valid();
    never(&mut with_automaton, |_| {});
    let mut with_formula = valid();
    ltl(&mut with_formula, 1, 64);
    for program in [with_priorities, with_trace, with_automaton, with_formula] {
        assert_eq!(messages(&program), [""; 0]);
    }
}

#[test]
fn each_broken_program_is_refused_for_its_reason_alone() {
    for (what, change, expected) in BROKEN {
        let mut program = valid();
        change(&mut program);
        assert_eq!(messages(&program), *expected, "{what}");
    }
}

/// The texts of refusals in a source file. What stands between quotes and is no refusal: the name of a phase, and the
/// subject of "… where processes live on no stack".
fn refusals(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    // Comments and attributes refuse nothing.
    let is_code =
        |line: &&str| !["//", "#["].iter().any(|start| line.trim_start().starts_with(start));
    let lines = code.lines().filter(is_code);
    let code: String = lines.collect::<Vec<_>>().join("\n");
    let mut pieces = code.split('"');
    let mut before = pieces.next().unwrap_or_default();
    let mut all = Vec::new();
    while let (Some(text), Some(after)) = (pieces.next(), pieces.next()) {
        if !before.ends_with("phase(") && !before.ends_with("stack_only(") {
            all.push(text.to_owned());
        }
        before = after;
    }
    all
}

/// Whether a message is what a text with `{…}` in it can become.
fn is_instance(text: &str, message: &str) -> bool {
    let mut rest = message;
    let mut first = true;
    for piece in text.split('{').flat_map(|part| part.split('}')).step_by(2) {
        let Some(at) = rest.find(piece) else { return false };
        if first && at != 0 {
            return false;
        }
        first = false;
        rest = &rest[at + piece.len()..];
    }
    text.ends_with('}') || rest.is_empty()
}

#[test]
fn every_refusal_of_the_source_has_a_broken_program() {
    let sources = [
        include_str!("../../src/validate.rs"),
        include_str!("../../src/priority.rs"),
        include_str!("../../src/event_trace.rs"),
    ];
    let texts: Vec<String> = sources.iter().flat_map(|source| refusals(source)).collect();
    assert!(texts.len() >= 55, "only {} refusals were found in the source", texts.len());
    let messages: Vec<&str> = BROKEN.iter().flat_map(|(_, _, all)| all.iter().copied()).collect();
    for text in &texts {
        let is_met = messages.iter().any(|message| is_instance(text, message));
        assert!(is_met, "no broken program is refused with `{text}`");
    }
    for message in messages {
        let is_known = texts.iter().any(|text| is_instance(text, message));
        assert!(is_known, "`{message}` is not in the source");
    }
}
