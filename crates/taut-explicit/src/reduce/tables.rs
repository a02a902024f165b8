//! What each process does at each of its program points and may still do from there on, computed once.
//!
//! The steps at a program point are looked at together with what follows while the process holds the others: to
//! everybody else that is one action.
//!
//! That takes time that grows with the square of the length of such actions, and of loops in an unfortunate order. So
//! the work is counted, and beyond [`MOST_WORK`] there is no table: nothing is reduced then.

use taut_ir::{Cfg, Control, Footprint, PointId, ProcessDef, Step, StepId};
use taut_memory::{CellId, MemorySystem};

use super::footprint::{ObjectFootprint, StepAnalysis};
use super::objects::{Objects, PROCESS_TABLE, VISIBLE};
use taut_machine::CompiledProcess;

/// Steps that are looked at for all tables before they are given up: a tenth of a second.
const MOST_WORK: u64 = 3_000_000;

/// The work that is left.
pub(super) struct Work(u64);

impl Default for Work {
    fn default() -> Work {
        Work(MOST_WORK)
    }
}

impl Work {
    /// Takes so many steps; none if there are no more left.
    fn take(&mut self, steps: usize) -> Option<()> {
        taut_budget::tick_many(steps);
        self.0 = self.0.checked_sub(steps as u64)?;
        Some(())
    }
}

/// What the steps at a program point do.
#[derive(Clone, Default)]
pub(super) struct Now {
    pub(super) touch: ObjectFootprint,
    /// Whether some step waits for the own buffer, or for all of them.
    pub(super) needs_own: bool,
    pub(super) needs_all: bool,
    /// Whether a step leads into an atomic section, where nobody else moves.
    pub(super) enters_atomic: bool,
    /// Whether a step closes a loop of the code, or may.
    pub(super) closes_loop: bool,
    /// Where stores may go by way of the buffer, and how many one action makes at most.
    pub(super) stored: Box<[CellId]>,
    pub(super) most_stores: u64,
}

/// What may still happen from a program point on, the steps at the program point included.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ahead {
    pub(super) touch: ObjectFootprint,
    /// Whether the process can tell by more than waiting that its own buffer, or any, is not empty.
    pub(super) tells_own: bool,
    pub(super) tells_all: bool,
}

/// The tables of one process; vectors are indexed by the bits of its program point.
pub(super) struct Table {
    pub(super) now: Vec<Now>,
    pub(super) ahead: Vec<Ahead>,
    /// What each of its commits touches besides its place.
    pub(super) commit: ObjectFootprint,
    /// The places of which a commit can be noticed by a question.
    pub(super) seen: Objects,
    /// The places whose buffers may be found full.
    pub(super) can_fill: Objects,
    stores_ahead: StoresAhead,
}

impl Table {
    /// Whether some step closes a loop of the code, or may.
    pub(super) fn closes_loop(&self) -> bool {
        self.now.iter().any(|now| now.closes_loop)
    }

    /// Whether the process may still store to a place by way of the buffer, from a program point on.
    pub(super) fn may_store(&self, at: usize, place: CellId) -> bool {
        self.stores_ahead.from(at, place)
    }
}

/// The places that a process may still store to, one by one. Objects tell it less precisely where they stand for several
/// places. It matters where a store replaces one that waits.
///
/// Program points are numbered so that what may come after one has the same number or a smaller one. For each place the
/// smallest number of a program point with a store to it is enough then: from a smaller one there is no way to a store.
/// In code with branches there may be none from a larger one, either. The answer errs on the side of yes.
#[derive(Default)]
struct StoresAhead {
    /// By the bits of the program point.
    number: Vec<usize>,
    /// By place.
    last: Vec<usize>,
}

impl StoresAhead {
    fn from(&self, at: usize, place: CellId) -> bool {
        // Without tables: yes.
        let known = self.number.get(at).zip(self.last.get(place.index()));
        known.is_none_or(|(number, last)| last <= number)
    }
}

/// The table of a process; none if it takes too much work.
pub(super) fn table<M: MemorySystem>(
    subject: &StepAnalysis<'_, M>,
    process: &CompiledProcess,
    work: &mut Work,
) -> Option<Table> {
    let code = Code::new(subject, process, work)?;
    let mut marks = Marks::new(code.def.points.len());
    let each = code.points().map(|at| code.now(at, &mut marks, work));
    let (now, tells): (Vec<_>, Vec<_>) = each.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let ahead = code.ahead(&now, &tells, work)?;
    let id = process.id;
    let retires = code.retires();
    let memory = subject.machine.memory();
    let may_fill = |&p: &CellId| memory.can_fill(id, p);
    Some(Table {
        now: code.by_bits(now, Now { touch: ABSENT, ..Now::default() }),
        ahead: code.by_bits(ahead.clone(), ahead[code.def.entry.index()]),
        commit: code.commit(),
        seen: subject.visible_commits(id, retires),
        can_fill: subject.numbering.places(subject.machine.places().ids().filter(may_fill)),
        stores_ahead: code.stores_ahead(),
    })
}

