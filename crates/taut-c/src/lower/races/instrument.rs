//! Knowledge: what each step of the flat program tells and learns.
//!
//! What a thread knows is in registers of its own, so that local steps stay local. What values carry is a bit per cell
//! ([`Value::Carries`]). *Invariant:* as long as nothing is marked, all of them are 0.

use taut_ir::{BinaryOp, Type};
use taut_source::Span;

use crate::lower::access::Access;
use crate::lower::mir::{
    Base, Chain, Edge, Mir, ObjectId, Op, Place, Reg, Register, Thread, Value, Watch, Watchpoint,
};

/// The register that says whether a thread comes after the marked access: the last parameter of a thread.
pub(crate) const KNOWS: &str = "'knows";
/// The name of the property.
pub(crate) const RACE: &str = "race";

/// Makes the program that looks for races of a flat program.
pub(crate) fn instrument(mir: &mut Mir) {
    let _phase = taut_budget::phase("accesses are watched");
    let states = mir.states;
    for thread in &mut mir.threads {
        Instrument::new(thread, states).run(thread);
    }
    mir.asserts = vec![(RACE.to_owned(), Span::NONE)];
    mir.watched = true;
}

/// One thread function.
struct Instrument {
    states: Option<ObjectId>,
    knows: Reg,
    /// What the thread will know after its next acquire fence; none if it has no such fence.
    pending: Option<Reg>,
    /// What the thread knew at its last release fence; none if it has no such fence.
    released: Option<Reg>,
}

impl Instrument {
    fn new(thread: &mut Thread, states: Option<ObjectId>) -> Instrument {
        let knows = thread.regs.iter().position(|register| register.name == KNOWS);
        debug_assert!(knows.is_some(), "a thread without its register");
        let fences = |meant: fn(bool, bool) -> bool| {
            let mut ops = thread.edges.iter().flat_map(|edge| &edge.ops);
            ops.any(|op| match op {
                Op::Watch(Watch::Fence { acquire, release }) => meant(*acquire, *release),
                _ => false,
            })
        };
        let (acquires, releases) = (fences(|acquire, _| acquire), fences(|_, release| release));
        let pending = acquires.then(|| register(thread, "'pending"));
        let released = releases.then(|| register(thread, "'released"));
        Instrument { states, knows: Reg(knows.unwrap_or(0) as u32), pending, released }
    }

    fn run(&self, thread: &mut Thread) {
        for edge in &mut thread.edges {
            taut_budget::tick();
            let mut watches = self.accesses(edge);
            let mut ops = Vec::new();
            for op in edge.ops.drain(..) {
                match op {
                    // Of assertions and of buffers this program says nothing.
                    Op::Violate(_) | Op::StoreFence => {}
                    Op::Watch(Watch::Fence { acquire, release }) => {
                        watches.extend(self.fence(acquire, release));
                    }
                    Op::Watch(Watch::Acquire(place)) => watches.push(self.learn(place)),
                    Op::Watch(Watch::Release(place)) => watches.push(self.tell(place)),
                    Op::Joined(number) => {
                        watches.extend(self.state(number.clone()).map(|place| self.learn(place)));
                        ops.push(Op::Joined(number));
                    }
                    Op::Free(pointer) => {
                        watches.push(Watch::Free(self.knowledge()));
                        ops.push(Op::Free(pointer));
                    }
                    Op::End(number) => {
                        let told = |place| Watch::Carry(place, self.knowledge(), Chain::Own);
                        watches.extend(self.state(number.clone()).map(told));
                        ops.push(Op::End(number));
                    }
                    Op::Spawn(thread, how, reg, mut args) => {
                        args.push(self.knowledge());
                        ops.push(Op::Spawn(thread, how, reg, args));
                    }
                    op => ops.push(op),
                }
            }
            // What is watched comes first: places are those from before the step.
            edge.ops = watches.into_iter().map(Op::Watch).chain(ops).collect();
        }
    }

    /// What the accesses of a step tell and learn.
    fn accesses(&self, edge: &Edge) -> Vec<Watch> {
        let mut watches = Vec::new();
        let loads = loads(edge);
        let stores: Vec<&Place> = edge.ops.iter().filter_map(stored).collect();
        for place in &loads {
            let updates = !place.access.is_plain() && stores.contains(&place);
            self.load(place, updates, &mut watches);
        }
        for place in stores {
            let updates = !place.access.is_plain() && loads.contains(place);
            self.store(place, updates, &mut watches);
        }
        watches
    }

