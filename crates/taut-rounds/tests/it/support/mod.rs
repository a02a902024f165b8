//! Brute force, for tests to compare translations with.
//!
//! The original runs under TSO in the plain machine of `taut-witness`, with the rounds of the paper counted
//! beside it; nothing of the translation is used. The translation runs under SC in the same machine.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use taut_ir::{
    Action, BinaryOp, Effect, Expr, Finding, Lvalue, Memory, MemoryModel, ProcId, Program, RegId,
    Register, Span, Type,
};
use taut_rounds::{Scope, Translation};
use taut_witness::{Machine, Outcome, State};

/// What can be told of a process between rounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seen {
    pub started: bool,
    pub point: u32,
    pub registers: Vec<Vec<i64>>,
    /// For each open call the procedure, the program point it comes back to, and the saved values.
    pub stack: Vec<(u32, u32, Vec<Vec<i64>>)>,
}

/// A configuration: memory and processes, without buffers.
pub type Configuration = (Vec<Vec<i64>>, Vec<Seen>);

/// What is reachable.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reached {
    pub configurations: BTreeSet<Configuration>,
    pub findings: BTreeSet<Finding>,
}

impl Reached {
    /// The shared states of the paper.
    pub fn shared(&self) -> BTreeSet<&Vec<Vec<i64>>> {
        self.configurations.iter().map(|(memory, _)| memory).collect()
    }
}

pub fn tso() -> Memory {
    Memory::new(MemoryModel::Tso).bounded(None)
}

pub fn sc() -> Memory {
    Memory::new(MemoryModel::Sc)
}

/// How much of a scope a run has used up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Account {
    /// Whose round it is.
    last: Option<ProcId>,
    /// For each process, how many rounds it has had; for ages, how old each store in its buffer is, the
    /// oldest first.
    counts: Vec<Vec<u32>>,
}

impl Account {
    fn new(program: &Program, scope: Scope) -> Account {
        let each = match scope {
            Scope::Rounds(_) => vec![0],
            Scope::Age(_) => vec![],
        };
        Account { last: None, counts: vec![each; program.processes.len()] }
    }

    /// The account when a process is about to move or to have a store committed; none if that leaves the
    /// scope.
    fn begin(&self, process: ProcId, scope: Scope) -> Option<Account> {
        let mut next = self.clone();
        if self.last == Some(process) {
            return Some(next);
        }
        next.last = Some(process);
        let counts = &mut next.counts[process.index()];
        counts.iter_mut().for_each(|c| *c += 1);
        let most = match scope {
            Scope::Rounds(k) => k + 1,
            Scope::Age(k) => k,
        };
        counts.iter().all(|c| *c <= most).then_some(next)
    }

    /// The account after the buffers have changed.
    fn after(mut self, action: Action, state: &State, scope: Scope) -> Account {
        let Scope::Age(_) = scope else {
            // Who is spawned into the slot of one that is gone is somebody else.
            let gone = self.counts.iter_mut().zip(&state.processes).filter(|(_, p)| !p.started);
            gone.for_each(|(rounds, _)| rounds[0] = 0);
            return self;
        };
        if let Action::Commit { process, .. } = action {
            self.counts[process.index()].remove(0);
        }
        for (ages, process) in self.counts.iter_mut().zip(&state.processes) {
            ages.resize(process.buffer.entries().count(), 0);
        }
        self
    }
}

fn seen_of_original(state: &State) -> Configuration {
    let processes = state.processes.iter().map(|p| Seen {
        started: p.started,
        point: p.point.0,
        registers: p.registers.clone(),
        stack: p.stack.iter().map(|f| (f.procedure.0, f.return_to.0, f.saved.clone())).collect(),
    });
    (state.memory.clone(), processes.collect())
}