/// Program points that a walk has seen. A new walk needs no new list.
struct Marks {
    walk: u32,
    seen: Vec<u32>,
}

impl Marks {
    fn new(points: usize) -> Marks {
        Marks { walk: 0, seen: vec![0; points] }
    }

    fn begin(&mut self) {
        self.walk += 1;
    }

    /// Marks a program point; whether it was not seen in this walk.
    fn is_new(&mut self, point: PointId) -> bool {
        std::mem::replace(&mut self.seen[point.index()], self.walk) != self.walk
    }
}

/// A process that does not live waits to be spawned.
const ABSENT: ObjectFootprint = ObjectFootprint { reads: PROCESS_TABLE, writes: 0, stores: 0 };

/// Whether a process can tell by more than waiting that buffers are not empty: something else happens if they
/// are. A step that yields to one that waits is taken, or a chain of transient states ends where it would go on.
#[derive(Clone, Copy, Default)]
struct Tells {
    own: bool,
    all: bool,
}

/// Facts about a step by itself. An action may be a long chain of steps, and every program point on the way
/// begins one: so this is worked out once for each step.
struct Facts {
    touch: ObjectFootprint,
    waits: bool,
    /// Whether another step yields to this one.
    is_preferred: bool,
    closes_loop: bool,
    /// Where it may store by way of the buffer, and whether there may be no room.
    stored: Vec<CellId>,
    may_find_no_room: bool,
}

struct Code<'a, M> {
    subject: &'a StepAnalysis<'a, M>,
    process: &'a CompiledProcess,
    def: &'a ProcessDef,
    cfg: Cfg,
    /// By step.
    footprints: &'a [Footprint],
    facts: Vec<Facts>,
    most_stores: Vec<u64>,
}

impl<'a, M: MemorySystem> Code<'a, M> {
    fn new(
        subject: &'a StepAnalysis<'a, M>,
        process: &'a CompiledProcess,
        work: &mut Work,
    ) -> Option<Code<'a, M>> {
        let def = subject.program.def_of(process.id);
        let cfg = Cfg::of(def);
        let footprints = subject.footprints_of(process.id);
        let facts = facts(subject, process, &cfg, work)?;
        let most_stores = most_stores(def, &cfg, footprints, work)?;
        Some(Code { subject, process, def, cfg, footprints, facts, most_stores })
    }

    fn points(&self) -> impl Iterator<Item = PointId> + use<M> {
        (0..self.def.points.len()).map(PointId::from)
    }

    /// Whether the process is gone as soon as it has finished.
    fn retires(&self) -> bool {
        self.process.may_be_absent && self.subject.machine.retires()
    }

    fn by_bits<T: Clone>(&self, mut of: Vec<T>, absent: T) -> Vec<T> {
        if self.process.may_be_absent {
            of.insert(0, absent);
        }
        of
    }

    fn now(&self, at: PointId, marks: &mut Marks, work: &mut Work) -> Option<(Now, Tells)> {
        let (mut now, mut tells) = (Now::default(), Tells::default());
        let mut stored = Vec::new();
        let mut todo = vec![at];
        let mut passed = false;
        marks.begin();
        while let Some(here) = todo.pop() {
            work.take(self.cfg.leaving(here).len())?;
            for (id, step) in self.cfg.steps_from(self.def, here) {
                let facts = &self.facts[id.index()];
                self.add(at, id, &mut now);
                stored.extend(&facts.stored);
                if passed || facts.is_preferred {
                    tells.own |= facts.waits;
                    tells.all |= self.footprints[id.index()].waits_all;
                }
                tells.own |= passed && facts.may_find_no_room;
                for next in self.cfg.targets(id).iter().filter(|_| step.holds) {
                    if marks.is_new(*next) {
                        todo.push(*next);
                    }
                }
            }
            passed = true;
        }
        stored.sort();
        stored.dedup();
        now.stored = stored.into();
        now.most_stores = self.most_stores[at.index()];
        Some((now, tells))
    }

    /// What a commit touches besides its place. The last one makes a process that has finished vanish, and
    /// makes sends and receives possible that wait for empty buffers, which others can tell.
    fn commit(&self) -> ObjectFootprint {
        let id = self.process.id;
        let mut touch = ObjectFootprint::default();
        if self.retires() {
            touch = ObjectFootprint {
                reads: PROCESS_TABLE,
                writes: self.subject.belongings(id),
                stores: 0,
            };
        }
        let own = self.footprints.iter().zip(&self.facts).filter(|(_, facts)| facts.waits);
        let all = self.subject.footprints.iter().flatten().filter(|step| step.waits_all);
        for step in own.map(|(step, _)| step).chain(all) {
            touch.writes |= self.subject.numbering.channels(&step.channels_used);
        }
        touch
    }

    /// Empty where objects say the same, and for a process that may begin anew.
    fn stores_ahead(&self) -> StoresAhead {
        if !M::OVERWRITES || self.subject.numbering.several == 0 || self.process.may_be_absent {
            return StoresAhead::default();
        }
        let number = self.cfg.components();
        let mut last = vec![usize::MAX; self.subject.machine.places().len()];
        for (step, facts) in self.def.steps.iter().zip(&self.facts) {
            for place in &facts.stored {
                let last = &mut last[place.index()];
                *last = number[step.source.index()].min(*last);
            }
        }
        StoresAhead { number, last }
    }

    /// Adds a step that may be part of an action that begins at a program point.
    fn add(&self, from: PointId, step: StepId, now: &mut Now) {
        let (id, facts) = (self.process.id, &self.facts[step.index()]);
        now.touch.join(facts.touch);
        now.needs_own |= facts.waits;
        now.needs_all |= self.footprints[step.index()].waits_all;
        now.closes_loop |= facts.closes_loop;
        for &target in self.cfg.targets(step) {
            now.enters_atomic |= self.def.points[target.index()].atomic;
            if self.subject.visibility.notices_move(id, from, target) {
                now.touch.writes |= VISIBLE;
            }
            if self.retires() && self.is_final(target) {
                now.touch.reads |= PROCESS_TABLE;
                now.touch.writes |= self.subject.belongings(id);
                if self.subject.visibility.notices_end(self.subject.program, id) {
                    now.touch.writes |= VISIBLE;
                }
            }
        }
    }

    fn is_final(&self, point: PointId) -> bool {
        self.def.points[point.index()].end && self.cfg.is_last(point)
    }

    fn ahead(&self, now: &[Now], tells: &[Tells], work: &mut Work) -> Option<Vec<Ahead>> {
        let own = now.iter().zip(tells).map(|(now, tells)| Ahead {
            touch: now.touch,
            tells_own: now.enters_atomic || tells.own,
            tells_all: now.enters_atomic || tells.all,
        });
        let own: Vec<Ahead> = own.collect();
        work.take(self.def.steps.len())?;
        let mut ahead = self.cfg.ahead(&own, |all, more| all.join(*more));
        let entry = self.def.entry.index();
        if self.process.may_be_absent {
            // It may be spawned, or once more.
            let anew = Ahead { touch: ABSENT, ..ahead[entry] };
            let first = ahead[entry];
            ahead.iter_mut().for_each(|a| {
                a.join(first);
                a.join(anew);
            });
        }
        Some(ahead)
    }
}

