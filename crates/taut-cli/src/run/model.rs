//! Litmus tests and programs that are written as C.

use std::collections::BTreeMap;

use taut::diag::{Diagnostic, Span};
use taut::export::{Harness, HarnessEvent, HarnessRefusal, Loads, harness};
use taut::ir::{Expr, ProcId, Program, VarKind};
use taut::json::{RunDocument, SeenConditionDocument, SeenPropertyDocument};
use taut::litmus::Test;
use taut::load::LoadOptions;
use taut::{Granularity, LoadError, Loaded, QuestionKind, Report};
use taut_run::{Seen, run_harness};

use super::super::args::{GranularityArg, InputArgs, RunOnProcessorArgs};
use super::super::exit::Exit;
use super::super::input::read;
use super::super::refused::Refused;
use super::{begin, judge, seen};

/// Most values of a final state that are watched: more make a table that nobody reads.
const MOST_WATCHED: usize = 24;

/// Runs a litmus test or a program.
pub fn document(args: &RunOnProcessorArgs) -> Result<RunDocument, Exit> {
    let loaded = read(&args.input)?;
    match loaded.litmus() {
        Some(test) => litmus(args, &loaded, test),
        None => program(args, loaded),
    }
}

/// Writes the harness, or says why there is none.
fn harness_of(
    loaded: &Loaded,
    program: &Program,
    watched: &[Expr],
    loads: Loads,
) -> Result<Harness, Exit> {
    harness(program, watched, loads).map_err(|refusal| refused(loaded, &refusal).show())
}

fn refused(loaded: &Loaded, refusal: &HarnessRefusal) -> Refused {
    let message = format!("a processor cannot run this: {}", refusal.what);
    if refusal.span == Span::NONE {
        return Refused::Message(format!("`{}`: {message}", loaded.name));
    }
    let diagnostic = Diagnostic::error("E0017", message, refusal.span).help(
        "`taut run` is for threads that load, store, fence, and update one location at a time",
    );
    let (sources, diagnostics) = (loaded.sources.clone(), diagnostic.into());
    Refused::Text(Box::new(LoadError { sources, diagnostics }))
}

fn litmus(args: &RunOnProcessorArgs, loaded: &Loaded, test: &Test) -> Result<RunDocument, Exit> {
    let watched = taut::litmus::watched(test);
    // The question is answered from the final states.
    let program = Program { properties: Vec::new(), ..test.program.clone() };
    let harness = harness_of(loaded, &program, &watched, Loads::Once)?;
    let (seen, compiler) = seen(args, |settings| run_harness(&harness.text, settings))?;
    let mut document = begin(args, &loaded.name, &seen, &compiler);
    // What the filter leaves out counts neither here nor there.
    let mut counts: BTreeMap<Vec<i64>, u64> = BTreeMap::new();
    for (count, values) in &seen.states {
        for state in test.outcome([values]).states {
            *counts.entry(state).or_default() += count;
        }
    }
    let allowed = judge::finals(&test.program, &watched, &judge::budget(args));
    let allowed: Vec<judge::Allowed> = allowed
        .into_iter()
        .map(|finals| Some(test.outcome(finals?).states.into_iter().collect()))
        .collect();
    document.watched = test.observed().iter().map(|&w| test.name_of(w)).collect();
    document.states = judge::states(&counts, &allowed);
    let satisfied = counts.iter().filter(|(state, _)| test.condition.holds(state));
    document.condition = Some(SeenConditionDocument {
        text: format!("{} ({})", test.quantifier, test.condition),
        seen: satisfied.map(|(_, count)| count).sum(),
        allowed: allowed
            .iter()
            .map(|set| Some(set.as_ref()?.iter().any(|state| test.condition.holds(state))))
            .collect(),
    });
    judge::contradict(&mut document, &[]);
    Ok(document)
}

