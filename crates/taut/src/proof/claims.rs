//! What holds in a report, as claims with their evidence.

use std::collections::{BTreeMap, BTreeSet};

use taut_budget::{Budget, Level::Work};
use taut_ir::frontend::slots;
use taut_ir::{Expr, Fairness, Finding, Memory, MemoryModel, Program, PropId};
use taut_proof::{Claim, Cut, Damaged, Evidence, Kind, Proven, Writer};

use super::dual::backward;
use super::header::written;
use super::runs::{Sought, claim_runs};
use super::symbolic::{Symbolic, symbolic};
use super::walk::{Walked, walk};
use super::{Open, Proof};
use crate::Reduce;
use crate::load::Loaded;
use crate::outcome::{EngineFault, Refusal, Report};
use crate::verdict::{Coverage, PropertyResult, QuestionKind, Verdict};

/// The largest buffers that are tried for a verdict without a bound.
const LARGEST_BOUND: u32 = 64;

/// Why there is no certificate.
const GROWS: &str = "buffers grow without a bound";
const EVERY_NUMBER: &str =
    "the checker does not know something in a program with any number of processes";
const SIMPLER: &str =
    "the program as it is written meets a bound that its simpler form does not meet";

const PART: &str =
    "it holds of runs with so few rounds, and not of all, which a certificate is about";

/// The claims of a report that are being made.
pub(super) struct Claims<'a> {
    report: &'a Report,
    loaded: &'a Loaded,
    budget: &'a Budget,
    proof: Proof,
}

/// Something that holds, and what is covered.
type Held<'a> = (&'a PropertyResult, &'a Coverage);

/// A program under a memory model, as a claim names it.
struct Subject<'p> {
    program: &'p Program,
    memory: Memory,
    slots: Option<BTreeMap<String, u32>>,
    races: bool,
}

impl<'a> Claims<'a> {
    pub(super) fn new(report: &'a Report, loaded: &'a Loaded, budget: &'a Budget) -> Claims<'a> {
        Claims { report, loaded, budget, proof: Proof::default() }
    }

    /// All claims. An error is a bug in Taut.
    pub(super) fn make(mut self) -> Result<Proof, EngineFault> {
        let report = self.report;
        let held = report.results.iter().filter_map(|result| match &result.verdict {
            Verdict::Holds(coverage) | Verdict::Never(coverage) => Some((result, coverage)),
            _ => None,
        });
        let (mut of_states, mut of_runs) = (Vec::new(), Vec::new());
        for (result, coverage) in held {
            match self.obstacle(result.kind, coverage) {
                Some(why) => self.open(&result.name, why),
                None if result.kind == QuestionKind::Race => {}
                None if matches!(result.kind, QuestionKind::Ltl | QuestionKind::Never) => {
                    of_runs.push((result, coverage));
                }
                None => of_states.push((result, coverage)),
            }
        }
        // The program of the report may be one with a number of processes, where there is any number.
        let has_any_number = !self.loaded.program.replicated.is_empty();
        let program = if has_any_number { &self.loaded.program } else { &*report.program };
        let slots = self.loaded.grows().then(|| slots(program));
        let subject = Subject { program, memory: report.memory, slots, races: false };
        self.of_states(&subject, &of_states)?;
        for held in of_runs {
            self.of_runs(&subject, held)?;
        }
        self.of_races()?;
        Ok(self.proof)
    }

    fn open(&mut self, name: &str, why: impl Into<String>) {
        self.proof.open.push(Open { name: name.into(), why: why.into() });
    }

    /// The reason why there can be no certificate.
    fn obstacle(&self, kind: QuestionKind, coverage: &Coverage) -> Option<String> {
        if kind == QuestionKind::Deadlock && coverage.every_number {
            return Some(
                "no certificate: no deadlock for every number of processes, by a look at the code"
                    .into(),
            );
        }
        if kind == QuestionKind::Robust {
            return Some("no certificate: robustness has none".into());
        }
        if !taut_certify::reads(self.loaded.language.name()) {
            return Some("the checker does not read this language".into());
        }
        if coverage.lossy.is_some() {
            return Some("no certificate: the store of states can miss some".into());
        }
        None
    }

    /// The claims about states.
    fn of_states(&mut self, subject: &Subject<'_>, held: &[Held<'_>]) -> Result<(), EngineFault> {
        if !subject.program.replicated.is_empty() {
            if !held.is_empty() && !self.backward(subject, held)? {
                self.give_up(held, EVERY_NUMBER)?;
            }
            return Ok(());
        }
        let (bounded, unbounded): (Vec<_>, Vec<_>) =
            held.iter().copied().partition(|(_, coverage)| coverage.buffer.is_some());
        if !bounded.is_empty() {
            self.with_bound(subject, &bounded, false)?;
        }
        if unbounded.is_empty() {
            return Ok(());
        }
        let first = subject.memory.bound.unwrap_or(Memory::DEFAULT_BOUND);
        if self.fits(subject, &unbounded, first)? {
            return Ok(());
        }
        // What the dual engine has answered ends backward.
        let backward_first = self.report.dual.is_some();
        if backward_first && self.backward(subject, &unbounded)?
            || self.without_bound(subject, &unbounded)?
            || !backward_first && self.backward(subject, &unbounded)?
        {
            return Ok(());
        }
        let mut bound = first.saturating_mul(2);
        while bound <= LARGEST_BOUND {
            if self.fits(subject, &unbounded, bound)? {
                return Ok(());
            }
            bound *= 2;
        }
        self.give_up(&unbounded, GROWS).map(drop)
    }

