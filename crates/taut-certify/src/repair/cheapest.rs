//! A repair of which nothing cheaper is enough.
//!
//! The certificate has runs, and for each of them a *clause*: some places. The checker sees to it that
//!
//! 1. each run is one of the program with **all places but those of its clause**, and violates something that is claimed
//!    of the fixed program, within the bounds of that claim;
//! 2. no set of places that has one place of each clause costs less than the set of the repair.
//!
//! **Why that is a proof.** Let a set cost less. By 2 it has no place of some clause, so that it is a part of the places
//! that the run of this clause was taken with. The run, with the steps of the missing fences left out, is a run of the
//! program with the set, and violates the same. So the set is not enough. For this, fewer fences must allow more:
//!
//! - A full fence waits until the buffer is empty and changes nothing. A store fence keeps later stores behind earlier ones.
//!   Without them every step and every commit of the run can be taken as before, and the buffers hold the same stores.
//! - The one difference: a process that *stands* at a fence is past it in the other program. Its registers and its buffer are
//!   the same, and so are memory and channels. Nothing of the run may depend on the rest: on its program point, and, where the
//!   fence is the last step of the process, on whether it is gone. So while a process stands at a fence, no other one takes a step
//!   that can tell (`asks`): by a name for one of the two program points, by what is possible, by a rendezvous, for which a
//!   partner is ready or is not; where it may be gone also by its life, by the end of another process, or by starting one, which takes
//!   a free place. In the last state the violated property cannot tell either. Before a deadlock no process stands at a
//!   fence at all, and all buffers are empty. A failed assertion and a fault are of one step, of one process.
//! - A fence inside of an atomic section, or in front of one, is passed at once: past it, the process would keep the others from
//!   moving. No process comes to a fence that has a label, may be an end, or is no step of its own: the label would be
//!   that of the next step.
//!
//! So much is argued for TSO and PSO, for properties of states and steps, and without priorities. Formulas may tell a run with
//! a state less from one with a state more, and under delayed writes an atomic write drops what waits: runs of
//! these kinds are refused, and the writer does not claim that such a repair is a cheapest one.

use std::collections::{BTreeMap, BTreeSet};

use taut_budget::tick;
use taut_ir::{
    Action, Control, DefId, Effect, Expr, Fault, Finding, FullBuffer, Memory, MemoryModel, PointId,
    ProcId, Program, Step, StepId,
};
use taut_proof::{BrokenRun, Claim, Kind};
use taut_witness::{Run, State, Trace, replay};

use super::places::Places;
use crate::Refusal;

/// How a process may stand at the step of a fence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// At the first program point; past the fence it is at the second one.
    Between([PointId; 2]),
    /// Its next step is the next action.
    AtOnce,
    Never,
}

/// The program points at which fences may stand.
type Stands = BTreeMap<(DefId, PointId), Stand>;

/// A set of places by the numbers of a certificate, each of which there must be.
pub(crate) fn set_of(places: &Places, numbers: &[u32]) -> Result<BTreeSet<usize>, Refusal> {
    let set: BTreeSet<usize> = numbers.iter().map(|&number| number as usize).collect();
    match set.last().is_none_or(|&last| last < places.all.len()) {
        true => Ok(set),
        false => Err(Refusal::proof(format!("there are {} places only", places.all.len()))),
    }
}

/// Checks that no set of places that costs less is enough; what they violate, in words.
pub(crate) fn check(
    places: &Places,
    fixed: &Program,
    runs: &[BrokenRun],
    (costs, cost): (&[u64], u64),
    claims: &[Claim],
) -> Result<String, Refusal> {
    let (mut clauses, mut seen) = (Vec::new(), BTreeSet::new());
    for (number, run) in runs.iter().enumerate() {
        let refused =
            |why: &str| Refusal::proof(format!("run {} of the repair: {why}", number + 1));
        if !claims.iter().any(|claim| is_within(run, claim)) {
            return Err(refused("it violates nothing that is claimed of the fixed text"));
        }
        places.breaks(fixed, run).map_err(|refusal| refused(&refusal.to_string()))?;
        seen.insert(format!("{} under {}", run.violates.name, run.model));
        clauses.push(set_of(places, &run.clause)?);
    }
    if let Some(cheaper) = cheaper(costs, &clauses, cost) {
        let words = cheaper.iter().map(|&place| format!("line {}", places.all()[place].line));
        let words = words.collect::<Vec<_>>().join(", ");
        return Err(Refusal::Proof(format!("a cheaper set may be enough, at [{words}]")));
    }
    let seen: Vec<String> = seen.into_iter().collect();
    let (all, seen) = (places.all().len(), seen.join(" or "));
    Ok(format!("of {all} places; each cheaper set violates {seen}, by one of {} runs", runs.len()))
}