/// Everything the original reaches under TSO within a scope; none if there are more than `limit` states.
pub fn direct(program: &Program, scope: Scope, limit: usize) -> Option<Reached> {
    let machine = Machine::new(program, tso());
    let mut reached = Reached::default();
    let first = (machine.initial(), Account::new(program, scope));
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = VecDeque::from([first]);
    while let Some((state, account)) = todo.pop_front() {
        if seen.len() > limit {
            return None;
        }
        // Where a process holds the others, nobody looks.
        if state.holder.is_none() {
            reached.configurations.insert(seen_of_original(&state));
        }
        reached.findings.extend(carried(machine.findings(&state)));
        for (action, done) in machine.successors(&state).moves {
            let Some(account) = account.begin(action.process(), scope) else { continue };
            reached.findings.extend(done.record.all_failed().map(|f| f.finding));
            match done.outcome {
                Outcome::Failure(failure) => {
                    reached.findings.insert(failure.finding);
                }
                Outcome::State(after) => {
                    let account = account.after(action, &after, scope);
                    if seen.insert((after.clone(), account.clone())) {
                        todo.push_back((after, account));
                    }
                }
            }
        }
    }
    Some(reached)
}

/// All configurations and findings under TSO without a scope.
pub fn unbounded(program: &Program, limit: usize) -> Option<Reached> {
    direct(program, Scope::Rounds(1_000), limit)
}

/// The findings that translations are asked about: all but deadlocks.
fn carried(findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    findings.into_iter().filter(|f| *f != Finding::Deadlock)
}

/// The configuration of the original that a state of the translation stands for; none inside of a round.
fn seen_of_translation(translation: &Translation, state: &State) -> Option<Configuration> {
    if state.holder.is_some() {
        return None;
    }
    let original = &translation.original;
    let one = |(p, at): (ProcId, &taut_witness::ProcessState)| {
        let def = original.process(p).def;
        let point = translation.map.between_rounds(def, at.point)?;
        let own = original.defs[def.index()].registers.len();
        let frame = |f: &taut_witness::Frame| {
            let to = translation.map.inside_round(def, f.return_to)?;
            Some((f.procedure.0, to.0, f.saved.clone()))
        };
        Some(Seen {
            started: at.started,
            point: point.0,
            registers: at.registers[..own].to_vec(),
            stack: at.stack.iter().map(frame).collect::<Option<_>>()?,
        })
    };
    let processes = original.process_ids().zip(&state.processes).map(one);
    let memory = state.memory[..original.vars.len()].to_vec();
    Some((memory, processes.collect::<Option<_>>()?))
}

/// For each finding a run that leads to it.
pub type Runs = Vec<(Finding, Vec<Action>)>;

/// Everything a translation reaches under SC, in any of its forms; none if there are more than `limit`
/// states. With it, for each finding, a run that leads to it.
pub fn translated(
    translation: &Translation,
    program: &Program,
    limit: usize,
) -> Option<(Reached, Runs)> {
    let machine = Machine::new(program, sc());
    let mut reached = Reached::default();
    let mut runs: HashMap<Finding, Vec<Action>> = HashMap::new();
    let mut ids = HashMap::from([(machine.initial(), 0_usize)]);
    let mut parents: Vec<Option<(usize, Action)>> = vec![None];
    let mut todo = VecDeque::from([machine.initial()]);
    let path = |parents: &[Option<(usize, Action)>], mut id: usize, last: Option<Action>| {
        let mut actions: Vec<Action> = last.into_iter().collect();
        while let Some((parent, action)) = parents[id] {
            actions.push(action);
            id = parent;
        }
        actions.reverse();
        actions
    };
    while let Some(state) = todo.pop_front() {
        if ids.len() > limit {
            return None;
        }
        let id = ids[&state];
        reached.configurations.extend(seen_of_translation(translation, &state));
        for finding in carried(machine.findings(&state)) {
            runs.entry(finding).or_insert_with(|| path(&parents, id, None));
        }
        for (action, done) in machine.successors(&state).moves {
            let failed = done.record.all_failed().map(|f| f.finding);
            for finding in failed.collect::<Vec<_>>() {
                runs.entry(finding).or_insert_with(|| path(&parents, id, Some(action)));
            }
            match done.outcome {
                Outcome::Failure(failure) => {
                    let run = || path(&parents, id, Some(action));
                    runs.entry(failure.finding).or_insert_with(run);
                }
                Outcome::State(after) => {
                    if !ids.contains_key(&after) {
                        ids.insert(after.clone(), parents.len());
                        parents.push(Some((id, action)));
                        todo.push_back(after);
                    }
                }
            }
        }
    }
    reached.findings = runs.keys().copied().collect();
    let mut runs: Vec<_> = runs.into_iter().collect();
    runs.sort();
    Some((reached, runs))
}

