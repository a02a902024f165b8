//! `taut check`: one program under one or all memory models.

use taut::search::limits::{Bytes, Seconds};
use taut::symbolic::SymbolicCounts;
use taut::witness::{LaneOptions, lanes};
use taut::{
    Check, Engine, FullBuffer, Interrupt, Loaded, MemoryModel, Order, PropertyResult, Report, Stats,
};

use super::args::{
    BufferArgs, CheckArgs, EngineArg, Format, FullBufferArg, LimitArgs, ModelArg, SearchArg,
    SearchArgs,
};
use super::columns::{Cell, render, thousands};
use super::compare::verdicts;
use super::exit::Exit;
use super::facts;
use super::input::warn_under;
use super::json;
use super::output::{eprint, is_styled, paint, print, verdict_style, width};
use super::report;
use super::runs;
use super::scope;
use super::suite;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    if let Err(exit) = suite::refuse_options(args) {
        return exit;
    }
    if args.input.file.is_dir() {
        return suite::run(args);
    }
    let Ok(loaded) = runs::read(&args.input, &args.runs) else { return Exit::BadInput };
    let interrupt = on_ctrl_c();
    let mut reports = Vec::new();
    let asked = args.model.or_else(|| loaded.memory_model().map(ModelArg::one));
    let models = asked.unwrap_or_else(|| default_model(&args.search)).models();
    if let Err(exit) = scope::refuse(&loaded, models, &args.buffers, &args.search) {
        return exit;
    }
    if let Err(exit) = refuse_bounds(&args.buffers, &args.search) {
        return exit;
    }
    warn_under(&loaded, models);
    let check = |model| {
        let check =
            configure(&loaded, model, &args.buffers, &args.search, &args.limits, &interrupt);
        runs::configure(check, &args.runs).all(args.all)
    };
    for &model in models {
        let report = match check(model).run() {
            Ok(report) => report,
            Err(fault) => return internal(&fault),
        };
        match args.format {
            Format::Json => print(&json::line(&loaded, &report)),
            Format::Text => print(&violations(&loaded, &report)),
        }
        reports.push(report);
    }
    if args.format == Format::Text {
        print(&summary(&loaded, &reports));
        print(&notes(&reports));
        if args.all {
            print(&format!("\n{}", verdicts(&reports)));
        }
        if args.stats {
            print(&statistics(&reports));
        }
        print(&facts::paragraphs(&loaded, &reports));
    }
    if let Some(path) = &args.trace
        && let Err(error) = write_trace(path, &loaded, &reports)
    {
        eprint(&format!("error: cannot write `{}`: {error}\n", path.display()));
        return Exit::BadInput;
    }
    let compared = |model| beside(check(model), &args.search);
    match report::write(&args.report, &loaded, &reports, compared, args.limits.timeout) {
        Ok(exit) => reports.iter().map(Exit::of).max().unwrap_or(Exit::Holds).max(exit),
        Err(fault) => internal(&fault),
    }
}

/// A check of a model to compare with: rounds, which are for TSO alone, are left out.
pub fn beside<'l>(check: Check<'l>, search: &SearchArgs) -> Check<'l> {
    if scope::scopes(search).is_some() { check.engine(Engine::Auto) } else { check }
}

/// The models that are meant if none is named.
fn default_model(search: &SearchArgs) -> ModelArg {
    match scope::scopes(search) {
        Some(_) => ModelArg::Tso,
        None => ModelArg::All,
    }
}

/// A flag that Ctrl-C raises; a second Ctrl-C ends the program at once.
pub fn on_ctrl_c() -> Interrupt {
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
    };
    // Without a handler Ctrl-C ends the program, which is what it does anyway.
    let _ = ctrlc::set_handler(handler);
    interrupt
}

/// What a store into a full buffer does, as the arguments say.
pub fn full_buffer(buffers: &BufferArgs) -> FullBuffer {
    match buffers.full_buffer {
        FullBufferArg::Wait => FullBuffer::Wait,
        FullBufferArg::Error => FullBuffer::Error,
    }
}