/// Whether a run violates a claim, within its bounds.
pub fn is_within(run: &BrokenRun, claim: &Claim) -> bool {
    let fits = run.bound.is_some_and(|own| claim.bound.is_some_and(|most| own <= most));
    run.model == claim.model
        && claim.holds.contains(&run.violates)
        && !claim.races
        && !claim.full_is_error
        && (!claim.cut.buffer || fits)
        && (!claim.cut.threads || run.slots == claim.slots)
}

/// Some places that hit each clause and cost less than a limit, if there are any: branch and bound.
pub fn cheaper(costs: &[u64], clauses: &[BTreeSet<usize>], limit: u64) -> Option<Vec<usize>> {
    // Of each branch the places that were chosen, what they cost, and the places that others have tried.
    let mut left = vec![(Vec::new(), 0, BTreeSet::new())];
    left.retain(|_| limit > 0);
    while let Some((chosen, cost, mut tried)) = left.pop() {
        tick();
        let is_open = |c: &&BTreeSet<usize>| !chosen.iter().any(|place| c.contains(place));
        let open = clauses.iter().filter(is_open).map(|c| c.difference(&tried).collect::<Vec<_>>());
        let Some(open) = open.min_by_key(Vec::len) else { return Some(chosen) };
        let open: Vec<usize> = open.into_iter().copied().collect();
        for place in open {
            let cost = cost + costs[place];
            if cost < limit {
                left.push(([&chosen[..], &[place]].concat(), cost, tried.clone()));
            }
            tried.insert(place);
        }
    }
    None
}

impl Places {
    /// Whether a run is one of the program with all places but those of its clause, and of every program with fewer.
    /// Properties are known by their names in the fixed program: names may have lines in them, which move.
    pub fn breaks(&self, fixed: &Program, run: &BrokenRun) -> Result<(), Refusal> {
        let model: MemoryModel = run.model.parse().map_err(Refusal::Proof)?;
        let program = self.without(&set_of(self, &run.clause)?, &run.slots)?;
        if !matches!(model, MemoryModel::Tso | MemoryModel::Pso) || program.priorities.is_some() {
            return Err(Refusal::proof("fewer fences need not allow more runs here"));
        }
        let memory = Memory { model, bound: run.bound, full_buffer: FullBuffer::Wait };
        let actions: Vec<Action> = run.actions.iter().map(|&event| event.into()).collect();
        let is_there = |a: &Action| a.process().index() < program.processes.len();
        if run.bound == Some(0) || !actions.iter().all(is_there) {
            return Err(Refusal::proof("it is no run"));
        }
        let mut why = Refusal::proof("nothing violates this");
        for finding in findings(&program, fixed, run) {
            match replay(&program, &Trace::new(memory, finding, actions.clone())) {
                Ok(run) => return self.is_told_by_none(&program, &run, finding),
                Err(error) => why = Refusal::proof(error.to_string()),
            }
        }
        Err(why)
    }

    /// Whether nothing of a run depends on a process standing at a fence.
    fn is_told_by_none(&self, program: &Program, run: &Run, found: Finding) -> Result<(), Refusal> {
        let steps: BTreeSet<_> = self.all.iter().flat_map(|place| place.steps.clone()).collect();
        let stands: Stands = steps.iter().map(|&(def, step)| stand(program, def, step)).collect();
        let standing = |state: &State| standing(program, &stands, state);
        let told = Refusal::proof("it may depend on where a process stands at a fence");
        for (number, row) in run.rows.iter().enumerate() {
            let others = standing(run.before(number));
            let own = row.action.process();
            let may = |&(p, stand): &(ProcId, Stand)| match stand {
                Stand::Between(ends) => p == own || !asks(program, &steps, row.action, (p, ends)),
                Stand::AtOnce => p == own && !matches!(row.action, Action::Commit { .. }),
                Stand::Never => false,
            };
            if !others.iter().all(may) {
                return Err(told);
            }
        }
        let last = run.last();
        let is_seen = |&(p, stand): &(ProcId, Stand)| match stand {
            Stand::Between(ends) => sees(program, found, (p, ends)),
            Stand::AtOnce | Stand::Never => true,
        };
        let drained = |p: ProcId| last.process(p).buffer.is_empty();
        let jams = found == Finding::Deadlock && !program.process_ids().all(drained);
        if jams || standing(last).iter().any(is_seen) { Err(told) } else { Ok(()) }
    }
}

