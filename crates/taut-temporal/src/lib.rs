//! Temporal search: a run, fair or not, that violates a temporal property, or the proof that there is none.
//!
//! The runs that violate the property are those of an automaton (`violation`); the product of the machine
//! and the automaton (`product`) is searched for a cycle with every acceptance mark, fairness included
//! (`fairness`), by components (`scc`) or by nested search (`nested`); and what was found is made short
//! (`lasso`, `near`). Buffers that make no difference are left out first (`private`), and come back into the run that was
//! found (`restore`). So is what the property cannot tell ([`taut_explicit::reduce::simplify`]); the cycle then goes round
//! until it closes (`close`).
//!
//! Nodes are stored whole and exactly, so an answer "none" covers every run within the bounds, and a cycle is
//! a real one. The run is handed over as actions only; the replayer judges it by the formula itself.

mod close_cycle;
mod fairness;
mod full_product;
mod keep;
mod lasso;
mod method;
mod nested;
mod parallel;
mod private;
mod product;
mod product_dfs;
mod restore;
mod scc;
mod short_lasso;
mod violation;

use taut_ir::{
    Fairness, FullBuffer, Memory, MemoryFairness, MemoryModel, ProcId, Program, PropId, VarId,
};
use taut_ltl::TooLarge;
use taut_memory::MemorySystem;

use close_cycle::closed;
use fairness::Conditions;
pub use full_product::{ProductSize, product_size};
use keep::{Kept, Searched};
use lasso::Paths;
use parallel::Standstill;
use product::{Acceptance, Product};
use product_dfs::{Ended, Terms, Walk};
pub use restore::FoundLasso;
use restore::Transitions;
use scc::Components;
use short_lasso::{Horizon, Near};
use taut_explicit::limits::{LimitMonitor, Limits};
use taut_explicit::reduce::Reduction;
use taut_explicit::reduce::simplify::{Question, Rules, simplify};
use taut_explicit::settings::Reduce;
use taut_explicit::store::StateId;
use taut_explicit::{Completion, Stats};
use taut_machine::{BoundsMet, Machine, MachineVisitor, compile};
use violation::Violation;

/// How many accepting cycles near the initial state are looked at.
const MOST_COMPONENTS: usize = 32;

/// How many nodes one thread visits before others help: fewer are done with sooner than threads have started.
pub const PARALLEL_FROM_NODES: usize = 20_000;

/// A search that is limited to so many times the nodes that one thread visits alone is made by that thread.
const FEW: u64 = 5;

/// How accepting cycles are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emptiness {
    /// By strongly connected components.
    #[default]
    Components,
    /// By nested depth-first search, which holds less beside the states.
    Nested,
}

/// What to look for and how far to go.
#[derive(Clone, Debug)]
pub struct TemporalOptions {
    /// Which runs count.
    pub fairness: Fairness,
    /// How to look for cycles.
    pub emptiness: Emptiness,
    /// Which states may be left out.
    pub reduce: Reduce,
    /// How many threads search; at least one.
    pub threads: usize,
    /// How many nodes one thread visits before the others help; [`PARALLEL_FROM_NODES`] but in tests.
    pub alone: usize,
    /// End as soon as a spawn finds no process to start ([`Completion::NoProcess`]).
    pub spawn_all: bool,
    /// How far to go.
    pub limits: Limits,
}

/// The result of a search for a run.
#[derive(Clone, Debug)]
pub struct TemporalSearch {
    /// A run that violates the property, if there is one.
    pub found: Option<FoundLasso>,
    /// How the search ended.
    pub completion: Completion,
    /// Which bounds held back a step somewhere.
    pub bounds_met: BoundsMet,
    /// Counts; of the product, as far as it was searched.
    pub stats: Stats,
    /// The variables whose buffers were left out.
    pub private: Vec<VarId>,
    /// Whether some buffers could have been left out but for a property that can count steps.
    pub counts_steps: bool,
}

