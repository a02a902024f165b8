//! States and transitions of a process, as SPIN's verifier has them.
//!
//! An element of the [`Flow`] that can be waited at is a state. A statement leads to the first element after
//! it that is no jump; but a jump that leaves an atomic sequence is a step of its own (SPIN's `huntele`).
//! Choices are opened until only statements are left, and the escapes of `unless` come before what they escape
//! from (SPIN's `retrans`). The order of the transitions of a state matters: `else` yields to all before it,
//! and a transition yields to those of other escapes before it.

use taut_source::Span;

use super::flow::{ElId, Element, Flow, Jump, Kind, SeqId};

/// A transition of a state.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    /// The element whose statement it is: basic, a jump, the end, or a whole `d_step`.
    pub(super) element: ElId,
    /// The state it leads to; none at the end of the process.
    pub(super) target: Option<ElId>,
    /// The process holds the others after it.
    pub(super) holds: bool,
    /// The escape it belongs to, by its state; none for what is escaped from.
    pub(super) escape: Option<ElId>,
    /// The states where its escapes begin, outermost first.
    escapes: Vec<ElId>,
}

/// What a state is before choices are opened.
#[derive(Clone, Debug)]
enum Entry {
    Choice(Vec<ElId>),
    Single(Transition),
}

/// The transitions of all states of a process.
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
    done: Vec<bool>,
    /// By state.
    pub(super) transitions: Vec<Vec<Transition>>,
    /// By state: what its labels say. The end has the mark of an `end` label.
    pub(super) marks: Vec<Marks>,
    /// Where the process starts.
    pub(super) start: ElId,
}

/// What the labels of a state say that mean something by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// `end…`: a process may stop here.
    pub(super) end: bool,
    /// `accept…`
    pub(super) accept: bool,
    /// `progress…`
    pub(super) progress: bool,
}

impl Marks {
    fn of_label(name: &str) -> Marks {
        Marks {
            end: name.starts_with("end"),
            accept: name.starts_with("accept"),
            progress: name.starts_with("progress"),
        }
    }

    fn or(self, other: Marks) -> Marks {
        Marks {
            end: self.end || other.end,
            accept: self.accept || other.accept,
            progress: self.progress || other.progress,
        }
    }
}

/// The most jumps that lead to jumps; more is a circle of them.
const MOST_JUMPS: usize = 500;

/// The element that is waited at when control is at `from`: jumps are followed, but not out of an atomic
/// sequence if `atomic`. None if jumps lead in a circle.
pub(super) fn hunt(flow: &Flow<'_>, from: ElId, atomic: bool) -> Option<ElId> {
    let mut at = from;
    for _ in 0..MOST_JUMPS {
        let element = flow.element(at);
        let to = match &element.kind {
            Kind::Goto(jump) => flow.target(jump),
            Kind::Dot | Kind::Break => match element.next {
                Some(next) => next,
                None => return Some(at),
            },
            Kind::Unless(main, _) => hunt(flow, flow.first(*main), atomic)?,
            _ => return Some(at),
        };
        if atomic && !flow.element(to).atomic {
            return Some(at);
        }
        at = to;
    }
    None
}

/// The breaks that lead right into a `d_step`, by their places. SPIN takes the `d_step` for its first statement
/// there, and refuses the jump. `LOCKED` is not SPIN's, and a jump may lead to it.
pub(super) fn breaks_into_steps(flow: &Flow<'_>) -> Vec<Span> {
    let into_step = |element: &Element<'_>| {
        let Kind::Goto(jump @ Jump::Break(_)) = &element.kind else { return false };
        let to = hunt(flow, flow.target(jump), element.atomic);
        let is_step = |at: ElId| matches!(flow.element(at).kind, Kind::DStep(_, false));
        !element.in_step && to.is_some_and(is_step)
    };
    let elements = (0..flow.len()).map(|i| flow.element(ElId(i)));
    let mut all: Vec<Span> = elements.filter(|e| into_step(e)).map(|e| e.span).collect();
    all.sort();
    all.dedup();
    all
}

/// The element an option starts with.
fn start_of(flow: &Flow<'_>, from: ElId) -> ElId {
    let mut at = from;
    loop {
        taut_budget::tick();
        let element = flow.element(at);
        at = match (&element.kind, element.next) {
            (Kind::Dot, Some(next)) => next,
            (Kind::Unless(main, _), _) => flow.first(*main),
            _ => return at,
        };
    }
}

impl Table {
    /// The table of a process; none if its jumps lead in a circle.
    pub(super) fn new(flow: &mut Flow<'_>) -> Option<Table> {
        let body = flow.body.expect("a process has a body");
        let (first, size) = (flow.first(body), flow.len());
        let mut table = Table {
            entries: vec![None; size],
            done: vec![false; size],
            transitions: vec![Vec::new(); size],
            marks: marks(flow),
            start: first,
        };
        table.sequence(flow, body)?;
        table.start = hunt(flow, first, flow.element(first).atomic)?;
        for state in 0..size {
            table.transitions[state] = table.open(state);
        }
        table.add_escapes();
        Some(table)
    }

    fn sequence(&mut self, flow: &mut Flow<'_>, seq: SeqId) -> Option<()> {
        let last = flow.last(seq);
        let mut at = Some(flow.first(seq));
        while let Some(id) = at {
            taut_budget::tick();
            if !std::mem::replace(&mut self.done[id.0], true) {
                self.element(flow, id)?;
            }
            if id == last {
                break;
            }
            at = flow.element(id).next;
        }
        Some(())
    }

