//! Which processes run: from the start, and when they are spawned.
//!
//! With a `main`, it and every process with a count start; the others are templates for `spawn`. Without
//! one every process starts, except those without a count that are spawned or have instances declared.
//! Processes in graph form start only where `instance` says so.

use std::collections::HashSet;

use taut_ir::frontend::Threads;
use taut_ir::{DefId, Process, Start};
use taut_source::{Diagnostic, Span};

use super::{Code, Lowering, MOST_PROCESSES, bodies, visit};
use crate::ast::{Count, File, InstanceItem, ItemKind, ProcessItem, StmtKind, Which};
use crate::codes;

/// The most instances of one definition.
const MOST_INSTANCES: i64 = 64;

impl<'a> Lowering<'a> {
    /// Lists the processes: those that start, then those that wait.
    pub(super) fn start(&mut self, file: &'a File) {
        let spawned = self.spawned(file);
        let declared = self.declared(file);
        self.check_one_main();
        for index in 0..self.definitions.len() {
            if let Code::Statements(item) = self.definitions[index].code {
                let id = DefId::from(index);
                let waits = spawned.contains(&id) || declared.iter().any(|d| d.def == id);
                self.start_definition(id, item, waits);
            }
        }
        self.add_declared(&declared, false);
        self.replicate(file, &spawned);
        self.add_slots(&spawned, &declared);
        self.add_declared(&declared, true);
        self.check_not_empty(file);
    }

    /// The definitions that some statement spawns.
    fn spawned(&self, file: &'a File) -> HashSet<DefId> {
        let mut all = HashSet::new();
        for body in bodies(file) {
            visit(&body.stmts, &mut |stmt| {
                if let StmtKind::Spawn(name, _) = &stmt.kind {
                    all.extend(self.definition_names.get(name.text.as_str()).copied());
                }
            });
        }
        all
    }