/// The models see one access per step; the harness is made from whole statements, whose accesses the processor performs
/// one by one.
fn program(args: &RunOnProcessorArgs, read_first: Loaded) -> Result<RunDocument, Exit> {
    let by_access = match read_first.granularity() {
        Granularity::Access => read_first,
        Granularity::Statement => {
            let granularity = Some(GranularityArg::Access);
            read(&InputArgs { granularity, ..args.input.clone() })?
        }
    };
    let text = by_access.sources.file(by_access.file).text();
    let options =
        LoadOptions { granularity: Some(Granularity::Statement), ..by_access.options.clone() };
    let by_statement =
        by_access.reread(text, options).map_err(|error| Refused::Text(error).show())?;
    let watched = watched(&by_access.program);
    let expressions: Vec<Expr> = watched.iter().map(|(_, expr)| expr.clone()).collect();
    let harness = harness_of(&by_statement, &by_statement.program, &expressions, Loads::Each)?;
    let (seen, compiler) = seen(args, |settings| run_harness(&harness.text, settings))?;
    let mut document = begin(args, &by_access.name, &seen, &compiler);
    let budget = judge::budget(args);
    let reports = judge::reports(&by_access, &budget.share(2))?;
    if seen.finished > 0 && !watched.is_empty() {
        document.watched = watched.into_iter().map(|(name, _)| name).collect();
        let counts = seen.states.iter().map(|(count, values)| (values.clone(), *count)).collect();
        let allowed = judge::finals(&by_access.program, &expressions, &budget);
        document.states = judge::states(&counts, &allowed);
    }
    document.properties = properties(&by_access, &harness, &seen, &reports);
    document.notes.extend(notes(&by_statement.program, &harness, &seen));
    judge::contradict(&mut document, &reports);
    Ok(document)
}

/// What is watched in final states: the registers that properties ask about, and shared memory; nothing if that is too much.
fn watched(program: &Program) -> Vec<(String, Expr)> {
    let mut all: Vec<(String, Expr)> = Vec::new();
    for expr in program.properties.iter().flat_map(|p| p.kind.exprs()) {
        expr.visit(&mut |e| {
            if let Expr::In(process, inner) = e
                && let Expr::Reg(register) = **inner
            {
                let name = register_name(program, *process, register);
                if all.iter().all(|(_, known)| known != e) {
                    all.push((name, e.clone()));
                }
            }
        });
    }
    for (id, var) in program.var_ids().zip(&program.vars).filter(|(_, v)| v.kind == VarKind::Shared)
    {
        match var.len {
            None => all.push((var.name.clone(), Expr::Var(id))),
            Some(len) => all.extend((0..len.min(MOST_WATCHED as u32 + 1)).map(|i| {
                let element = Expr::VarElem(id, Box::new(Expr::Const(i.into())));
                (format!("{}[{i}]", var.name), element)
            })),
        }
    }
    if all.len() > MOST_WATCHED { Vec::new() } else { all }
}

fn register_name(program: &Program, process: ProcId, register: taut::ir::RegId) -> String {
    let name = &program.register(process, register).name;
    format!("{}:{name}", program.process(process).name)
}

/// The properties, faults last.
fn properties(
    loaded: &Loaded,
    harness: &Harness,
    seen: &Seen,
    reports: &[Report],
) -> Vec<SeenPropertyDocument> {
    let program = &loaded.program;
    let count = |event: HarnessEvent| {
        let of = |(bit, _): &&(u32, u64)| harness.event(*bit) == Some(event);
        seen.violated.iter().filter(of).map(|(_, count)| count).sum()
    };
    let mut rows: Vec<_> = harness
        .properties
        .iter()
        .map(|&id| {
            let property = program.property(id);
            SeenPropertyDocument {
                name: property.name.clone(),
                kind: QuestionKind::from(&property.kind).word(),
                line: loaded.sources.position(property.span).map(|at| at.line),
                seen: count(HarnessEvent::Property(id)),
                verdicts: judge::verdicts(reports, &property.name),
            }
        })
        .collect();
    let fault = QuestionKind::Fault.word();
    let faults: u64 = count(HarnessEvent::Fault);
    if faults > 0 || reports.iter().any(|report| report.verdict(fault).is_some()) {
        rows.push(SeenPropertyDocument {
            name: fault.into(),
            kind: fault,
            line: None,
            seen: faults,
            verdicts: judge::verdicts(reports, fault),
        });
    }
    rows
}

fn notes(program: &Program, harness: &Harness, seen: &Seen) -> Vec<String> {
    let names = |all: &[taut::ir::PropId]| {
        let names: Vec<_> =
            all.iter().map(|p| format!("`{}`", program.property(*p).name)).collect();
        names.join(", ")
    };
    let mut notes = Vec::new();
    if !harness.only_final.is_empty() && seen.cut > 0 {
        notes.push(format!("looked at in final states only: {}", names(&harness.only_final)));
    }
    if !harness.unseen.is_empty() {
        notes.push(format!(
            "not looked at, because they are about runs: {}",
            names(&harness.unseen)
        ));
    }
    if program.vars.iter().any(|v| v.kind == VarKind::Ghost) {
        notes.push("ghosts are accessed under a lock, which is a fence where they are".into());
    }
    if seen.cut > 0 {
        notes.push("rounds are cut where a process waits too long or jumps back 400 times".into());
    }
    if seen.finished == 0 {
        notes.push("no round came to its end, so there are no final states".into());
    }
    notes
}
