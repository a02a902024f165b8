//! Reductions: states that need not be visited because what happens in them happens in others as well.
//!
//! # Stubborn sets
//!
//! Store buffers multiply interleavings, and most of them make no difference: a store is nobody's business
//! until it is committed, and a commit only that of who reads or writes the place. In each state a
//! *stubborn set* (Valmari, "Stubborn sets for reduced state space generation", 1991; the persistent sets
//! of Godefroid, 1996) is chosen, and only its actions are followed.
//!
//! Actions come in *groups*: the steps of one process where it is, and the commits of one process, of each
//! place by itself under PSO and with delayed writes. A rendezvous belongs to the steps of both sides. What
//! a process does while it holds the others is one action. A set T of groups is closed (`closure`) if
//! nothing that the other groups can do, now or later, has to do with it:
//!
//! - *Objects* (`objects`) are what actions can have in common: places, channels, processes that others
//!   look at. An action depends on one of another process if one writes an object that the other reads or
//!   writes. From each program point on, `tables` knows what may still be read, written at once, and stored. If
//!   T has steps of p, the steps of each q come in that may still read or write what they write, or write
//!   what they read. If q can write it by a store only, its steps need not come in if a store to the place
//!   waits already: then it is enough that its commits do, as nothing overtakes it.
//! - In a large program several places are one object. The commits of one process to different places do not depend on each
//!   other, so of those with one object, the first one is enough. Every one comes in where a rule keeps others from
//!   committing a store to the object: the rule does not know to which of its places.
//! - A store that waits in q's buffer for such a place brings in its commit, under TSO the one of the
//!   oldest store.
//! - A store into p's own buffer touches no place. It commutes with the commits of p unless there is no
//!   room for it, which brings in a commit of p; or, with delayed writes, it replaces one that waits, and
//!   brings in the commit of that. Whether it does is known place by place, not by objects only.
//! - A fence on a buffer that is not empty cannot be taken before p commits: one commit of p comes in, and
//!   for who waits for all buffers one commit of anybody. Stores are in the way of who waits for all
//!   buffers.
//! - A commit of x by p brings in who may still read x or write it, as above, but not p, which sees what it
//!   stored either way. p comes in if it may replace the store (delayed writes), if the buffer may get full
//!   (below), or if p can tell in another way than by waiting that the buffer is not empty: by a step that
//!   yields to a fence, or by a fence in an atomic section or a chain of transient states.
//! - Spawns and exits write the roster, a process that vanishes when it has finished reads it. A process
//!   that does not live waits for those who write it.
//! - A step into an atomic section makes everybody else wait: it depends on everything. Inside of one
//!   everything is followed. Others may enter one while T waits; that keeps T from moving and changes
//!   nothing else.
//!
//! So as long as only the other groups act, the steps in T stay as they are, possible or not, with the same
//! outcomes, and so do its commits; and whatever the others do they can also do after an action of T. One
//! action of T must lead to a state, otherwise everything is followed.
//!
//! # Why nothing is missed
//!
//! Let w be a way from s to a finding: a state with a property, a state in which nothing can happen, or an
//! action that goes wrong or is held by a bound. If an action of T is on w, the first of them can come
//! first of all, and the rest leads to the same end: a shorter way is left to be found from its outcome. If
//! none is, any action t of T can be put before w. Where t can be told by no question (it is *invisible*,
//! `taut_ir::visibility`), what was found after w is also found after t w: t takes no part in the last action, and could
//! be taken in any state in which nothing can happen, so there is none. Where t is visible, T holds
//! everything visible, because visible actions write one object in common: w has no visible action, and the
//! property was found in s.
//!
//! A *full buffer* is a finding too, since it decides what a verdict covers: p is held at a store. Only a
//! commit of p could come between, so as long as none was found, the commits of a buffer that can get full
//! bring in the steps of p that store to it; then p, if it is held at the end of w, is held in s. Once it
//! is known that buffers can be full this rule is dropped.
//!
//! What is left is *ignoring*: t w is no shorter than w. So a state that is followed in part must have an
//! outcome that is expanded later than itself (breadth first: on the next level; Bošnački, Leue and Lluch
//! Lafuente, 2006) or left earlier than itself (depth first: not on the stack; Holzmann, Godefroid and
//! Pirottin, 1992), or it is expanded in full. As there is a last state, no way is put off for ever. In a program
//! without loops, calls and spawns no run comes back to a state, and nothing has to be seen to. Runs
//! are shortest among those of the reduced graph, which need not be shortest of all. States with a set of one action are not
//! stored (`crate::expander::passing`).
//!
//! # Runs
//!
//! For a temporal property without `X` runs need be kept only up to repetitions of states (Peled, "All from
//! one, one for all", 1993): a set with a visible action is not used, and every cycle must have a state
//! that is expanded in full. Product nodes on a search stack are a treacherous means to that (Siegel,
//! "What's wrong with on-the-fly partial order reduction", 2019, shows that the argument for it has a
//! hole). Here the cycle is broken in the code instead (Kurshan, Levin, Minea, Peled and Yenigün, "Static
//! partial order reduction", 1998): every cycle has a process that comes back to a program point, so it takes a
//! step that closes a loop of its code; states in which such a step is in the set are expanded in full.
//! Which actions are followed then depends on the state of the machine alone, so that there is one reduced
//! machine, and its product with any automaton is right.
//!
//! With fairness nothing is reduced: putting t before w does not keep a run fair or unfair. Nor is anything
//! where a property asks what is enabled.