/// A check as the arguments say.
pub fn configure<'l>(
    loaded: &'l Loaded,
    model: MemoryModel,
    buffers: &BufferArgs,
    search: &SearchArgs,
    limits: &LimitArgs,
    interrupt: &Interrupt,
) -> Check<'l> {
    let order = match search.search {
        SearchArg::Bfs => Order::Bfs,
        SearchArg::Dfs => Order::Dfs,
    };
    let check = Check::of(loaded)
        .model(model)
        .bound(buffers.bound_for(loaded))
        .full_buffer(full_buffer(buffers))
        .engine(engine(loaded, buffers, search))
        .order(order)
        .deadlock(!search.no_deadlock)
        .asserts(!search.no_assert)
        .reduce(search.reduce.into())
        .max_states(limits.max_states)
        .timeout(limits.timeout)
        .interrupt(interrupt.clone());
    match limits.max_memory {
        Some(bytes) => check.max_memory(bytes),
        None => check,
    }
}

/// Shows what cannot be asked of the symbolic engine, if it is: it knows buffers without a bound only.
pub fn refuse_bounds(buffers: &BufferArgs, search: &SearchArgs) -> Result<(), Exit> {
    if search.engine != EngineArg::Symbolic {
        return Ok(());
    }
    let trouble = if buffers.bound.is_some_and(|bound| bound.0.is_some()) {
        "the symbolic engine has no bound on buffers; leave --bound out, or ask `--engine explicit`"
    } else if buffers.full_buffer == FullBufferArg::Error {
        "no buffer is ever full in the symbolic engine; leave --full-buffer out"
    } else {
        return Ok(());
    };
    eprint(&format!("error: {trouble}\n"));
    Err(Exit::BadInput)
}

/// The engine that the arguments mean. Who gives a bound asks about that bound.
fn engine(loaded: &Loaded, buffers: &BufferArgs, search: &SearchArgs) -> Engine {
    let bounded = buffers.bound.is_some() || loaded.has_bound();
    if let Some(scopes) = scope::scopes(search) {
        return Engine::Rounds(scopes);
    }
    match search.engine {
        EngineArg::Auto if bounded => Engine::Explicit,
        EngineArg::Auto | EngineArg::Rounds => Engine::Auto,
        EngineArg::Explicit => Engine::Explicit,
        EngineArg::Symbolic => Engine::Symbolic,
    }
}

/// Shows a fault of Taut's own.
pub fn internal(fault: &taut::EngineFault) -> Exit {
    eprint(&format!(
        "internal error: {fault}\nThis is a bug in Taut: the verdict is withheld. Please report it with the program.\n"
    ));
    Exit::Internal
}

/// The runs of a report's violations.
pub fn violations(loaded: &Loaded, report: &Report) -> String {
    let styled = is_styled();
    let options = LaneOptions { width: width(), styled };
    let mut text = String::new();
    for (result, witness) in report.violations() {
        let title =
            format!("{}: {} violated", report.memory.model.name().to_uppercase(), result.name);
        text.push_str(&paint(&title, verdict_style("violated"), styled));
        text.push_str("\n\n");
        let finding = &witness.trace.finding;
        text.push_str(&lanes(&witness.program, &loaded.sources, &witness.run, finding, options));
        text.push('\n');
    }
    text
}

/// One row a model.
pub fn summary(loaded: &Loaded, reports: &[Report]) -> String {
    let header =
        ["model", "verdict", "property", "states", "transitions", "depth", "time", "coverage"];
    let mut rows = vec![header.map(Cell::new).into_iter().collect::<Vec<_>>()];
    for i in [3, 4, 5, 6] {
        rows[0][i] = Cell::right(header[i]);
    }
    rows.extend(reports.iter().map(row));
    format!("{}\n{}", loaded.name, render(&rows, is_styled()))
}

fn row(report: &Report) -> Vec<Cell> {
    let (verdict, properties, coverage) = overall(report);
    vec![
        Cell::new(report.memory.model.name()),
        Cell::new(verdict).styled(verdict_style(verdict)),
        Cell::new(properties),
        Cell::right(thousands(report.stats.states)),
        Cell::right(thousands(report.stats.transitions)),
        Cell::right(thousands(report.stats.depth)),
        Cell::right(Seconds(report.stats.time).to_string()),
        Cell::new(coverage),
    ]
}