    /// What `instance` and `slot` declare.
    fn declared(&mut self, file: &'a File) -> Vec<Declared<'a>> {
        let mut all = Vec::new();
        for item in &file.items {
            let ItemKind::Instance(instance) = &item.kind else { continue };
            if let Some(def) = self.which_definition(&instance.def) {
                all.push(Declared { def, item: instance, span: item.span });
            }
        }
        all
    }

    /// The definition with a name or a number.
    pub(super) fn which_definition(&mut self, which: &Which) -> Option<DefId> {
        match which {
            Which::Name(name) => self.definition_named(name),
            Which::Number(number) if (number.value as usize) < self.definitions.len() => {
                Some(DefId(number.value))
            }
            Which::Number(number) => {
                let message = format!("there is no process #{}", number.value);
                let found = Diagnostic::error(codes::BAD_POINT, message, number.span);
                let count = self.definitions.len();
                self.report(found.label(format!("there are {count}, counted from #0")));
                None
            }
        }
    }

    fn check_one_main(&mut self) {
        let mut mains = self.definitions.iter().filter(|d| d.is_main()).map(|d| d.name.span);
        if let (Some(first), Some(second)) = (mains.next(), mains.next()) {
            let found = Diagnostic::error(codes::TWO_MAINS, "there are two `main`s", second);
            self.report(
                found
                    .label("the second")
                    .related(first, "the first")
                    .help("make this one a `process`; with a count, as in `p[1]`, it starts, too"),
            );
        }
    }

    fn start_definition(&mut self, def: DefId, item: &ProcessItem, waits: bool) {
        let has_main = self.definitions.iter().any(|d| d.is_main());
        match &item.count {
            Some(Count::Number(count)) => {
                if let Some(count) = self.instance_count(count) {
                    self.start_instances(def, item, count);
                }
            }
            Some(Count::Any(_)) => {
                let number = self.options.threads.and_then(Threads::number);
                self.start_instances(def, item, number.map_or(1, i64::from));
            }
            None if item.main || !has_main && !waits => self.start_once(def, item),
            None => {}
        }
    }

    /// Marks the definitions with any number of processes, unless their number was given.
    fn replicate(&mut self, file: &'a File, spawned: &HashSet<DefId>) {
        let mut stars: Vec<(DefId, Span)> = Vec::new();
        for item in &file.items {
            match &item.kind {
                ItemKind::Any(which) => {
                    stars.extend(self.which_definition(which).map(|def| (def, item.span)));
                }
                ItemKind::Process(process) => {
                    let Some(Count::Any(star)) = process.count else { continue };
                    let def = self.definition_names.get(process.name.text.as_str()).copied();
                    stars.extend(def.map(|def| (def, star)));
                }
                _ => {}
            }
        }
        match (stars.first(), self.options.threads) {
            (None, Some(_)) => return self.no_star(file),
            (_, Some(Threads::Number(_))) => return,
            _ => {}
        }
        for (def, span) in stars {
            self.star(def, span, !spawned.is_empty());
        }
    }

    fn star(&mut self, def: DefId, span: Span, spawns: bool) {
        let has_one = self.program.processes_of(def).next().is_some();
        let (message, help) = match (spawns, has_one) {
            (true, _) => (
                "any number of processes beside processes that are spawned",
                "start all of them with a count, or give a number: `--threads 2`",
            ),
            (_, false) => ("any number of a process, but not one", "declare an instance first"),
            _ => {
                if !self.program.is_replicated(def) {
                    self.program.replicated.push(def);
                }
                return;
            }
        };
        let found = Diagnostic::error(codes::INSTANCE_COUNT, message, span);
        self.report(found.label("any number").help(help));
    }

    fn no_star(&mut self, file: &File) {
        let message = "`--threads`, but this program has no process with any number of instances";
        let start = Span { start: 0, end: 0, ..file.end };
        let found = Diagnostic::error(codes::INSTANCE_COUNT, message, start);
        self.report(found.help("write `process p[*] …`, or leave `--threads` out"));
    }

    /// Adds the processes of a definition with any number of them up to one that a property names.
    pub(super) fn add_named(&mut self, name: &str, number: i64) {
        let Some(&def) = self.definition_names.get(name) else { return };
        if !self.program.is_replicated(def) || !(0..MOST_INSTANCES).contains(&number) {
            return;
        }
        for next in self.program.processes_of(def).count() as i64..=number {
            let process = self.program.another(def, next as u32);
            self.program.processes.push(process);
        }
    }

    fn instance_count(&mut self, count: &crate::ast::Expr) -> Option<i64> {
        let value = self.constant(count)?;
        if (1..=MOST_INSTANCES).contains(&value) {
            return Some(value);
        }
        let message = format!("{value} instances of one process");
        let found = Diagnostic::error(codes::INSTANCE_COUNT, message, count.span);
        self.report(found.label(format!("expected 1 to {MOST_INSTANCES}")));
        None
    }

    fn start_once(&mut self, def: DefId, item: &ProcessItem) {
        if let Some(param) = item.params.first() {
            let name = &item.name.text;
            let message = format!("nothing gives the parameters of `{name}` a value");
            let found = Diagnostic::error(codes::CANNOT_START, message, param.name.span);
            self.report(found.label("a parameter").help(format!(
                "give it a count (`process {name}[2](i)`), spawn it, or declare an instance"
            )));
        }
        self.add(item.name.text.clone(), def, Vec::new(), Start::Initially, item.name.span);
    }

    fn start_instances(&mut self, def: DefId, item: &ProcessItem, count: i64) {
        let name = &item.name.text;
        if let Some(second) = item.params.get(1) {
            let message = format!("`{name}` has a count and more than one parameter");
            let found = Diagnostic::error(codes::CANNOT_START, message, second.name.span);
            self.report(
                found
                    .label("only the first one is the number of the instance")
                    .help("drop the count and declare instances: `instance p1 = p(0, 1);`"),
            );
            return;
        }
        for number in 0..count {
            let args = vec![number; item.params.len()];
            self.check_arguments(def, &args, item.name.span);
            self.add(format!("{name}[{number}]"), def, args, Start::Initially, item.name.span);
        }
    }

    /// Reports arguments that do not fit their parameters.
    fn check_arguments(&mut self, def: DefId, args: &[i64], span: Span) {
        let definition = &self.definitions[def.index()];
        let wrong = args.iter().zip(&definition.params).find(|(v, r)| !r.ty.contains(**v));
        if let Some((value, register)) = wrong {
            let message = format!("{value} does not fit the parameter `{}`", register.name);
            let (ty, place) = (register.ty, register.span);
            let found = Diagnostic::error(codes::OUTSIDE_TYPE, message, span);
            let found = found.label(format!("expected a value in {}..{}", ty.lo, ty.hi));
            self.report(found.related(place, "declared here"));
        }
    }

    fn add_declared(&mut self, declared: &[Declared<'a>], slots: bool) {
        for one in declared.iter().filter(|d| d.item.slot == slots) {
            let Some(name) = self.process_text(&one.item.name) else { continue };
            let args: Option<Vec<i64>> = one.item.args.iter().map(|a| self.constant(a)).collect();
            let Some(args) = args else { continue };
            let definition = &self.definitions[one.def.index()];
            let (params, place) = (definition.params.len(), definition.name.span);
            let wanted = if slots { 0 } else { params };
            let what = if slots { "a slot" } else { "this process" };
            self.count_arguments(what, args.len(), wanted, one.span, place);
            self.check_arguments(one.def, &args, one.span);
            let start = if slots { Start::Spawned } else { Start::Initially };
            self.add(name, one.def, args, start, one.item.name.span);
        }
    }

    /// Slots for what is spawned, unless they are declared.
    fn add_slots(&mut self, spawned: &HashSet<DefId>, declared: &[Declared<'a>]) {
        let explicit = |id: DefId| declared.iter().any(|d| d.def == id && d.item.slot);
        for index in 0..self.definitions.len() {
            let id = DefId::from(index);
            if !spawned.contains(&id) || explicit(id) {
                continue;
            }
            let name = self.definitions[index].name;
            for number in 1..=self.options.thread_bound {
                let slot = format!("{}#{number}", name.text);
                self.add(slot, id, Vec::new(), Start::Spawned, name.span);
            }
        }
    }

    fn add(&mut self, name: String, def: DefId, args: Vec<i64>, start: Start, span: Span) {
        if !self.too_large && self.program.find_process(&name).is_some() {
            let message = format!("two processes are called `{name}`");
            let found = Diagnostic::error(codes::DECLARED_TWICE, message, span);
            self.report(found.label("the second"));
            return;
        }
        if self.program.processes.len() == MOST_PROCESSES {
            self.too_large(span, "processes", MOST_PROCESSES);
        }
        if self.too_large {
            return;
        }
        self.program.processes.push(Process { name, def, args, start, channels: Vec::new() });
    }

    fn check_not_empty(&mut self, file: &File) {
        let runs = self.program.processes.iter().any(|p| p.start == Start::Initially);
        if !runs && !self.diagnostics.has_errors() {
            let found =
                Diagnostic::error(codes::NO_PROCESS, "nothing runs in this program", file.end);
            self.report(found.label("expected a process").help(
                "write `process p begin … end`; \
                 a process that is spawned starts by itself only with a count, as in `p[1]`",
            ));
        }
    }
}

/// An `instance` or `slot`.
struct Declared<'a> {
    def: DefId,
    item: &'a InstanceItem,
    span: Span,
}