/// Looks for a run of a valid program that violates one of its temporal properties.
///
/// With `memory.bound` `None` the search starts again with larger buffers whenever they were too small. An
/// error says that the property's automaton is too large to be built.
pub fn find_accepting_lasso(
    program: &Program,
    memory: Memory,
    property: PropId,
    options: &TemporalOptions,
) -> Result<TemporalSearch, TooLarge> {
    let kind = &program.property(property).kind;
    let violation = Violation::of(kind)?;
    let watch = LimitMonitor::new(options.limits.clone());
    let counts_steps = !violation.is_stutter_invariant();
    // With priorities, a process at a fence stops others once its buffer is empty: no buffer is private.
    let reduces = options.reduce.all() && program.priorities.is_none();
    let mut private = match reduces {
        true => private::private(program, memory.model, kind, options.fairness),
        false => Vec::new(),
    };
    let keeps_private = counts_steps && !private.is_empty();
    if keeps_private {
        private.clear();
    }
    let question = Question::of_runs(program, property, counts_steps, options.fairness);
    let less = Rules { unread: false, ..Rules::ALL };
    let ways = [(Rules::ALL, private.as_slice()), (less, &[]), (Rules::NONE, &[])];
    let ways = if reduces { &ways[..] } else { &ways[2..] };
    let searched = ways.iter().find_map(|&(rules, private)| {
        let simple = simplify(program, memory.model, &question, rules).program;
        let reduced = private::unbuffered(&simple, private);
        let (violation, watch) = (&violation, &watch);
        let job = Job { program: &reduced, violation, options, watch, whole: false };
        let search = job.run(memory);
        // If what was left out does not go back into the run, less is left out.
        let found = match search.found {
            None => None,
            Some(run) if rules == Rules::NONE => Some(run.plain()),
            Some(run) => {
                let sized = memory.bounded(Some(search.stats.buffer_size));
                let run = recovered((program, &simple), sized, run, private)?;
                Some(shortened(Job { program, ..job }, sized, run))
            }
        };
        let private = private.iter().map(|(var, _)| *var).collect();
        let Search { completion, bounds_met, stats, .. } = search;
        let counts_steps = keeps_private;
        Some(TemporalSearch { found, completion, bounds_met, stats, private, counts_steps })
    });
    Ok(searched.expect("a search that leaves nothing out has a result"))
}

/// A run of a simplified program without the buffers of private variables, as one of the given program.
fn recovered(
    (given, simple): (&Program, &Program),
    memory: Memory,
    run: Transitions,
    private: &[(VarId, ProcId)],
) -> Option<FoundLasso> {
    let run = match private {
        [] => run.plain(),
        _ => restored(simple, memory, run, private)?,
    };
    closed(given, memory, run)
}

/// Nodes that are visited for a shorter run, at most.
const SHORT_LASSO_LIMIT: u64 = 20_000;

/// A shorter run, if one is found soon with nothing left out: what is left out may be part of every short one.
fn shortened(job: Job<'_>, memory: Memory, run: FoundLasso) -> FoundLasso {
    let limits = job.watch.limits();
    let options = TemporalOptions {
        reduce: Reduce::None,
        threads: 1,
        limits: Limits {
            states: Some(
                limits.states.map_or(SHORT_LASSO_LIMIT, |most| most.min(SHORT_LASSO_LIMIT)),
            ),
            time: limits.time.map(|time| time.saturating_sub(job.watch.elapsed())),
            progress: None,
            ..limits.clone()
        },
        ..job.options.clone()
    };
    let watch = LimitMonitor::new(options.limits.clone());
    let search = Job { options: &options, watch: &watch, ..job }.run(memory);
    let near = search.found.map(Transitions::plain);
    near.filter(|near| near.actions.len() < run.actions.len()).unwrap_or(run)
}

/// A run of the program without the buffers of private variables, as one of the program.
fn restored(
    program: &Program,
    memory: Memory,
    run: Transitions,
    private: &[(VarId, ProcId)],
) -> Option<FoundLasso> {
    let memory = memory.bounded(Some(memory.bound.unwrap_or(Memory::DEFAULT_BOUND)));
    compile(program, memory, &[], 1).visit(Restore { run, private })
}

