//! The evidence that nothing cheaper repairs a program, for the certificate of a repair.
//!
//! The loop has learned clauses from runs. A clause is evidence if the program with all places *but* those of the clause
//! has a run that violates something: then whatever has none of these places has one, too (`taut_certify` has the
//! argument). Often the run that was learned from is such a run: the places that break it are missing. Otherwise that
//! program is checked. Each run is shown to the checker before it is taken, and of the runs only as many are kept as are
//! needed.

use std::collections::BTreeSet;

use taut_budget::{Budget, Level::Work};
use taut_certify::{Fixed, Places, cheaper, is_within};
use taut_ir::frontend::slots;
use taut_ir::{Finding, Program};
use taut_proof::{BrokenRun, Certificate, FenceKind, Kind, Proven};
use taut_repair::clause::actions;
use taut_repair::minimal::Repair;
use taut_repair::{Counterexample, Oracle, OracleAnswer, RepairKind, RepairProblem, Set};

use super::asked::Asked;
use super::judge::Checks;
use super::places::Source;
use super::report::Repaired;
use crate::load::Loaded;
use crate::outcome::{EngineFault, Refusal};
use crate::proof::{certificate, header};

/// The part of a certificate that is about a repair.
#[derive(Clone, Debug, Default)]
pub struct RepairEvidence {
    /// The places, and the runs that show that nothing cheaper is enough.
    pub part: Option<taut_proof::Repair>,
    /// Why there is less than could be, in words.
    pub open: Option<String>,
    /// What the checker said, if it was asked.
    pub accepted: Option<Fixed>,
}

impl RepairEvidence {
    pub(super) fn open(why: impl Into<String>) -> RepairEvidence {
        RepairEvidence { open: Some(why.into()), ..RepairEvidence::default() }
    }

    /// Number of runs that show that nothing cheaper is enough; none if that is not claimed.
    pub fn runs(&self) -> Option<usize> {
        self.part.as_ref()?.runs.as_ref().map(Vec::len)
    }

    /// Takes back that nothing cheaper is enough.
    fn withdraw(&mut self, why: impl Into<String>) {
        if let Some(part) = &mut self.part {
            part.runs = None;
        }
        self.open = Some(why.into());
    }
}

/// The evidence for a set that the loop has found.
pub(super) fn evidence(
    (loaded, fixed): (&Loaded, &Loaded),
    source: &dyn Source,
    repair: &Repair,
    set: &Set,
    asked: &Asked<'_>,
) -> Result<RepairEvidence, EngineFault> {
    let subject = source.subject();
    let Some(kinds) = kinds(subject) else {
        return Ok(RepairEvidence::open(
            "the checker knows places of fences and store fences only",
        ));
    };
    let part = taut_proof::Repair {
        original: source.edit(set).original,
        kinds,
        costs: subject.places().iter().map(|place| place.cost).collect(),
        set: numbers(set),
        runs: None,
    };
    let places = match Places::new(&loaded.name, &header::of(loaded), &part) {
        Ok(places) if agree(&places, subject) => places,
        Ok(_) => return Ok(RepairEvidence::open("the checker finds other places in the text")),
        Err(refusal) => return Ok(RepairEvidence::open(refusal.to_string())),
    };
    let search = Search { loaded, fixed: &fixed.program, subject, repair, places: &places };
    let (mut runs, refused) = search.runs(&mut Checks::new(source.loaded(), asked))?;
    let mut evidence = RepairEvidence { part: Some(part), ..RepairEvidence::default() };
    match search.shorten(&mut runs, set) {
        true => evidence.part.iter_mut().for_each(|part| part.runs = Some(runs.clone())),
        false => evidence.withdraw(format!(
            "for some cheaper set there is no run of the kind that it needs ({})",
            refused.as_deref().unwrap_or("none was found")
        )),
    }
    Ok(evidence)
}

/// The kinds of places, if the checker knows them all.
fn kinds(subject: &RepairProblem) -> Option<Vec<FenceKind>> {
    let mut kinds = vec![FenceKind::Fence];
    for place in subject.places() {
        match place.kind {
            RepairKind::Fence => {}
            RepairKind::StoreFence => kinds.push(FenceKind::StoreFence),
            RepairKind::Barrier | RepairKind::AtomicWrite => return None,
        }
    }
    kinds.dedup();
    Some(kinds)
}

/// Whether the checker has the same places, in the same order.
fn agree(places: &Places, subject: &RepairProblem) -> bool {
    let (theirs, ours) = (places.all(), subject.places());
    let same = |(a, b): (&taut_certify::Place, &taut_repair::RepairSite)| {
        a.kind.word() == b.kind.word() && a.steps == b.steps
    };
    theirs.len() == ours.len() && theirs.iter().zip(ours).all(same)
}

fn numbers(set: &Set) -> Vec<u32> {
    set.iter().map(|&place| place as u32).collect()
}

/// The search for runs.
struct Search<'a> {
    loaded: &'a Loaded,
    fixed: &'a Program,
    subject: &'a RepairProblem,
    repair: &'a Repair,
    places: &'a Places,
}