/// A report in one verdict: what is violated, else what is unknown, else what holds.
fn overall(report: &Report) -> (&'static str, String, String) {
    let violated: Vec<_> = report.violations().map(|(r, _)| r.name.as_str()).collect();
    if !violated.is_empty() {
        let shortest = report.violations().min_by_key(|(_, w)| w.trace.actions.len());
        let run = shortest.map_or_else(String::new, |(r, _)| r.verdict.coverage());
        return ("violated", violated.join(", "), run + &left_open(report));
    }
    let word = if report.is_unknown() { "unknown" } else { "holds" };
    let of_word = report.results.iter().filter(|r| r.verdict.word() == word);
    let names: Vec<_> = of_word.clone().map(|r| r.name.as_str()).collect();
    (word, names.join(", "), coverages(of_word))
}

/// What some answers cover, without repetition.
pub fn coverages<'r>(results: impl Iterator<Item = &'r PropertyResult>) -> String {
    let mut all: Vec<String> = Vec::new();
    for coverage in results.map(|r| r.verdict.coverage()) {
        if !all.contains(&coverage) {
            all.push(coverage);
        }
    }
    if all.is_empty() { "nothing was asked".into() } else { all.join("; ") }
}

/// What a limit left open beside a violation.
fn left_open(report: &Report) -> String {
    let open: Vec<_> = report.results.iter().filter(|r| r.verdict.is_open()).collect();
    let names: Vec<_> = open.iter().map(|r| r.name.as_str()).collect();
    match open.first() {
        Some(first) => format!("; {} unknown: {}", names.join(", "), first.verdict.coverage()),
        None => String::new(),
    }
}

/// What else is to be said about the searches.
fn notes(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        for result in &report.results {
            if let Some(note) = &result.note {
                let model = report.memory.model.name();
                text.push_str(&format!("  note: {model}, {}: {note}\n", result.name));
            }
        }
    }
    text
}

/// The counts of every search.
fn statistics(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
        let model = report.memory.model.name();
        if !report.reached.is_empty() {
            text.push_str(&counts(model, "state", &report.stats));
        }
        if let Some(symbolic) = &report.symbolic {
            text.push_str(&symbolic_counts(symbolic));
        }
        for result in &report.results {
            if let Some(stats) = &result.stats {
                text.push_str(&counts(&format!("{model}, {}", result.name), "node", stats));
            }
        }
    }
    text
}

fn counts(title: &str, state: &str, stats: &Stats) -> String {
    let seconds = stats.time.as_secs_f64().max(1e-9);
    format!(
        "\n{title}: {} {state}s of {} bits, {} transitions, depth {}{}\n    {} in {}, {:.0} {state}s/s, {:.1} bytes a {state}\n",
        thousands(stats.states),
        stats.state_bits,
        thousands(stats.transitions),
        thousands(stats.depth),
        ends(stats),
        Bytes(stats.peak_bytes),
        Seconds(stats.time),
        stats.states as f64 / seconds,
        stats.peak_bytes as f64 / stats.states.max(1) as f64,
    )
}

/// States in which nothing can happen, and steps that go wrong.
fn ends(stats: &Stats) -> String {
    let mut text = String::new();
    for (count, words) in [(stats.deadlocks, "deadlocks"), (stats.faults, "faults")] {
        if count > 0 {
            text.push_str(&format!(", {words} {}", thousands(count)));
        }
    }
    text
}

/// What the symbolic engine counts beside.
fn symbolic_counts(counts: &SymbolicCounts) -> String {
    format!(
        "    {} visited, {} included in others, {} accelerated; {} automata, the largest buffer language has {} states\n",
        thousands(counts.visited),
        thousands(counts.included),
        thousands(counts.accelerated),
        thousands(counts.automata),
        thousands(counts.largest),
    )
}

/// Writes the first violating run, if there is one.
fn write_trace(path: &std::path::Path, loaded: &Loaded, reports: &[Report]) -> std::io::Result<()> {
    let first = reports.iter().find_map(|report| report.violations().next());
    let Some((_, witness)) = first else {
        eprint(&format!("note: nothing is violated, `{}` is not written\n", path.display()));
        return Ok(());
    };
    std::fs::write(path, json::trace(loaded, witness))
}