/// A run to restore, once the memory system is known.
struct Restore<'a> {
    run: Transitions,
    private: &'a [(VarId, ProcId)],
}

impl MachineVisitor for Restore<'_> {
    type Out = Option<FoundLasso>;

    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Option<FoundLasso> {
        self.run.restored(machine, self.private)
    }
}

/// What a search found.
struct Search {
    found: Option<Transitions>,
    completion: Completion,
    bounds_met: BoundsMet,
    stats: Stats,
}

/// One question about runs.
#[derive(Clone, Copy)]
struct Job<'a> {
    program: &'a Program,
    violation: &'a Violation,
    options: &'a TemporalOptions,
    watch: &'a LimitMonitor,
    /// Go through the whole product and look for nothing.
    whole: bool,
}

/// A question about runs with buffers of a size, once the memory system is known.
struct SizedJob<'a> {
    job: Job<'a>,
    memory: Memory,
    acceptance: Acceptance,
    must_fit: bool,
}

impl MachineVisitor for SizedJob<'_> {
    type Out = Option<Search>;

    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Option<Search> {
        self.job.with(machine, self.memory, self.acceptance, self.must_fit)
    }
}

impl Job<'_> {
    fn run(self, memory: Memory) -> Search {
        match memory.bound {
            None => self.unbounded(memory),
            Some(_) => self.sized(memory, false).expect("a bounded search ends"),
        }
    }

    fn unbounded(self, memory: Memory) -> Search {
        let memory = Memory { full_buffer: FullBuffer::Wait, ..memory };
        let mut size = Memory::DEFAULT_BOUND;
        loop {
            if let Some(search) = self.sized(memory.bounded(Some(size)), true) {
                return search;
            }
            size *= 2;
        }
    }

    /// Searches with buffers of a size; `None` if that was not enough and must be.
    fn sized(self, memory: Memory, must_fit: bool) -> Option<Search> {
        let acceptance = match self.options.emptiness {
            Emptiness::Components => Acceptance::Generalised,
            Emptiness::Nested => Acceptance::Levels,
        };
        let states = self.violation.automaton.states.len().max(1) as u64;
        let levels = match acceptance {
            Acceptance::Generalised => 1,
            Acceptance::Levels => self.most_sets() + 1,
        };
        let search = SizedJob { job: self, memory, acceptance, must_fit };
        compile(self.program, memory, &self.violation.atoms, states * levels).visit(search)
    }

    /// No fewer acceptance sets than there will be.
    fn most_sets(self) -> u64 {
        let processes = self.program.processes.len() as u64;
        let places: u64 = self.program.vars.iter().map(|v| u64::from(v.size())).sum();
        let memory = match self.options.fairness.memory {
            MemoryFairness::None => 0,
            MemoryFairness::Process => 1 + processes,
            MemoryFairness::Buffers => processes * places.max(1),
        };
        u64::from(self.violation.automaton.sets) + processes + memory
    }

    fn with<M: MemorySystem + Sync>(
        self,
        machine: &Machine<M>,
        memory: Memory,
        acceptance: Acceptance,
        must_fit: bool,
    ) -> Option<Search> {
        let TemporalOptions { spawn_all, alone, .. } = *self.options;
        let terms = Terms { watch: self.watch, spawn_all, must_fit, alone, keeper: None };
        let reduction = self.reduction(machine, memory.model);
        let search = |ends_early| {
            let sets = self.violation.automaton.sets;
            let conditions = Conditions::new(machine, memory.model, self.options.fairness, sets);
            let violation = self.violation;
            let reduction = reduction.as_ref();
            let product =
                Product { machine, violation, conditions, acceptance, ends_early, reduction };
            self.search(&product, terms, memory)
        };
        // Where the short cut was taken and the replayer would not see why, it is not taken.
        let search = search(!self.whole).or_else(|| search(false))?;
        (!must_fit || !search.bounds_met.buffer).then_some(search)
    }

    /// What to compute stubborn sets from, if that is sound for the property and the fairness.
    fn reduction<M: MemorySystem>(
        self,
        machine: &Machine<M>,
        model: MemoryModel,
    ) -> Option<Reduction> {
        let is_sound = self.options.reduce.por()
            && !self.whole
            && self.options.fairness == Fairness::NONE
            && self.violation.is_stutter_invariant()
            && !machine.watches_enabled();
        let atoms = self.violation.atoms.iter();
        is_sound
            .then(|| Reduction::new(self.program, machine, model, atoms))?
            .map(Reduction::for_runs)
    }

    /// Searches a product, from the start or from a cut.
    fn search_kept<M: MemorySystem + Sync>(
        self,
        product: &Product<'_, M>,
        terms: Terms<'_>,
        memory: Memory,
    ) -> Searched {
        let mut walk = Walk::new(product, terms);
        let (ended, found) = match (Kept::find(product, terms), product.acceptance) {
            _ if self.whole => (full_product::go_through(&mut walk), None),
            (Some(Kept::NoRoom(extent, limit)), _) => {
                return self.no_room(&walk, memory, (extent, limit));
            }
            (Some(Kept::Components(kept, dive)), _) => {
                walk = kept;
                self.components(&mut walk, dive)
            }
            (Some(Kept::Shared(kept)), _) => self.shared(&mut walk, kept),
            (None, Acceptance::Generalised) => self.components(&mut walk, scc::Dive::default()),
            (kept, _) => {
                let mut dive = nested::Dive::default();
                if let Some(Kept::Nested(kept, kept_dive)) = kept {
                    (walk, dive) = (kept, kept_dive);
                }
                let (ended, cycle) = nested::search(&mut walk, dive);
                let is_member = |node| cycle.binary_search(&node).is_ok();
                (ended, self.lasso_if(ended == Ended::Cycle, &walk, &is_member))
            }
        };
        let (nodes, is_raced) = (walk.store.len() as u64 + walk.elsewhere, walk.raced);
        let found = match ended {
            Ended::BadPrefix(node) => match self.prefix(&walk, node) {
                Some(run) => Some(run),
                None => return Searched { search: None, nodes, is_raced },
            },
            _ => found,
        };
        let completion = match ended {
            Ended::Empty => Completion::Complete,
            Ended::Cycle | Ended::BadPrefix(_) => Completion::FirstFinding,
            Ended::Early(completion) => completion,
        };
        let stats = self.stats(&walk, memory);
        let search = Search { found, completion, bounds_met: walk.bounds_met(), stats };
        Searched { search: Some(search), nodes, is_raced }
    }

    /// Looks for an accepting component: alone at first, and with all threads if there is much to visit.
    ///
    /// The result is the one of a single thread. If several threads find no run, there is none, and their counts do not
    /// depend on an order. If they end in another way, the nodes they have visited do depend on it, and one thread
    /// makes the search again. So a violation of a large product takes the time of one thread and that of the shared
    /// search, which is shorter; proofs, for which all nodes are visited, are shared. If there is no time left for
    /// the repetition, the run of the shared search is the result.
    fn components<M: MemorySystem + Sync>(
        self,
        walk: &mut Walk<'_, M>,
        dive: scc::Dive,
    ) -> (Ended, Option<Transitions>) {
        // A search that one thread has begun is ended by one thread.
        let has_begun = dive.is_again || walk.store.len() >= self.options.alone;
        let most = if self.threads() > 1 && !has_begun { self.options.alone } else { usize::MAX };
        let (ended, components) = scc::search(walk, most, dive);
        if let Some(ended) = ended {
            return (ended, self.lasso_in_last(ended, walk, &components));
        }
        self.shared(walk, Standstill::new(walk.product, walk.depth))
    }

    /// Looks for an accepting component with all threads, and once more with one if there is anything.
    fn shared<M: MemorySystem + Sync>(
        self,
        walk: &mut Walk<'_, M>,
        standstill: Standstill,
    ) -> (Ended, Option<Transitions>) {
        let (product, terms) = (walk.product, walk.terms);
        let searched = parallel::search(product, terms, self.threads(), standstill);
        let (mut shared, ended, members) = searched;
        let is_member = |node: StateId| members.contains(node.0 as usize);
        if ended != Ended::Empty && !ended.is_cut() {
            // The nodes of the shared search stay: there may be no time for another one.
            *walk = Walk::new(product, terms);
            walk.beside = shared.store.bytes();
            let dive = scc::Dive::again();
            let (again, components) = scc::search(walk, usize::MAX, dive);
            if let Some(again) = again.filter(|again| !again.is_cut()) {
                return (again, self.lasso_in_last(again, walk, &components));
            }
            shared.raced = true;
        }
        *walk = shared;
        (ended, self.lasso_if(ended == Ended::Cycle, walk, &is_member))
    }

    /// The number of threads. A search of few nodes at most is made by one: it would have to be repeated if the limit
    /// on nodes ended it.
    fn threads(self) -> usize {
        let is_short = self.watch.most_states_within(FEW * self.options.alone as u64);
        if is_short { 1 } else { self.options.threads }
    }

    fn lasso_in_last<M: MemorySystem>(
        self,
        ended: Ended,
        walk: &Walk<'_, M>,
        components: &Components,
    ) -> Option<Transitions> {
        let is_member = |node| components.is_in_last(node);
        self.lasso_if(ended == Ended::Cycle, walk, &is_member)
    }

    fn lasso_if<M: MemorySystem>(
        self,
        wanted: bool,
        walk: &Walk<'_, M>,
        is_member: &dyn Fn(StateId) -> bool,
    ) -> Option<Transitions> {
        if !wanted {
            return None;
        }
        let mut nodes = (0..walk.store.len() as u32).rev().map(StateId);
        let some = nodes.find(|&node| is_member(node))?;
        let found = Paths::new(walk.product, &walk.store, self.watch).lasso(is_member, some)?;
        let horizon = Horizon::after(walk.store.len(), found.all.len());
        let near = self.near(walk.product, horizon).filter(|near| near.len() < found.len());
        Some(near.unwrap_or(found))
    }

    /// The shortest of the runs round accepting cycles near the initial state.
    fn near<M: MemorySystem>(
        self,
        product: &Product<'_, M>,
        horizon: Horizon,
    ) -> Option<Transitions> {
        let near = Near::of(product, self.watch, horizon)?;
        let runs = near.accepting().filter_map(|component| {
            let is_member = |node| near.is_in(node, component);
            let some = (0..near.store.len() as u32).map(StateId).find(|&node| is_member(node))?;
            Paths::new(product, &near.store, self.watch).lasso(&is_member, some)
        });
        runs.take(MOST_COMPONENTS).min_by_key(Transitions::len)
    }

    /// The run that is wrong whatever follows, if the replayer can see it.
    fn prefix<M: MemorySystem>(self, walk: &Walk<'_, M>, node: StateId) -> Option<Transitions> {
        let mut paths = Paths::new(walk.product, &walk.store, self.watch);
        let (run, nodes) = paths.prefix(node);
        let valuations = paths.valuations(&nodes);
        (run.cycle.is_some() || self.violation.is_plain(valuations)).then_some(run)
    }

    fn stats<M: MemorySystem>(self, walk: &Walk<'_, M>, memory: Memory) -> Stats {
        let states = walk.store.len() as u64 + walk.elsewhere;
        Stats {
            states,
            transitions: walk.followed + walk.room.passed,
            matched: (walk.followed + 1).saturating_sub(states),
            depth: walk.depth,
            time: self.watch.elapsed(),
            peak_bytes: walk.peak_bytes.max(walk.store.bytes() + walk.moves.bytes()),
            state_bits: walk.product.machine.state_bits() as u64,
            buffer_size: memory.bound.unwrap_or(0),
            ..Stats::default()
        }
    }
}
