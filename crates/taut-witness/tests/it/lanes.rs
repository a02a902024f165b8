//! How runs look on the terminal.

use crate::common;

use common::code::{self, Also, edge, into_reg, into_var, receive, send, shake, shared};
use common::*;
use taut_ir::MemoryModel::{Pso, Tso};
use taut_ir::build::ProgramBuilder;
use taut_ir::{
    BinaryOp, ChannelOp, Effect, Expr, Fault, Finding, FullBuffer, Lvalue, Memory, Mode, Pattern,
    Program, PropId, RegId, Type, VarId,
};
use taut_render::{LaneOptions, RunView, lanes};
use taut_source::{SourceMap, Span};
use taut_witness::{Trace, replay};
use unicode_width::UnicodeWidthStr;

fn draw_from(program: &Program, sources: &SourceMap, trace: &Trace, width: usize) -> String {
    let run = replay(program, trace).expect("the trace is fine");
    let text = lanes(
        RunView::new(program, sources, &run),
        trace.finding,
        LaneOptions { width, styled: false, full: true },
    );
    let widest = text.lines().map(UnicodeWidthStr::width).max();
    assert!(widest <= Some(width), "wider than {width}:\n{text}");
    text
}

fn draw(program: &Program, trace: &Trace, width: usize) -> String {
    draw_from(program, &SourceMap::new(), trace, width)
}

/// Gives every step a line of its own in a made-up source file.
fn with_lines(program: &mut Program) -> SourceMap {
    let mut text = String::new();
    let mut sources = SourceMap::new();
    for def in &program.defs {
        text.push_str(&"-\n".repeat(def.steps.len() + 2));
    }
    let file = sources.add("made up", text);
    let mut line = 3;
    for def in &mut program.defs {
        for step in &mut def.steps {
            step.span = Span::new(file, 2 * line..2 * line + 1);
            line += 1;
        }
        line += 2;
    }
    sources
}

fn store_buffering_trace() -> Trace {
    let actions = vec![step(0, 0), step(0, 1), step(1, 0), step(1, 1), commit(0, 0), commit(1, 1)];
    Trace::new(Memory::new(Tso), first_property(), actions)
}

#[test]
fn store_buffering_under_tso() {
    let mut program = store_buffering(false);
    let sources = with_lines(&mut program);
    insta::assert_snapshot!(draw_from(&program, &sources, &store_buffering_trace(), 100));
}

#[test]
fn colours_change_nothing_but_colours() {
    let program = store_buffering(false);
    let trace = store_buffering_trace();
    let run = replay(&program, &trace).unwrap();
    let sources = SourceMap::new();
    let draw = |styled| {
        lanes(
            RunView::new(&program, &sources, &run),
            trace.finding,
            LaneOptions { width: 100, styled, full: true },
        )
    };
    let styled = draw(true);
    assert!(styled.contains("\u{1b}["));
    assert_eq!(strip(&styled), draw(false));
    insta::assert_snapshot!(styled.replace('\u{1b}', "␛"));
}

/// A text without its escape codes, and without the blanks that they kept at the ends of lines.
fn strip(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find('m').expect("codes end in m");
        rest = &rest[at + end + 1..];
    }
    plain.push_str(rest);
    plain.lines().map(|l| format!("{}\n", l.trim_end())).collect()
}