    fn element(&mut self, flow: &mut Flow<'_>, id: ElId) -> Option<()> {
        match flow.element(id).kind.clone() {
            Kind::Unless(main, _) => self.sequence(flow, main),
            Kind::If(options) | Kind::Do(options) => {
                let starts = options.iter().map(|o| start_of(flow, flow.first(*o))).collect();
                self.entries[id.0] = Some(Entry::Choice(starts));
                options.into_iter().try_for_each(|o| self.sequence(flow, o))
            }
            Kind::Atomic(seq) | Kind::Block(seq) => {
                self.tie(flow, id, seq);
                let start = start_of(flow, flow.first(seq));
                self.entries[id.0] = Some(Entry::Choice(vec![start]));
                self.sequence(flow, seq)
            }
            Kind::DStep(seq, _) => {
                self.tie(flow, id, seq);
                self.single(flow, id)
            }
            _ => self.single(flow, id),
        }
    }

    /// Lets a block go on with what comes after it, and looks after jumps that break its atomicity.
    fn tie(&mut self, flow: &mut Flow<'_>, block: ElId, seq: SeqId) {
        fix_jumps(flow, seq);
        let next = flow.element(block).next;
        flow.element_mut(flow.last(seq)).next = next;
    }

    /// The only transition of a state that is no choice.
    fn single(&mut self, flow: &mut Flow<'_>, id: ElId) -> Option<()> {
        let element = flow.element(id).clone();
        let target = match &element.kind {
            Kind::Goto(jump) => Some(hunt(flow, flow.target(jump), element.atomic)?),
            _ => match element.next {
                Some(next) => Some(hunt(flow, next, element.atomic)?),
                None => None,
            },
        };
        let mut escapes = Vec::new();
        if !matches!(element.kind, Kind::Dot) {
            for escape in &element.escapes {
                escapes.push(hunt(flow, flow.first(*escape), element.atomic)?);
            }
        }
        let holds = element.atomic;
        let transition = Transition { element: id, target, holds, escape: None, escapes };
        self.entries[id.0] = Some(Entry::Single(transition));
        if matches!(element.kind, Kind::Dot) {
            return Some(());
        }
        element.escapes.into_iter().try_for_each(|e| self.sequence(flow, e))
    }

    /// The transitions of a state with all choices opened. The marks of a state that is passed over count for
    /// the states behind it (SPIN's `imed`).
    fn open(&mut self, state: usize) -> Vec<Transition> {
        let mut opened = Vec::new();
        match self.entries[state].clone() {
            None => {}
            Some(Entry::Single(transition)) => opened.push(transition),
            Some(Entry::Choice(starts)) => {
                for start in starts {
                    self.open_into(start, Marks::default(), &mut opened);
                }
            }
        }
        opened
    }

    fn open_into(&mut self, state: ElId, passed: Marks, opened: &mut Vec<Transition>) {
        let passed = passed.or(self.marks[state.0]);
        match self.entries[state.0].clone() {
            None => {}
            Some(Entry::Single(transition)) => {
                if let Some(target) = transition.target {
                    self.marks[target.0] = self.marks[target.0].or(passed);
                }
                opened.push(transition);
            }
            Some(Entry::Choice(starts)) => {
                starts.into_iter().for_each(|s| self.open_into(s, passed, opened));
            }
        }
    }

    /// Puts the transitions of escapes before those they escape from, in SPIN's order.
    fn add_escapes(&mut self) {
        for state in 0..self.transitions.len() {
            for transition in self.transitions[state].clone() {
                for escape in transition.escapes.iter().rev() {
                    for first in self.transitions[escape.0].clone() {
                        let there = &mut self.transitions[state];
                        if there.iter().any(|t| t.element == first.element) {
                            continue;
                        }
                        there.insert(0, Transition { escape: Some(*escape), ..first });
                    }
                }
            }
        }
    }
}

/// What the labels of each state say, before choices are opened.
fn marks(flow: &Flow<'_>) -> Vec<Marks> {
    let stops = |at: usize| at > 0 && matches!(flow.element(ElId(at)).kind, Kind::Stop);
    let mut marks: Vec<_> =
        (0..flow.len()).map(|at| Marks { end: stops(at), ..Marks::default() }).collect();
    for (name, at) in flow.labels() {
        marks[at.0] = marks[at.0].or(Marks::of_label(name));
    }
    marks
}

/// A jump out of an atomic sequence ends it; a jump at the end of one into another one goes on with it.
fn fix_jumps(flow: &mut Flow<'_>, seq: SeqId) {
    let extent = flow.extent(seq);
    let mut at = Some(flow.first(seq));
    while let Some(id) = at {
        taut_budget::tick();
        match flow.element(id).kind.clone() {
            Kind::Goto(jump) => {
                let to = flow.element(flow.target(&jump));
                let inside = to.atomic || to.last_atomic;
                let element = flow.element_mut(id);
                if (element.atomic || element.last_atomic) && !inside {
                    element.atomic = false;
                    element.last_atomic = true;
                }
                if element.last_atomic && inside {
                    element.last_atomic = false;
                    element.atomic = true;
                }
            }
            Kind::If(options) | Kind::Do(options) => {
                options.into_iter().for_each(|o| fix_jumps(flow, o));
            }
            Kind::Unless(main, escape) => {
                fix_jumps(flow, main);
                fix_jumps(flow, escape);
            }
            _ => {}
        }
        if Some(id) == extent {
            break;
        }
        at = flow.element(id).next;
    }
}