impl Search<'_> {
    /// A run for each clause that has one, and why the checker refuses others.
    fn runs(
        &self,
        checks: &mut Checks<'_>,
    ) -> Result<(Vec<BrokenRun>, Option<String>), EngineFault> {
        let (mut runs, mut refused): (Vec<BrokenRun>, _) = (Vec::new(), None);
        for lesson in &self.repair.lessons {
            taut_budget::tick();
            let clause = &lesson.clause.any_of;
            if runs.iter().any(|run| run.clause == numbers(clause)) {
                continue;
            }
            let own = self.broken(&lesson.set, clause, &lesson.counterexample);
            let run = match own {
                Ok(run) => Ok(run),
                Err(_) => self.search(checks, clause)?,
            };
            match run {
                Ok(run) => runs.push(run),
                Err(why) => refused = Some(why),
            }
        }
        Ok((runs, refused))
    }

    /// A run of the program with all places but some, found by a check.
    fn search(
        &self,
        checks: &mut Checks<'_>,
        clause: &Set,
    ) -> Result<Result<BrokenRun, String>, EngineFault> {
        let all = 0..self.subject.places().len();
        let set: Set = all.filter(|place| !clause.contains(place)).collect();
        let OracleAnswer::Violated(found) = checks.judge(self.subject, &set)? else {
            return Ok(Err("with all places but those of a clause there is none".into()));
        };
        let mut last = Err("none was found".into());
        for found in &found {
            last = self.broken(&set, clause, found);
            if last.is_ok() {
                break;
            }
        }
        Ok(last)
    }

    /// A run of the variant of a set as one of the program with all places but some, if the checker agrees.
    fn broken(&self, set: &Set, clause: &Set, found: &Counterexample) -> Result<BrokenRun, String> {
        let actions = actions(self.subject, set, found).ok_or("it cannot be taken apart")?;
        let kind = match found.trace.finding {
            Finding::Property(_) => Kind::Property,
            Finding::Deadlock => Kind::Deadlock,
            Finding::Fault(_) => Kind::Fault,
            Finding::FullBuffer | Finding::NotRobust => {
                return Err("a full buffer and robustness have none".into());
            }
        };
        // The name in the fixed text: names may have lines in them, which move.
        let name = match found.trace.finding {
            Finding::Property(id) => self.fixed.properties.get(id.index()).map(|p| p.name.clone()),
            _ => Some(found.property.clone()),
        };
        let name = name.ok_or("the fixed text has other properties")?;
        let memory = found.trace.memory;
        let run = BrokenRun {
            model: memory.model.name().into(),
            bound: memory.bound.filter(|_| memory.model.has_bound()),
            slots: self.loaded.grows().then(|| slots(&found.program)),
            violates: Proven { name, kind },
            clause: numbers(clause),
            actions: actions.into_iter().map(Into::into).collect(),
        };
        match self.places.breaks(self.fixed, &run) {
            Ok(()) => Ok(run),
            Err(refusal) => Err(format!("{}: {refusal}", run.violates.name)),
        }
    }

    /// Leaves out what is not needed; false if the runs do not exclude all cheaper sets.
    fn shorten(&self, runs: &mut Vec<BrokenRun>, set: &Set) -> bool {
        let costs: Vec<u64> = self.subject.places().iter().map(|place| place.cost).collect();
        let cost = self.subject.cost(set);
        let is_enough = |runs: &[BrokenRun]| {
            let clause = |run: &BrokenRun| run.clause.iter().map(|&place| place as usize).collect();
            let clauses: Vec<BTreeSet<usize>> = runs.iter().map(clause).collect();
            cheaper(&costs, &clauses, cost).is_none()
        };
        if !is_enough(runs) {
            return false;
        }
        for at in (0..runs.len()).rev() {
            let run = runs.remove(at);
            if !is_enough(runs) {
                runs.insert(at, run);
            }
        }
        true
    }
}

impl Repaired {
    /// The certificate of the repair, from the evidence for what holds of the fixed program; none if there is none.
    pub fn certificate(&self) -> Option<Certificate> {
        let proofs = self.proofs.iter().filter_map(|report| report.proof.as_ref());
        let mut whole = certificate(&self.loaded, proofs)?;
        whole.header.repair = self.evidence.as_ref().and_then(|evidence| evidence.part.clone());
        Some(whole)
    }

    /// Compares the evidence with what is claimed of the fixed program, after that was made, and has the checker look at
    /// all of it if it is demanded. An error is a bug in Taut.
    pub fn prove_cheapest(&mut self, certify: bool, budget: &Budget) -> Result<(), EngineFault> {
        let (Some(whole), Some(evidence)) = (self.certificate(), &mut self.evidence) else {
            return Ok(());
        };
        let runs = whole.header.repair.as_ref().and_then(|part| part.runs.as_deref());
        let claims = &whole.header.claims;
        let is_claimed = |run: &BrokenRun| claims.iter().any(|claim| is_within(run, claim));
        if !runs.is_none_or(|runs| runs.iter().all(is_claimed)) {
            evidence
                .withdraw("what a cheaper set violates has no certificate with the same bounds");
        }
        if !certify {
            return Ok(());
        }
        let Some(whole) = self.certificate().map(|whole| whole.to_bytes()) else { return Ok(()) };
        // A list beside a model is no text of its own, and the fix of other repairs is the text of the certificate.
        let is_of_repair = self.evidence.as_ref().is_some_and(|evidence| evidence.part.is_some());
        let text = match is_of_repair {
            true => self.original.clone().into_bytes(),
            false => self.loaded.text(),
        };
        let check = || taut_certify::certify(&self.loaded.name, &text, &whole);
        let checked = budget.within(None).run(Work, check);
        let Some(evidence) = &mut self.evidence else { return Ok(()) };
        match checked {
            Ok(Ok(accepted)) => evidence.accepted = accepted.fixed,
            Ok(Err(refusal)) => {
                let why = format!("the checker refuses the repair: {refusal}");
                return Err(EngineFault {
                    property: "repair".into(),
                    refusal: Refusal::Proof(why),
                });
            }
            Err(met) => evidence.withdraw(format!("its certificate was not checked: {met}")),
        }
        Ok(())
    }
}
