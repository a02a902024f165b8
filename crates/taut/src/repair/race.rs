//! Racy read-modify-writes: what no fence repairs, and the locked instruction that does.
//!
//! The runs of a check that found violations are read for lost updates ([`taut_repair::lost`]). Then the program in
//! which each of them is one step is checked, and its runs are read again, until nothing new is found. So a proposal
//! comes with the answer whether it is enough.

use taut_budget::Instant;
use taut_ir::frontend::Update;
use taut_ir::{
    BinaryOp, DefId, Expr, Lvalue as Assigned, MemoryModel, Program, Span, Step, StepId, UnaryOp,
};
use taut_repair::lost::{Dependence, LostUpdate, OneStep, lost_updates};
use taut_repair::{RepairProblem, Set};

use super::need::name;
use super::report::RepairError;
use super::source::position;
use crate::check::Check;
use crate::load::Loaded;
use crate::outcome::Report;

/// The most rounds of checks. Each makes more of the program one step.
const ROUNDS: usize = 8;

/// A load and a store of one program point that have to be one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The name of the file.
    pub file: String,
    /// The line of the load.
    pub load: u32,
    /// The line of the store.
    pub store: u32,
    /// The text of the store.
    pub statement: String,
    /// The program point, as the run has it: `c`, `number[1]`.
    pub variable: String,
    /// The process that loads and stores.
    pub process: String,
    /// The process whose store comes between the two in a run.
    pub other: String,
    /// What to write instead, in the language of the program.
    pub instead: String,
}

/// The racy read-modify-writes of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Races {
    /// All that were found.
    pub races: Vec<Race>,
    /// Whether all that was asked holds if each of them is one step; none if a limit was met.
    pub enough: Option<bool>,
}

impl Races {
    /// Those of a program that is violated under a memory model, by a check that says so.
    pub(super) fn find(
        loaded: &Loaded,
        check: &Check<'_>,
        model: MemoryModel,
        violated: &Report,
    ) -> Result<Races, RepairError> {
        let started = Instant::now();
        let mut updates: Vec<LostUpdate> = Vec::new();
        let mut found = news(violated, &updates);
        let mut enough = Some(false);
        for _ in 0..ROUNDS {
            if found.is_empty() {
                break;
            }
            updates.append(&mut found);
            let OneStep(program) = OneStep::of(&loaded.program, &updates);
            let subject = RepairProblem::new(program.clone(), Vec::new());
            let none = Set::new();
            let limit = check.options.limits.time;
            let left = limit.map(|limit| limit.saturating_sub(started.elapsed()));
            let variant = check.on(loaded).model(model).timeout(left);
            let report = variant.variant(&program, &subject, &none).run()?;
            enough = match report.violations().next() {
                Some(_) => Some(false),
                None => (!report.is_unknown()).then_some(true),
            };
            found = news(&report, &updates);
        }
        if model.is_relaxed() && enough != Some(true) {
            // Where the load and the store are two steps, SC would have shown the race. What keeps them apart there may
            // be what is broken here.
            updates.retain(|update| update.load == update.store);
        }
        Ok(Races { races: shown(loaded, &updates), enough })
    }
}

/// The lost updates in the runs of a check that are not known yet.
fn news(report: &Report, known: &[LostUpdate]) -> Vec<LostUpdate> {
    let mut new: Vec<LostUpdate> = Vec::new();
    for (_, witness) in report.violations() {
        for update in lost_updates(&witness.program, &witness.run) {
            let is_same = |other: &LostUpdate| key(other) == key(&update);
            if !known.iter().chain(&new).any(is_same) {
                new.push(update);
            }
        }
    }
    new
}

fn key(update: &LostUpdate) -> (DefId, StepId, StepId) {
    (update.def, update.load, update.store)
}

fn shown(loaded: &Loaded, updates: &[LostUpdate]) -> Vec<Race> {
    let mut races: Vec<Race> = updates.iter().map(|update| race(loaded, update)).collect();
    races.sort_by(|a, b| (&a.file, a.store, a.load).cmp(&(&b.file, b.store, b.load)));
    races
}