impl Ahead {
    fn join(&mut self, other: Ahead) {
        self.touch.join(other.touch);
        self.tells_own |= other.tells_own;
        self.tells_all |= other.tells_all;
    }
}

fn facts<M: MemorySystem>(
    subject: &StepAnalysis<'_, M>,
    process: &CompiledProcess,
    cfg: &Cfg,
    work: &mut Work,
) -> Option<Vec<Facts>> {
    let (id, def) = (process.id, subject.program.def_of(process.id));
    let memory = subject.machine.memory();
    let back = cfg.back_edges(|_| true);
    let fact = |((number, step), footprint): ((usize, &Step), &Footprint)| {
        let stored: Vec<CellId> = subject.buffered(id, footprint).collect();
        // A return may lead to as many program points as there are calls, a store to all elements of an array.
        work.take(1 + cfg.targets(StepId::from(number)).len() + stored.len())?;
        Some(Facts {
            touch: subject.step(id, footprint),
            waits: subject.model.needs_drained(step),
            is_preferred: false,
            // Loops may lead through other code.
            closes_loop: back[number]
                || !matches!(step.target, Control::Goto(_))
                || !footprint.spawns.is_empty(),
            may_find_no_room: stored.iter().any(|&place| memory.can_fill(id, place)),
            stored,
        })
    };
    let steps = def.steps.iter().enumerate().zip(subject.footprints_of(id));
    let mut facts: Vec<Facts> = steps.map(fact).collect::<Option<_>>()?;
    for preferred in def.steps.iter().flat_map(|step| &step.yields_to) {
        facts[preferred.index()].is_preferred = true;
    }
    Some(facts)
}

/// How many stores one action that begins at each program point makes at most. A way round a loop without a
/// state in between may store without end.
fn most_stores(
    def: &ProcessDef,
    cfg: &Cfg,
    footprints: &[Footprint],
    work: &mut Work,
) -> Option<Vec<u64>> {
    let mut most = vec![0_u64; def.points.len()];
    let mut rounds = 0..2 * most.len();
    let mut changes = true;
    while std::mem::take(&mut changes) {
        work.take(def.steps.len())?;
        // Without a loop that stores, longest ways are known after as many rounds as there are program points.
        let settled = rounds.next().is_some_and(|round| round < most.len());
        for (number, step) in def.steps.iter().enumerate().rev() {
            let next = cfg.targets(StepId::from(number)).iter().filter(|_| step.holds);
            let beyond = next.map(|to| most[to.index()]).max().unwrap_or(0);
            let all = beyond.saturating_add(footprints[number].stores.len() as u64);
            let known = &mut most[step.source.index()];
            if all > *known {
                *known = if settled { all } else { u64::MAX };
                changes = true;
            }
        }
    }
    Some(most)
}