    fn load(&self, place: &Place, updates: bool, watches: &mut Vec<Watch>) {
        if !place.access.silent {
            watches.push(self.watchpoint(place, updates));
        }
        if place.access.is_plain() {
            return;
        }
        let holder = if place.access.acquire { Some(self.knows) } else { self.pending };
        if let Some(holder) = holder {
            let learnt = or(Value::Reg(holder), Value::Carries(Box::new(place.clone())));
            watches.push(Watch::Learn(holder, learnt));
        }
    }

    fn store(&self, place: &Place, updates: bool, watches: &mut Vec<Watch>) {
        let Access { silent, release, .. } = place.access;
        if silent && place.access.is_plain() {
            return;
        }
        if !silent && !updates {
            watches.push(self.watchpoint(place, true));
        }
        let fenced = self.released.map_or(Value::Int(0), Value::Reg);
        let (told, chain) = match (place.access.is_plain(), updates, release) {
            (true, ..) => (Value::Int(0), Chain::Ended),
            (_, true, true) => (self.knowledge(), Chain::Joined),
            (_, true, false) => (fenced, Chain::Joined),
            (_, false, true) => (self.knowledge(), Chain::Own),
            // A release sequence goes on through stores of its own thread.
            (_, false, false) => (or(Value::Heads(Box::new(place.clone())), fenced), Chain::Own),
        };
        watches.push(Watch::Carry(place.clone(), told, chain));
    }

    fn watchpoint(&self, place: &Place, write: bool) -> Watch {
        let (place, knowledge) = (place.clone(), self.knowledge());
        Watch::Access(Watchpoint { place, write, knows: self.knows, knowledge })
    }

    fn fence(&self, acquire: bool, release: bool) -> Vec<Watch> {
        let mut watches = Vec::new();
        if let Some(pending) = self.pending.filter(|_| acquire) {
            watches.push(Watch::Learn(self.knows, or(self.knowledge(), Value::Reg(pending))));
        }
        if let Some(released) = self.released.filter(|_| release) {
            watches.push(Watch::Learn(released, self.knowledge()));
        }
        watches
    }

    fn learn(&self, place: Place) -> Watch {
        Watch::Learn(self.knows, or(self.knowledge(), Value::Carries(Box::new(place))))
    }

    fn tell(&self, place: Place) -> Watch {
        Watch::Carry(place, self.knowledge(), Chain::Joined)
    }

    fn knowledge(&self) -> Value {
        Value::Reg(self.knows)
    }

    /// Where a thread tells what it knows at its end.
    fn state(&self, number: Value) -> Option<Place> {
        let base = Base::Object(self.states?);
        Some(Place { base, offset: number, pointer: false, access: Access::SILENT })
    }
}

fn or(a: Value, b: Value) -> Value {
    match (&a, &b) {
        (_, Value::Int(0)) => a,
        (Value::Int(0), _) => b,
        _ => Value::Binary(BinaryOp::Or, Box::new(a), Box::new(b)),
    }
}

/// A new register for a bit.
fn register(thread: &mut Thread, name: &str) -> Reg {
    let id = Reg(thread.regs.len() as u32);
    let (name, span) = (name.to_owned(), thread.span);
    let ty = Type::BOOL;
    thread.regs.push(Register { name, ty, len: None, pointer: false, origin: None, span });
    id
}

/// The places that a step loads from, each once.
fn loads(edge: &Edge) -> Vec<Place> {
    let mut all: Vec<Place> = Vec::new();
    let mut note = |value: &Value| {
        value.visit(&mut |v| {
            if let Value::Load(place) = v
                && !all.contains(place)
            {
                all.push((**place).clone());
            }
        });
    };
    note(&edge.guard);
    edge.ops.iter().flat_map(Op::values).for_each(&mut note);
    all
}

fn stored(op: &Op) -> Option<&Place> {
    match op {
        Op::Store(place, ..) => Some(place),
        _ => None,
    }
}