    /// The claim about states with buffers of a size that are never full; false if one is.
    fn fits(
        &mut self,
        subject: &Subject<'_>,
        held: &[Held<'_>],
        bound: u32,
    ) -> Result<bool, EngineFault> {
        let memory = subject.memory.bounded(Some(bound));
        let slots = subject.slots.clone();
        self.with_bound(&Subject { memory, slots, ..*subject }, held, true)
    }

    /// The claim with buffers without a bound; false if there is none.
    fn without_bound(
        &mut self,
        subject: &Subject<'_>,
        held: &[Held<'_>],
    ) -> Result<bool, EngineFault> {
        let budget = self.budget.within(None);
        let sought = budget.run(Work, || symbolic(subject.program, subject.memory, &budget));
        let found = match sought {
            Ok(Ok(Some(found))) => found,
            Ok(Ok(None)) => return Ok(false),
            Ok(Err(damaged)) => return self.give_up(held, &damaged.0),
            Err(met) => return self.give_up(held, &met.to_string()),
        };
        let found_kinds: BTreeSet<Finding> = found.found.iter().copied().collect();
        let proven = self.proven(subject, held, &found_kinds, found.cut)?;
        if !proven.is_empty() {
            self.proof.states += found.states;
            let Symbolic { memory, body, cut, .. } = found;
            let (claim, body) = written(memory, proven, cut, Evidence::Buffers, body);
            self.push(subject, claim, body);
        }
        Ok(true)
    }

    /// The claim with constraints on load buffers; false if there is none.
    fn backward(&mut self, subject: &Subject<'_>, held: &[Held<'_>]) -> Result<bool, EngineFault> {
        let Subject { program, memory, .. } = *subject;
        if program.replicated.is_empty() && memory.model != MemoryModel::Tso {
            return Ok(false);
        }
        let is_asked =
            |finding: Finding| held.iter().any(|(result, _)| is_meant(program, result, finding));
        let budget = self.budget.within(None);
        let sought = budget.run(Work, || backward(program, memory.model, &is_asked));
        let found = match sought {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(false),
            Err(met) => return self.give_up(held, &met.to_string()),
        };
        let has_faults = held.iter().any(|(result, _)| result.kind == QuestionKind::Fault);
        let cut = Cut { fault: found.can_fault && !has_faults, ..Cut::default() };
        let proven = self.proven(subject, held, &BTreeSet::new(), cut)?;
        if !proven.is_empty() {
            self.proof.states += found.constraints;
            let memory = memory.bounded(None);
            let (claim, body) = written(memory, proven, cut, Evidence::Constraints, found.body);
            self.push(subject, claim, body);
        }
        Ok(true)
    }

    /// The claim about states with buffers of a size; false if some buffer was full and must not be.
    fn with_bound(
        &mut self,
        subject: &Subject<'_>,
        held: &[Held<'_>],
        must_fit: bool,
    ) -> Result<bool, EngineFault> {
        let held_of_states = || held.iter().map(|(result, _)| (kind(result.kind), &*result.name));
        // Who asks for no reduction gets all states.
        let reduced = self.report.reduce != Reduce::None;
        let claimed = reduced.then(|| claimed(subject.program, held_of_states()));
        let phase = || {
            let _phase = taut_budget::phase("the certificate is made");
            walk(subject.program, subject.memory, must_fit, claimed)
        };
        let walked = match self.budget.within(None).run(Work, phase) {
            Ok(Ok(Some(walked))) => walked,
            Ok(Ok(None)) => return Ok(false),
            Ok(Err(damaged)) => return self.give_up(held, &damaged.0),
            Err(met) => return self.give_up(held, &met.to_string()),
        };
        self.claim(subject, held, walked)?;
        Ok(true)
    }

    fn give_up(&mut self, held: &[Held<'_>], why: &str) -> Result<bool, EngineFault> {
        for (result, _) in held {
            self.open(&result.name, format!("no certificate: {why}"));
        }
        Ok(true)
    }

    fn claim(
        &mut self,
        subject: &Subject<'_>,
        held: &[Held<'_>],
        walked: Walked<'_>,
    ) -> Result<(), EngineFault> {
        let proven = self.proven(subject, held, &walked.found, walked.cut)?;
        if proven.is_empty() {
            return Ok(());
        }
        self.proof.states += walked.states.len() as u64;
        let (claim, body) = of_walked(subject.memory, proven, walked);
        self.push(subject, claim, body);
        Ok(())
    }

    /// What is claimed of what holds: nothing contradicts it, and it covers no more than the evidence does.
    fn proven(
        &mut self,
        subject: &Subject<'_>,
        held: &[Held<'_>],
        found: &BTreeSet<Finding>,
        cut: Cut,
    ) -> Result<Vec<Proven>, EngineFault> {
        let mut proven = Vec::new();
        for &(result, coverage) in held {
            let is_found = found.iter().any(|&finding| is_meant(subject.program, result, finding));
            // An answer about a part of the runs (rounds, or ages of stores) may be wrong of the others.
            if is_found && coverage.scope.is_some() {
                self.open(&result.name, format!("no certificate: {PART}"));
                continue;
            }
            if is_found {
                return Err(at_fault(&result.name));
            }
            if names(coverage).names(cut) {
                proven.push(Proven { name: result.name.clone(), kind: kind(result.kind) });
            } else {
                self.open(&result.name, format!("no certificate: {SIMPLER}"));
            }
        }
        Ok(proven)
    }

    fn push(&mut self, subject: &Subject<'_>, claim: Claim, body: Vec<u8>) {
        let claim = Claim { slots: subject.slots.clone(), races: subject.races, ..claim };
        self.proof.claims.push((claim, body));
    }

    /// The claim about a property of runs.
    fn of_runs(&mut self, subject: &Subject<'_>, held: Held<'_>) -> Result<(), EngineFault> {
        let (result, coverage) = held;
        let named = |id: &PropId| subject.program.property(*id).name == result.name;
        let Some(property) = subject.program.property_ids().find(named) else { return Ok(()) };
        let must_fit = coverage.buffer.is_none();
        let most = if must_fit { LARGEST_BOUND } else { 0 };
        let mut bound = subject.memory.bound.unwrap_or(Memory::DEFAULT_BOUND);
        let fairness = self.report.fairness;
        loop {
            let memory = subject.memory.bounded(Some(bound));
            let sought = || claim_runs(subject.program, memory, property, fairness, must_fit);
            match self.budget.within(None).run(Work, sought) {
                Ok(Ok(Sought::Found(claim, body, states))) => {
                    if !names(coverage).names(claim.cut) {
                        self.open(&result.name, format!("no certificate: {SIMPLER}"));
                        return Ok(());
                    }
                    self.proof.states += states;
                    self.push(subject, claim, body);
                    return Ok(());
                }
                Ok(Ok(Sought::Full)) if bound * 2 <= most => bound *= 2,
                Ok(Ok(Sought::Full)) => return self.give_up(&[held], GROWS).map(drop),
                Ok(Ok(Sought::Open(why))) => return self.give_up(&[held], why).map(drop),
                Ok(Ok(Sought::Violated)) => return Err(at_fault(&result.name)),
                Ok(Err(damaged)) => return self.give_up(&[held], &damaged.0).map(drop),
                Err(met) => return self.give_up(&[held], &met.to_string()).map(drop),
            }
        }
    }

    /// The claim about data races, whose program is another one.
    fn of_races(&mut self) -> Result<(), EngineFault> {
        let Some(races) = &self.report.races else { return Ok(()) };
        let Verdict::Holds(coverage) = &races.result.verdict else { return Ok(()) };
        if self.obstacle(races.result.kind, coverage).is_some() {
            return Ok(());
        }
        let Some(watching) = self.loaded.watching_races() else {
            self.open(
                &races.result.name,
                "no certificate: there are no data races by a look at the code",
            );
            return Ok(());
        };
        let memory = Memory::new(MemoryModel::Sc);
        let slots = None;
        let subject = Subject { program: &watching.program, memory, slots, races: true };
        self.of_states(&subject, &[(&races.result, coverage)])
    }
}

/// Whether a finding contradicts that something holds.
fn is_meant(program: &Program, result: &PropertyResult, finding: Finding) -> bool {
    match (result.kind, finding) {
        (QuestionKind::Deadlock, Finding::Deadlock)
        | (QuestionKind::Fault, Finding::Fault(_))
        | (QuestionKind::FullBuffer, Finding::FullBuffer) => true,
        (_, Finding::Property(id)) => program.property(id).name == result.name,
        _ => false,
    }
}

/// The engine said that something holds, and it does not.
fn at_fault(name: &str) -> EngineFault {
    let why = "the search for its certificate found a violation".into();
    EngineFault { property: name.into(), refusal: Refusal::Proof(why) }
}

/// The claim that something holds of a program, with all its states as the evidence. Whether it does hold is for the checker
/// to say.
pub fn claim_states(
    program: &Program,
    memory: Memory,
    holds: Vec<Proven>,
) -> Result<(Claim, Vec<u8>), Damaged> {
    match walk(program, memory, false, None)? {
        Some(walked) => Ok(of_walked(memory, holds, walked)),
        None => Err("a buffer is full".into()),
    }
}

/// The same with fewer states: without those that the checker does not need for what is claimed.
pub fn claim_fewer_states(
    program: &Program,
    memory: Memory,
    holds: Vec<Proven>,
) -> Result<(Claim, Vec<u8>), Damaged> {
    let claimed = claimed(program, holds.iter().map(|proven| (proven.kind, &*proven.name)));
    match walk(program, memory, false, Some(claimed))? {
        Some(walked) => Ok(of_walked(memory, holds, walked)),
        None => Err("a buffer is full".into()),
    }
}

/// The expressions of the properties with some names.
fn claimed<'p, 'n>(
    program: &'p Program,
    names: impl Iterator<Item = (Kind, &'n str)>,
) -> Vec<&'p Expr> {
    let named: BTreeSet<&str> =
        names.filter(|(kind, _)| *kind == Kind::Property).map(|(_, name)| name).collect();
    let properties = program.properties.iter().filter(|p| named.contains(&*p.name));
    properties.flat_map(|property| property.kind.exprs()).collect()
}

/// The claim that a property of runs holds; none if it does not, or if there is no evidence.
pub fn claim_property_of_runs(
    program: &Program,
    memory: Memory,
    property: PropId,
    fairness: Fairness,
) -> Result<Option<(Claim, Vec<u8>)>, Damaged> {
    match claim_runs(program, memory, property, fairness, false)? {
        Sought::Found(claim, body, _) => Ok(Some((claim, body))),
        Sought::Full | Sought::Open(_) | Sought::Violated => Ok(None),
    }
}

/// The claim that something holds with buffers without a bound, of what the symbolic engine finds no violation of; none if it
/// does not tell the states, or does not end.
pub fn claim_without_bound(
    program: &Program,
    model: MemoryModel,
    budget: &Budget,
    mut holds: Vec<Proven>,
) -> Result<Option<(Claim, Vec<u8>)>, Damaged> {
    let Some(found) = symbolic(program, Memory::new(model), budget)? else { return Ok(None) };
    holds.retain(|proven| !found.found.iter().any(|&finding| is_about(program, proven, finding)));
    let Symbolic { memory, body, cut, .. } = found;
    Ok(Some(written(memory, holds, cut, Evidence::Buffers, body)))
}

/// The claim that something holds under TSO with buffers without a bound, with constraints on load buffers as the evidence; none
/// if it does not hold, or if the program has something that such evidence is not for.
pub fn claim_by_constraints(program: &Program, holds: Vec<Proven>) -> Option<(Claim, Vec<u8>)> {
    claim_every_number(program, MemoryModel::Tso, holds)
}

/// The same under SC or TSO, of a program that may have any number of processes of some definitions.
pub fn claim_every_number(
    program: &Program,
    model: MemoryModel,
    holds: Vec<Proven>,
) -> Option<(Claim, Vec<u8>)> {
    let is_asked = |finding| holds.iter().any(|proven| is_about(program, proven, finding));
    let found = backward(program, model, &is_asked)?;
    let has_faults = holds.iter().any(|proven| proven.kind == Kind::Fault);
    let cut = Cut { fault: found.can_fault && !has_faults, ..Cut::default() };
    let memory = Memory::new(model).bounded(None);
    Some(written(memory, holds, cut, Evidence::Constraints, found.body))
}

fn is_about(program: &Program, proven: &Proven, finding: Finding) -> bool {
    match (proven.kind, finding) {
        (Kind::Deadlock, Finding::Deadlock) | (Kind::Fault, Finding::Fault(_)) => true,
        (Kind::Property, Finding::Property(id)) => program.property(id).name == proven.name,
        _ => false,
    }
}

fn of_walked(memory: Memory, holds: Vec<Proven>, walked: Walked<'_>) -> (Claim, Vec<u8>) {
    let Walked { states, cut, alike, ranked, .. } = walked;
    let mut out = Writer::default();
    let order = states.write(&mut out);
    if alike.is_empty() && ranked.iter().all(|&code| code == 0) {
        return written(memory, holds, cut, Evidence::States, out.into_bytes());
    }
    order.iter().for_each(|&number| out.number(u64::from(ranked[number as usize])));
    written(memory, holds, cut, Evidence::FewerStates { alike }, out.into_bytes())
}

/// What a coverage names.
fn names(coverage: &Coverage) -> Cut {
    Cut {
        buffer: coverage.buffer.is_some(),
        threads: coverage.threads.is_some() || coverage.objects.is_some(),
        calls: coverage.calls.is_some(),
        fault: coverage.without_fault,
    }
}

fn kind(kind: QuestionKind) -> Kind {
    match kind {
        QuestionKind::Deadlock => Kind::Deadlock,
        QuestionKind::Fault => Kind::Fault,
        QuestionKind::FullBuffer => Kind::FullBuffer,
        _ => Kind::Property,
    }
}