/// What a run may end in. A full buffer and properties of runs are no such ends.
fn findings(program: &Program, fixed: &Program, run: &BrokenRun) -> Vec<Finding> {
    // Both texts have the same properties, in the same order.
    let same = program.properties.len() == fixed.properties.len();
    let named = program.property_ids().filter(|&id| {
        same && fixed.property(id).name == run.violates.name
            && !program.property(id).kind.is_temporal()
    });
    match run.violates.kind {
        Kind::Property => named.map(Finding::Property).collect(),
        Kind::Deadlock => vec![Finding::Deadlock],
        Kind::Fault => Fault::ALL.map(Finding::Fault).into(),
        Kind::FullBuffer => Vec::new(),
    }
}

/// Where the step of a fence starts, and how a process may stand there.
fn stand(program: &Program, id: DefId, step: StepId) -> ((DefId, PointId), Stand) {
    let def = &program.defs[id.index()];
    let step = &def.steps[step.index()];
    let source = &def.points[step.source.index()];
    let is_alone = def.steps_from(step.source).count() == 1;
    // A process that holds the others goes on holding them, or holds them past the fence.
    let leads_here =
        |s: &Step| s.holds && matches!(s.target, Control::Goto(to) if to == step.source);
    let is_held = step.holds || source.atomic || source.inner || def.steps.iter().any(leads_here);
    let stand = match step.target {
        Control::Goto(to) if is_alone && source.labels.is_empty() && !source.end => {
            let holds = is_held || def.points[to.index()].atomic;
            if holds { Stand::AtOnce } else { Stand::Between([step.source, to]) }
        }
        _ => Stand::Never,
    };
    ((id, step.source), stand)
}

/// The processes that stand at fences.
fn standing(program: &Program, stands: &Stands, state: &State) -> Vec<(ProcId, Stand)> {
    let at = |p: ProcId| {
        let (def, process) = (program.process(p).def, state.process(p));
        let stand = stands.get(&(def, process.point)).filter(|_| process.started)?;
        Some((p, *stand))
    };
    program.process_ids().filter_map(at).collect()
}

/// Whether an action may depend on where a process stands: what its own process could do instead counts, too.
fn asks(
    program: &Program,
    fences: &BTreeSet<(DefId, StepId)>,
    action: Action,
    standing: (ProcId, [PointId; 2]),
) -> bool {
    let Action::Step { process, step, .. } = action else {
        return matches!(action, Action::Handshake { .. });
    };
    let (def, steps) = (program.process(process).def, program.def_of(process));
    if fences.contains(&(def, step)) {
        return false;
    }
    let may_go = program.def_of(standing.0).is_final(standing.1[1]);
    let of_step = |step: &Step| {
        let spawns = step.effects.iter().any(|effect| matches!(effect, Effect::Spawn { .. }));
        may_go && (spawns || step.target == Control::Exit)
            || step.expressions().into_iter().any(|expr| tells(program, expr, standing))
    };
    let has_rendezvous = program.channels.iter().any(|channel| channel.capacity == 0);
    let source = steps.steps[step.index()].source;
    has_rendezvous || steps.steps_from(source).any(|(_, step)| of_step(step))
}

/// Whether an expression may tell a process at a fence from one that is past it, at another program point.
fn tells(program: &Program, expr: &Expr, (process, [from, to]): (ProcId, [PointId; 2])) -> bool {
    let may_go = program.def_of(process).is_final(to);
    let mut tells = false;
    expr.visit(&mut |e| {
        tells |= match e {
            Expr::At(p, points) => {
                *p == process && (may_go || points.contains(&from) != points.contains(&to))
            }
            Expr::In(p, _) | Expr::Drained(p) | Expr::Alive(p) => *p == process && may_go,
            Expr::Processes => may_go,
            Expr::Enabled(_) | Expr::Timeout => true,
            _ => false,
        };
    });
    tells
}

/// Whether what is found may depend on where a process stands.
fn sees(program: &Program, found: Finding, standing: (ProcId, [PointId; 2])) -> bool {
    let Finding::Property(id) = found else { return found == Finding::Deadlock };
    program.property(id).kind.exprs().into_iter().any(|e| tells(program, e, standing))
}
