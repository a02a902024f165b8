//! States a second on a plain counting model.
//!
//! Some processes, each counting its own shared variable up to a bound, under SC: as many states as there
//! are tuples of counters, as many transitions out of each as there are processes that still count. No
//! property, no reduction: what is measured is successors and the state store.

use taut::ir::build::ProgramBuilder;
use taut::ir::{BinaryOp, Effect, Expr, Lvalue, Span, Step, Type};
use taut::{Check, MemoryModel, Order, Program, Reduce, Verdict};

use taut_testkit::spin::{Figures, Verifier};

/// What to run.
#[derive(clap::Args)]
pub struct StatesArgs {
    /// How far each of the four counters counts; 57 gives eleven million states.
    #[arg(long, default_value_t = 57)]
    limit: i64,
    /// Leave SPIN out.
    #[arg(long)]
    no_spin: bool,
}

const PROCESSES: usize = 4;

/// Runs the benchmark.
pub fn run(args: &StatesArgs) -> Result<(), String> {
    println!(
        "{:<28} {:>12} {:>12} {:>8} {:>10} {:>12} {:>9} {:>10}",
        "", "states", "transitions", "seconds", "states/s", "transitions/s", "bytes/st", "peak MiB"
    );
    for (name, order, padding) in [
        ("taut bfs, 3-byte vector", Order::Bfs, 0),
        ("taut bfs, 15-byte vector", Order::Bfs, 3),
        ("taut dfs, 15-byte vector", Order::Dfs, 3),
    ] {
        let program = counters(args.limit, padding);
        let report =
            Check::of(&program).model(MemoryModel::Sc).order(order).reduce(Reduce::None).run();
        let report = report.map_err(|e| e.to_string())?;
        if !report.results.iter().all(|r| matches!(r.verdict, Verdict::Holds(_))) {
            return Err("the counting model has no violation".into());
        }
        let s = report.stats;
        row(name, s.states, s.transitions, s.time.as_secs_f64(), s.peak_bytes as f64);
    }
    println!("floors on one core: 1 million states/s, 4 million transitions/s, 32 bytes per state");
    if !args.no_spin {
        match spin(args.limit) {
            Ok(p) => row("spin 6.5 (gcc -O3)", p.states, p.transitions, p.seconds, p.bytes),
            Err(why) => println!("spin left out: {why}"),
        }
    }
    Ok(())
}

fn row(name: &str, states: u64, transitions: u64, seconds: f64, bytes: f64) {
    println!(
        "{name:<28} {states:>12} {transitions:>12} {seconds:>8.2} {:>10.0} {:>12.0} {:>9.1} {:>10.0}",
        states as f64 / seconds,
        transitions as f64 / seconds,
        bytes / states as f64,
        bytes / f64::from(1 << 20),
    );
}

/// The model, each step also setting so many other variables of a byte each.
fn counters(limit: i64, padding: usize) -> Program {
    let mut b = ProgramBuilder::new("counters");
    for i in 0..PROCESSES {
        let x = b.shared(&format!("x{i}"), Type::range(0, limit), 0);
        let byte = Type::range(0, 255);
        let others: Vec<_> = (0..padding).map(|j| b.shared(&format!("y{i}{j}"), byte, 0)).collect();
        let mut p = b.process(&format!("p{i}"));
        let here = p.here();
        let add = |n| Expr::binary(BinaryOp::Add, Expr::Var(x), Expr::Const(n));
        let mut effects = vec![Effect::assign(Lvalue::Var(x), add(1))];
        effects.extend(others.iter().map(|&y| Effect::assign(Lvalue::Var(y), add(100))));
        let guard = Expr::binary(BinaryOp::Lt, Expr::Var(x), Expr::Const(limit));
        p.edge(Step { guard, effects, ..Step::skip(here, here, Span::NONE) });
        p.finish();
    }
    b.build().expect("a well-formed model")
}

/// SPIN on the same model, without its reductions.
fn spin(limit: i64) -> Result<Figures, String> {
    let flags = ["-O3", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000"];
    Verifier::new(&promela(limit), &flags)?.run(&["-m1000000", "-w24"])
}

/// The same in Promela.
fn promela(limit: i64) -> String {
    let mut text = format!("byte x[{PROCESSES}];\n");
    text.push_str(&format!("active [{PROCESSES}] proctype p() {{\n"));
    text.push_str("end: do\n");
    text.push_str(&format!("  :: d_step {{ x[_pid] < {limit} -> x[_pid]++ }}\n"));
    text.push_str("  od\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spin_counts_as_many_states() {
        let limit = 9;
        let figures = spin(limit).expect("SPIN runs");
        for order in [Order::Bfs, Order::Dfs] {
            let program = counters(limit, 0);
            let report =
                Check::of(&program).order(order).reduce(Reduce::None).run().expect("a report");
            assert_eq!(report.stats.states, figures.states);
            assert_eq!(report.stats.states, 10_u64.pow(PROCESSES as u32));
        }
    }
}
