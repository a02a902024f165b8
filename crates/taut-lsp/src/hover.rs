//! What a name is: its type, the values that it can have, its readers and writers.

use std::fmt::Write;

use taut::Loaded;
use taut::ir::footprint::{Footprint, Locations};
use taut::ir::ranges::Ranges;
use taut::ir::{Interval, ProcId, Program, RegId, Type, VarId, VarKind};

use crate::document::Document;
use crate::names::{enclosing, word_at};

/// The most names in a list.
const MOST_NAMES: usize = 8;

/// What is to be said about the word at a byte, as Markdown.
pub fn hover(document: &Document, offset: usize) -> Option<String> {
    let name = &document.text[word_at(&document.text, offset)?];
    let loaded = document.program.as_deref()?;
    let program = &loaded.program;
    register(loaded, name, offset)
        .or_else(|| program.find_var(name).map(|id| variable(program, id)))
        .or_else(|| process(program, name))
        .or_else(|| label(program, name))
}

fn variable(program: &Program, id: VarId) -> String {
    let var = program.var(id);
    let kind = match var.kind {
        VarKind::Shared => "shared",
        _ => "ghost",
    };
    let length = var.len.map_or_else(String::new, |len| format!("[{len}]"));
    let mut text = code(&format!("{kind} {} {}{length}", type_of(var.ty), var.name));
    let _ = write!(text, "Values: {}. ", values(Ranges::of(program).var(id)));
    let users = |pick: fn(&Footprint) -> Vec<Locations>| {
        let uses = |def| {
            let steps = Footprint::of_steps(program, def);
            steps.iter().any(|step| pick(step).iter().any(|location| location.var == id))
        };
        let defs: Vec<bool> = program.defs.iter().map(uses).collect();
        let all = program.processes.iter().filter(|process| defs[process.def.index()]);
        listed(all.map(|process| process.name.as_str()).collect())
    };
    let readers = users(|step| step.reads.clone());
    let writers = users(|step| step.stores.iter().chain(&step.writes).copied().collect());
    let _ = write!(text, "Read by {readers}; written by {writers}.");
    text
}

/// A local variable of the process that the byte is in, or else of any process.
fn register(loaded: &Loaded, name: &str, offset: usize) -> Option<String> {
    let program = &loaded.program;
    let here = enclosing(loaded, offset)
        .filter(|def| def.registers.iter().any(|register| register.name == name));
    let is_shared = program.find_var(name).is_some();
    let of_any = || {
        let has = |def: &&taut::ir::ProcessDef| def.registers.iter().any(|r| r.name == name);
        program.defs.iter().find(has).filter(|_| !is_shared)
    };
    let def = here.or_else(of_any)?;
    let index = def.registers.iter().position(|register| register.name == name)?;
    let register = &def.registers[index];
    let length = register.len.map_or_else(String::new, |len| format!("[{len}]"));
    let mut text = code(&format!("local {} {name}{length}", type_of(register.ty)));
    let ranges = Ranges::of(program);
    let of_def = |id: &ProcId| std::ptr::eq(program.def_of(*id), def);
    let all = program.process_ids().filter(of_def);
    let joined = all
        .map(|id| ranges.register(id, RegId::from(index)))
        .reduce(|a, b| Interval { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) });
    if let Some(joined) = joined {
        let _ = write!(text, "Values: {}. ", values(joined));
    }
    let _ = write!(text, "Of `{}`.", def.name);
    Some(text)
}

fn process(program: &Program, name: &str) -> Option<String> {
    let index = program.defs.iter().position(|def| def.name == name)?;
    let of_def = program.processes.iter().filter(|process| process.def.index() == index);
    let names: Vec<_> = of_def.map(|process| process.name.as_str()).collect();
    let steps = program.defs[index].steps.len();
    Some(
        code(&format!("process {name}")) + &format!("{steps} steps. Processes: {}.", listed(names)),
    )
}

fn label(program: &Program, name: &str) -> Option<String> {
    let def = program.defs.iter().find(|def| !def.labelled(name).is_empty())?;
    Some(code(&format!("{name}:")) + &format!("Label of `{}`.", def.name))
}

fn code(text: &str) -> String {
    format!("```taut\n{text}\n```\n")
}

fn type_of(ty: Type) -> String {
    match ty {
        Type::BOOL => "bool".into(),
        Type::INT => "int".into(),
        Type { lo, hi, .. } => format!("{lo}..{hi}"),
    }
}

fn values(interval: Interval) -> String {
    match interval.lo == interval.hi {
        true => format!("always {}", interval.lo),
        false => format!("{} to {}", interval.lo, interval.hi),
    }
}

/// Names in a sentence.
fn listed(names: Vec<&str>) -> String {
    let shown: Vec<_> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    match (shown.len(), names.len() - shown.len()) {
        (0, _) => "no process".into(),
        (_, 0) => shown.join(", "),
        (_, more) => format!("{} and {more} more", shown.join(", ")),
    }
}