mod closure;
mod footprint;
mod objects;
pub mod simplify;
mod stubborn;
pub mod symmetry;
mod tables;
#[cfg(test)]
mod tests;
mod view;

use taut_fault::{Fault, is_on};
use taut_ir::{Expr, Finding, Footprint, MemoryModel, ProcId, Program, ProgramPoint, Visibility};
use taut_memory::MemorySystem;

use footprint::StepAnalysis;
use objects::Numbering;
pub use stubborn::StubbornSets;
use stubborn::Wanted;
use tables::Table;

use taut_machine::{Bound, Machine, Provenance, Scratch, Sink};

/// What stubborn sets of a program are computed from.
pub struct Reduction {
    numbering: Numbering,
    /// By process.
    tables: Vec<Table>,
    /// For runs: states in which a loop of the code may be closed, or something visible happen, are
    /// expanded in full.
    for_runs: bool,
    /// No process can come back to a program point, so no run comes back to a state.
    no_loops: bool,
}

impl Reduction {
    /// For a search that looks at expressions over states; `None` if the program is too large.
    pub fn new<'e, M: MemorySystem>(
        program: &Program,
        machine: &Machine<M>,
        model: MemoryModel,
        looks: impl IntoIterator<Item = &'e Expr>,
    ) -> Option<Reduction> {
        // Where a process may end inside of an atomic section, what the others wait at decides whether that is a
        // deadlock.
        let ends_inside = |point: &ProgramPoint| point.atomic && point.end;
        let mut points = program.defs.iter().flat_map(|def| &def.points);
        // With priorities every step depends on what all other processes could do.
        let depends = program.priorities.is_some();
        if depends || program.processes.len() > 64 || points.any(ends_inside) {
            return None;
        }
        let _phase = taut_budget::phase("the reduction is prepared");
        let looks: Vec<&Expr> = looks.into_iter().collect();
        let of_def = |def| Footprint::of_steps(program, def);
        let footprints: Vec<Vec<Footprint>> = program.defs.iter().map(of_def).collect();
        let numbering = Numbering::new(program, &footprints, machine.places(), &looks)?;
        let subject = StepAnalysis {
            program,
            footprints: &footprints,
            machine,
            model,
            numbering: &numbering,
            visibility: &Visibility::of(program, looks.iter().copied()),
        };
        let mut work = tables::Work::default();
        let tables = machine.processes().iter().map(|p| tables::table(&subject, p, &mut work));
        let Some(tables) = tables.collect::<Option<Vec<Table>>>() else {
            taut_budget::give_up("the program is too large for its states to be reduced");
            return None;
        };
        let no_loops = !tables.iter().any(Table::closes_loop);
        Some(Reduction { numbering, tables, for_runs: false, no_loops })
    }

    /// Whether an action may be put off for ever, unless the search sees to it that none is.
    pub(crate) fn needs_proviso(&self) -> bool {
        !self.no_loops && !is_on(Fault::LoopsAreNone)
    }

    /// The same for runs.
    pub fn for_runs(self) -> Reduction {
        Reduction { for_runs: true, ..self }
    }

    /// Follows a stubborn set of a state, if there is one that leaves something out; whether it did. If
    /// not, the state is to be expanded in full. With `keep_buffer_full`, it is still to be found out that a
    /// buffer can be full.
    pub fn expand<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        (state, keep_buffer_full): (&[u64], bool),
        (chooser, scratch): (&mut StubbornSets, &mut Scratch),
        sink: &mut impl Sink,
    ) -> bool {
        let mut counted = Counted { sink, successors: 0 };
        let wanted = (state, keep_buffer_full, Wanted::SMALLER);
        self.expand_chosen(machine, wanted, (chooser, scratch), &mut counted)
            && counted.successors > 0
    }

    /// Follows the one action of a stubborn set that no question can tell, if there is such a set; whether there is.
    pub(crate) fn expand_one<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        (state, keep_buffer_full): (&[u64], bool),
        space: (&mut StubbornSets, &mut Scratch),
        sink: &mut impl Sink,
    ) -> bool {
        self.expand_chosen(machine, (state, keep_buffer_full, Wanted::ONE), space, sink)
    }

    fn expand_chosen<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        (state, keep_buffer_full, wanted): (&[u64], bool, Wanted),
        (chooser, scratch): (&mut StubbornSets, &mut Scratch),
        sink: &mut impl Sink,
    ) -> bool {
        if machine.moves_alone(state).is_some() {
            return false;
        }
        let in_state = (state, keep_buffer_full);
        let Some((chosen, scene)) = chooser.choose(self, machine, in_state, wanted) else {
            return false;
        };
        let commits = |p: ProcId, place| {
            chosen.has_commit(scene, p.index(), (place, self.numbering.place(place)))
        };
        let steps = |p: ProcId| chosen.has_steps(p.index());
        machine.expand_some(state, (steps, commits), scratch, sink);
        true
    }
}

/// Counts the states that follow.
struct Counted<'s, S> {
    sink: &'s mut S,
    successors: u64,
}

impl<S: Sink> Sink for Counted<'_, S> {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        self.successors += 1;
        self.sink.successor(way, state);
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.sink.finding(way, finding);
    }

    fn blocked(&mut self, bound: Bound) {
        self.sink.blocked(bound);
    }

    fn passed(&mut self, actions: u64) {
        self.sink.passed(actions);
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        self.sink.go_on(bytes)
    }
}