/// Many stores to an array and to scalars, an sfence, own reads and a ghost; 4 shared places.
fn busy() -> (Program, Trace) {
    let mut b = ProgramBuilder::new("busy");
    let x = b.shared("x", Type::INT, 0);
    let slots = b.shared_array("slots", Type::INT, vec![0, 0, 0]);
    let ready = b.shared("ready", Type::BOOL, 0);
    let seen = b.ghost("seen", Type::INT, 0);
    let mut p = b.process("producer");
    let i = p.register("i", Type::INT, 1);
    let put = |value: Expr| Effect::assign(Lvalue::VarElem(slots, i.into()), value);
    p.store(x, 1).store(x, 2);
    p.step(Expr::TRUE, Mode::Plain, vec![put(Expr::binary(BinaryOp::Add, x.into(), 40.into()))]);
    p.step(Expr::TRUE, Mode::Plain, vec![Effect::StoreFence]);
    p.store(ready, 1);
    p.load(i, x);
    p.finish();
    let mut q = b.process("consumer");
    let r = q.register("r", Type::INT, 0);
    q.assume(Expr::from(ready).equals(1.into()));
    let look = Effect::assign(Lvalue::Reg(r), Expr::VarElem(slots, Box::new(1.into())));
    q.step(Expr::TRUE, Mode::Plain, vec![look, Effect::assign(Lvalue::Var(seen), r)]);
    q.exchange(r, x, 9);
    q.assert("unchanged", Expr::from(r).equals(Expr::from(x)));
    q.finish();
    let program = b.build().unwrap();
    let unchanged = Finding::Property(PropId(0));
    let element = taut_ir::Action::Commit { process: taut_ir::ProcId(0), var: slots, index: 1 };
    let actions = vec![
        step(0, 0),
        step(0, 1),
        step(0, 2),
        step(0, 3),
        step(0, 4),
        step(0, 5),
        element,
        commit(0, 0),
        commit(0, 0),
        commit(0, 2),
        step(1, 0),
        step(1, 1),
        step(1, 2),
        step(1, 3),
    ];
    (program, Trace::new(Memory::new(Pso), unchanged, actions))
}

#[test]
fn many_commits_under_pso() {
    let (program, trace) = busy();
    insta::assert_snapshot!(draw(&program, &trace, 100));
}

#[test]
fn many_commits_in_sixty_columns() {
    let (mut program, trace) = busy();
    let sources = with_lines(&mut program);
    insta::assert_snapshot!(draw_from(&program, &sources, &trace, 60));
}

#[test]
fn more_processes_than_lanes() {
    let mut b = ProgramBuilder::new("crowd");
    let x = b.shared("x", Type::range(0, 5), 0);
    for i in 0..6 {
        let mut p = b.process(&format!("member[{i}]"));
        p.store(x, Expr::binary(BinaryOp::Add, x.into(), 1.into()));
        p.finish();
    }
    let program = b.build().unwrap();
    let finding = Finding::Fault(taut_ir::Fault::Range);
    let trace = trace_to(&program, Memory::new(Tso), finding);
    insta::assert_snapshot!(draw(&program, &trace, 60));
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let mut b = ProgramBuilder::new("deadlock");
    let x = b.shared("x", Type::INT, 0);
    let y = b.shared("y", Type::INT, 0);
    for (name, first, other) in [("p", x, y), ("q", y, x)] {
        let mut p = b.process(name);
        p.store(first, 2);
        p.assume(Expr::from(other).equals(1.into()));
        p.finish();
    }
    let mut program = b.build().unwrap();
    let sources = with_lines(&mut program);
    let trace = trace_to(&program, Memory::new(Tso), Finding::Deadlock);
    insta::assert_snapshot!(draw_from(&program, &sources, &trace, 80));
}

#[test]
fn a_full_buffer_is_shown_in_its_lane() {
    let mut b = ProgramBuilder::new("full");
    let x = b.shared("x", Type::INT, 0);
    let mut p = b.process("p");
    p.store(x, 1).store(x, 2);
    p.finish();
    let program = b.build().unwrap();
    let memory = Memory { full_buffer: FullBuffer::Error, ..Memory::new(Tso).bounded(Some(1)) };
    let trace = trace_to(&program, memory, Finding::FullBuffer);
    insta::assert_snapshot!(draw(&program, &trace, 80));
}

#[test]
fn labels_and_a_violation_at_the_start() {
    let mut b = ProgramBuilder::new("start");
    let x = b.shared("x", Type::INT, 3);
    let mut p = b.process("p[0]");
    p.label("cs").store(x, 1);
    let p = p.finish();
    b.forbid("never", Expr::At(p, vec![taut_ir::PointId(0)]).and(Expr::Drained(p)));
    let program = b.build().unwrap();
    let trace = Trace::new(Memory::new(Tso), first_property(), vec![]);
    insta::assert_snapshot!(draw(&program, &trace, 80));
}