fn race(loaded: &Loaded, update: &LostUpdate) -> Race {
    let program = &loaded.program;
    let steps = &program.defs[update.def.index()].steps;
    let (load, store) = (&steps[update.load.index()], &steps[update.store.index()]);
    let (file, line) = position(loaded, store.span);
    // A run may have processes that the program as it was read does not have yet.
    let process = |id: taut_ir::ProcId| match program.processes.get(id.index()) {
        Some(process) => process.name.clone(),
        None => program.defs[update.def.index()].name.clone(),
    };
    Race {
        file,
        load: position(loaded, load.span).1,
        store: line,
        statement: text(loaded, store.span),
        variable: name(program, update.address),
        process: process(update.process),
        other: process(update.other),
        instead: instead(loaded, update, load, store),
    }
}

/// The text of a statement, in one line.
fn text(loaded: &Loaded, span: Span) -> String {
    let Some(file) = loaded.sources.get(span.file) else { return String::new() };
    let text = file.text().get(span.start as usize..span.end as usize).unwrap_or_default();
    text.trim_end_matches(';').split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The locked instruction that does what a load and a store do.
fn instead(loaded: &Loaded, update: &LostUpdate, load: &Step, store: &Step) -> String {
    let pair = Pair { program: &loaded.program, update, load, store };
    let at = pair.point();
    loaded.language.locked(&pair.instruction(), &at)
}

/// A load and a store that should be one instruction.
struct Pair<'a> {
    program: &'a Program,
    update: &'a LostUpdate,
    load: &'a Step,
    store: &'a Step,
}

impl Pair<'_> {
    /// The program point, as the statement names it.
    fn point(&self) -> String {
        let var = self.update.address.var;
        let stored = self.store.assignments().find(|a| a.place.variable() == Some(var));
        let expr = match stored.map(|a| &a.place) {
            Some(Assigned::VarElem(var, index)) => Expr::VarElem(*var, Box::new(index.clone())),
            _ => return name(self.program, self.update.address),
        };
        self.program.show_expr(Some(self.update.def), &expr).to_string()
    }

    fn instruction(&self) -> Update {
        if !self.update.is_adjacent() {
            return Update::Other;
        }
        let var = self.update.address.var;
        let stored = self.store.assignments().find(|a| a.place.variable() == Some(var));
        let Some(value) = stored.map(|a| &a.value) else { return Update::Other };
        match self.update.dependence {
            Dependence::Value => self.sum(value).map_or(Update::Other, Update::Add),
            Dependence::Test => match (self.tested(), self.simple(value)) {
                (Some(old), Some(new)) => Update::Swap(old, new),
                _ => Update::Other,
            },
        }
    }

    /// What is added to the loaded value, if the stored one is a sum.
    fn sum(&self, value: &Expr) -> Option<String> {
        match value {
            Expr::Binary(BinaryOp::Add, a, b) if self.is_loaded(a) => self.simple(b),
            Expr::Binary(BinaryOp::Add, a, b) if self.is_loaded(b) => self.simple(a),
            Expr::Binary(BinaryOp::Sub, a, b) if self.is_loaded(a) => match **b {
                Expr::Const(number) => Some(number.checked_neg()?.to_string()),
                _ => Some(format!("-{}", self.simple(b)?)),
            },
            _ => None,
        }
    }

    /// The value that the load must find, if the condition of the load's step says it.
    fn tested(&self) -> Option<String> {
        match &self.load.guard {
            Expr::Binary(BinaryOp::Eq, a, b) if self.is_loaded(a) => self.simple(b),
            Expr::Binary(BinaryOp::Eq, a, b) if self.is_loaded(b) => self.simple(a),
            Expr::Unary(UnaryOp::Not, a) if self.is_loaded(a) => Some("0".into()),
            _ => None,
        }
    }

    /// Whether an expression is the loaded value: the variable itself, or a register that the load's step assigned it to.
    fn is_loaded(&self, expr: &Expr) -> bool {
        let is_variable = |expr: &Expr| match expr {
            Expr::Var(var) | Expr::VarElem(var, _) => *var == self.update.address.var,
            _ => false,
        };
        let Expr::Reg(register) = expr else { return is_variable(expr) };
        let mut assigned = self.load.assignments().filter(|a| a.place == Assigned::Reg(*register));
        assigned.any(|a| is_variable(&a.value))
    }

    /// A number or a register.
    fn simple(&self, expr: &Expr) -> Option<String> {
        let is_simple = matches!(expr, Expr::Const(_) | Expr::Reg(_));
        is_simple.then(|| self.program.show_expr(Some(self.update.def), expr).to_string())
    }
}