/// The same program with at most so many steps for each process, so that loops end.
pub fn with_fuel(program: &Program, steps: i64) -> Program {
    let mut program = program.clone();
    for def in &mut program.defs {
        let fuel = RegId::from(def.registers.len());
        def.registers.push(Register {
            name: "fuel".into(),
            ty: Type::range(0, steps),
            len: None,
            init: vec![steps],
            span: Span::NONE,
        });
        for step in &mut def.steps {
            let some = Expr::binary(BinaryOp::Gt, fuel.into(), 0.into());
            step.guard = some.and(step.guard.clone());
            let less = Expr::binary(BinaryOp::Sub, fuel.into(), 1.into());
            step.effects.push(Effect::assign(Lvalue::Reg(fuel), less));
        }
    }
    program
}

/// A program of the Taut language.
pub fn parse(text: &str) -> Program {
    let mut map = taut_source::SourceMap::new();
    let file = map.add("test.taut", text);
    taut_lang::parse(&map, file, &taut_lang::Options::default())
        .unwrap_or_else(|found| panic!("{found:?}"))
}

/// Why a translation could not be compared.
pub enum Unequal {
    /// There were more states than the limit, or something is not translated.
    Skipped,
    /// This is wrong.
    Wrong(String),
}

fn wrong(condition: bool, what: impl FnOnce() -> String) -> Result<(), Unequal> {
    if condition { Err(Unequal::Wrong(what())) } else { Ok(()) }
}

/// Compares a translation with brute force: shared states, whole configurations, findings; and maps a run
/// to each finding back and replays it.
pub fn compare(program: &Program, scope: Scope, limit: usize) -> Result<(), Unequal> {
    let Ok(translation) = taut_rounds::translate(program, scope) else {
        return Err(Unequal::Skipped);
    };
    let valid = taut_ir::validate::validate(&translation.program);
    wrong(valid.is_err(), || format!("{valid:?}"))?;
    let expected = direct(program, scope, limit).ok_or(Unequal::Skipped)?;
    let (reached, runs) =
        translated(&translation, &translation.program, limit).ok_or(Unequal::Skipped)?;
    wrong(reached.shared() != expected.shared(), || format!("{scope}: other shared states"))?;
    let missing = expected.configurations.difference(&reached.configurations).next();
    wrong(missing.is_some(), || format!("{scope}: misses {missing:?}"))?;
    let extra = reached.configurations.difference(&expected.configurations).next();
    wrong(extra.is_some(), || format!("{scope}: adds {extra:?}"))?;
    wrong(reached.findings != expected.findings, || {
        format!("{scope}: finds {:?} and not {:?}", reached.findings, expected.findings)
    })?;
    runs.into_iter().try_for_each(|(finding, run)| replays(&translation, finding, &run))
}

/// Maps a run back and replays it.
pub fn replays(translation: &Translation, finding: Finding, run: &[Action]) -> Result<(), Unequal> {
    let run = taut_rounds::map_back(translation, run).map_err(|e| Unequal::Wrong(e.to_string()))?;
    let trace = taut_witness::Trace::new(tso(), finding, run);
    let replayed = taut_witness::replay(&translation.original, &trace);
    wrong(replayed.is_err(), || format!("{finding:?}: {:?}", replayed.err()))
}

/// A program of `examples`.
pub fn example(name: &str) -> Program {
    let path = format!("{}/../../examples/{name}.taut", env!("CARGO_MANIFEST_DIR"));
    parse(&std::fs::read_to_string(path).expect("the example is there"))
}