fn plus_one(expr: impl Into<Expr>) -> Expr {
    Expr::binary(BinaryOp::Add, expr.into(), 1.into())
}

/// A client sends a request over `ask`, which holds nothing, and gets an answer in x; the server answers
/// over a channel that it was told, and divides by what it was asked.
fn served() -> (Program, Trace) {
    let n = RegId(0);
    let reply = ChannelOp::Send {
        channel: RegId(1).into(),
        message: vec![Expr::Binary(BinaryOp::Div, Box::new(8.into()), Box::new(n.into()))],
        sorted: false,
    };
    let client = vec![
        edge(0, 1).on(send(0, &[plus_one(n), code::named(1)])),
        edge(1, 0).on(receive(1, &[into_var(0)])).does(Effect::assign(Lvalue::Reg(n), -1)),
    ];
    let server = vec![edge(0, 1).on(receive(0, &[into_reg(0), into_reg(1)])), edge(1, 0).on(reply)];
    let code =
        vec![code::code("client", &["n"], client), code::code("server", &["n", "to"], server)];
    let channels = vec![code::channel("ask", 0, 2), code::channel("answer", 0, 1)];
    let program = checked(code::program(vec![shared("x")], channels, code));
    let finding = Finding::Fault(Fault::DivisionByZero);
    let actions = vec![shake(0, 0, 1, 0), shake(1, 1, 0, 1), shake(0, 0, 1, 0), shake(1, 1, 0, 1)];
    (program, Trace::new(Memory::new(Tso), finding, actions))
}

#[test]
fn a_rendezvous_is_one_row_in_two_lanes() {
    let (mut program, trace) = served();
    let sources = with_lines(&mut program);
    insta::assert_snapshot!(draw_from(&program, &sources, &trace, 100));
}

#[test]
fn a_rendezvous_where_there_is_one_lane_for_all() {
    let (mut program, trace) = served();
    let sources = with_lines(&mut program);
    insta::assert_snapshot!(draw_from(&program, &sources, &trace, 40));
}

/// Messages with two fields and with one, sorted, looked at, taken from the middle; then nobody can go
/// on.
#[test]
fn what_channels_hold_is_shown_below_memory() {
    let r = RegId(0);
    let put = |a: i64, b: Expr| ChannelOp::Send {
        channel: code::named(0),
        message: vec![a.into(), b],
        sorted: true,
    };
    let look = ChannelOp::Receive {
        channel: code::named(0),
        pattern: vec![into_reg(0), Pattern::Any],
        anywhere: false,
        keep: true,
    };
    let take = ChannelOp::Receive {
        channel: code::named(0),
        pattern: vec![Pattern::Match(plus_one(r)), into_reg(1)],
        anywhere: true,
        keep: false,
    };
    let p = vec![
        edge(0, 1).on(put(2, VarId(0).into())),
        edge(1, 2).on(put(1, 4.into())),
        edge(2, 3).on(send(1, &[7.into()])).does(code::set_var(0, 5)),
        edge(3, 4).on(send(1, &[8.into()])),
    ];
    let q = vec![
        edge(0, 1).on(look),
        edge(1, 2).on(take),
        edge(2, 3).on(receive(0, &[into_reg(0), Pattern::Match(9.into())])),
    ];
    let code = vec![code::code("p", &[], p), code::code("q", &["r", "s"], q)];
    let channels =
        vec![code::channel("q", 2, 2), code::channel("one", 1, 1), code::channel("meet", 0, 1)];
    let mut program = checked(code::program(vec![shared("x")], channels, code));
    let sources = with_lines(&mut program);
    let actions = vec![step(0, 0), step(0, 1), step(1, 0), step(1, 1), step(0, 2), commit(0, 0)];
    let trace = Trace::new(Memory::new(Tso), Finding::Deadlock, actions);
    insta::assert_snapshot!(draw_from(&program, &sources, &trace, 100));
}
