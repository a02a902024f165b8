//! What one process does in a row: the text of its step, the values that came out of it, what it read and wrote.

use taut_ir::{
    Assignment, ChannelOp, Control, Expr, Fault, Finding, Lvalue, Memory, MemoryModel, Mode,
    ProcId, ProcessDef, Span, Step, StepId,
};
use taut_witness::{
    Address, Failure, LocalWrite, Machine, Read, Record, Source, State, Target, Write, text,
};

use super::names::{Names, is_hidden};
use crate::pool::pool_fault;

/// What a process does in a row.
#[derive(Clone, Copy, Debug)]
pub struct PartView<'a> {
    names: Names<'a>,
    process: ProcId,
    /// None if a store of it commits.
    step: Option<StepId>,
    record: &'a Record,
    /// The state after the row.
    after: &'a State,
    /// How its step goes wrong.
    failure: Option<&'a Failure>,
}

/// Words that a front end puts behind the text of a step, after an arrow, to say what becomes of it: which way a condition
/// goes, whether a compare-and-swap succeeds, that a wait starts again.
const OUTCOMES: [&str; 5] = ["taken", "not taken", "success", "failure", "again"];

/// What the front end of C puts into a register that has no value.
const UNSET: i64 = i64::MIN + 1;

/// The text of a step without its outcome, and the outcome.
pub(crate) fn told_text(text: &str) -> (&str, Option<&'static str>) {
    let Some((said, word)) = text.rsplit_once(" → ") else { return (text, None) };
    match OUTCOMES.iter().find(|known| **known == word) {
        Some(outcome) => (said, Some(outcome)),
        None => (text, None),
    }
}

/// A read or a write of a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessView {
    /// The location.
    pub location: Address,
    /// Its name.
    pub name: String,
    /// The value.
    pub value: i64,
    /// Whether it was found in, or went into, the buffer of the process, and not memory.
    pub in_buffer: bool,
}

impl AccessView {
    /// The word for where the value was or went: `buffer` or `memory`.
    pub fn side(&self) -> &'static str {
        if self.in_buffer { "buffer" } else { "memory" }
    }
}

impl<'a> PartView<'a> {
    pub(super) fn new(
        names: Names<'a>,
        (process, step): (ProcId, Option<StepId>),
        record: &'a Record,
        after: &'a State,
        failure: Option<&'a Failure>,
    ) -> PartView<'a> {
        let failure = failure.filter(|failure| failure.process == process);
        PartView { names, process, step, record, after, failure }
    }

    /// The process.
    pub fn process(self) -> ProcId {
        self.process
    }

    /// The name of the process.
    pub fn name(self) -> &'a str {
        self.names.process(self.process)
    }

    /// Its step; none if a store of it commits.
    pub fn step(self) -> Option<StepId> {
        self.step
    }

    /// What it read and wrote.
    pub(crate) fn record(self) -> &'a Record {
        self.record
    }

    pub(crate) fn code(self) -> Option<&'a Step> {
        self.names.find_step(self.process, self.step?)
    }

    /// Where its step stands.
    pub fn span(self) -> Span {
        self.code().map_or(Span::NONE, |step| step.span)
    }

    /// The line of its step.
    pub fn line(self) -> Option<u32> {
        self.names.line(self.code()?.span)
    }

    /// The line of its step, with the name of the file if it is an included one.
    pub fn line_word(self) -> Option<String> {
        self.names.line_word(self.code()?.span)
    }

    /// The text of its step, as the source says it; none if a store of it commits.
    pub fn text(self) -> Option<String> {
        let text = self.names.step(self.process, self.step?);
        Some(told_text(&text).0.to_owned())
    }

    /// What became of its step: `taken` or `not taken` for a condition, `success` or `failure` for a compare-and-swap,
    /// `again` for a wait that starts anew; none for other steps.
    pub fn outcome(self) -> Option<&'static str> {
        let text = self.names.step(self.process, self.step?);
        told_text(&text).1
    }

    /// The stores that reach memory in a commit, with something between name and value: `x=1`.
    pub fn committed(self, between: &str) -> Vec<String> {
        let store = |w: &Write| {
            let value = self.names.value(w.address, w.value);
            format!("{}{between}{value}", self.names.location(w.address))
        };
        self.record.writes.iter().map(store).collect()
    }

    /// What it read, in order.
    pub fn reads(self) -> impl Iterator<Item = AccessView> {
        let access = move |read: &Read| AccessView {
            location: read.address,
            name: self.names.location(read.address),
            value: read.value,
            in_buffer: read.from == Source::Buffer,
        };
        self.record.reads.iter().map(access)
    }

    /// What it wrote, in order.
    pub fn writes(self) -> impl Iterator<Item = AccessView> {
        let access = move |write: &Write| AccessView {
            location: write.address,
            name: self.names.location(write.address),
            value: write.value,
            in_buffer: write.to == Target::Buffer,
        };
        self.record.writes.iter().map(access)
    }

    /// Whether it stores into its buffer.
    pub fn is_buffered(self) -> bool {
        self.record.writes.iter().any(|write| write.to == Target::Buffer)
    }

    /// The registers that it wrote, with their new values.
    pub fn locals(self) -> impl Iterator<Item = (String, i64)> {
        let local =
            move |l: &LocalWrite| (self.names.register(self.process, l.register, l.index), l.value);
        self.record.locals.iter().map(local)
    }

    /// The names of the processes that it started.
    pub fn spawned(self) -> impl Iterator<Item = &'a str> {
        let names = self.names;
        self.record.spawned.iter().map(move |&process| names.process(process))
    }

    /// How it goes wrong, if it does.
    pub fn failure(self) -> Option<String> {
        let failure = self.failure?;
        // The memory model does not matter for what is read in a state.
        let machine = Machine::new(self.names.program(), Memory::new(MemoryModel::Sc));
        let of_pool =
            self.code().and_then(|step| pool_fault(self.names.program(), &machine, failure, step));
        Some(of_pool.unwrap_or_else(|| failure_words(failure.finding).into()))
    }

    /// What came out of it, unless its text says it: its outcome, or the values, `0`, or `r=0 x=1` if there is more than
    /// one thing to tell.
    pub fn results(self) -> Vec<String> {
        let Some(step) = self.code() else { return Vec::new() };
        let mut all: Vec<String> = self.spawned().map(|name| format!("starts {name}")).collect();
        all.extend(self.sent(step));
        match self.outcome() {
            Some(outcome) => all.push(outcome.into()),
            None => all.extend(self.values(step)),
        }
        all
    }

    /// The values that came out of a step without an outcome.
    fn values(self, step: &'a Step) -> Vec<String> {
        let def = self.names.program().def_of(self.process);
        let text = self.text().unwrap_or_default();
        let mut kept = step.assignments().filter(|a| !is_reset(def, step, a));
        let received = step.channel.iter().flat_map(ChannelOp::places).count();
        let calls = matches!(step.target, Control::Call { .. });
        // Constants that the text names need no telling; what a return brings back is the caller's business.
        let known =
            kept.all(|a| matches!(a.value, Expr::Const(value) if names_value(&text, value)));
        if !calls && received == 0 && (known || step.target == Control::Return) {
            return Vec::new();
        }
        let (inner, own): (Vec<_>, Vec<_>) =
            self.assigned(def, step).partition(|(name, _)| is_inner(name));
        if own.is_empty() && !inner.is_empty() {
            // A value inside of a statement: that of a read-modify-write; of a load it is told as what was read.
            let value = inner.into_iter().next_back().filter(|_| step.mode == Mode::Locked);
            return value.map(|(_, value)| value).into_iter().collect();
        }
        let shown: Vec<_> =
            own.into_iter().chain(self.written()).filter(|(name, _)| !is_hidden(name)).collect();
        match &shown[..] {
            [(_, value)] if !calls => vec![value.clone()],
            _ => shown.into_iter().map(|(name, value)| format!("{name}={value}")).collect(),
        }
    }

    /// The registers that it wrote, without those that are only set back.
    fn assigned(
        self,
        def: &'a ProcessDef,
        step: &'a Step,
    ) -> impl Iterator<Item = (String, String)> {
        let resets = move |l: &LocalWrite| {
            let mut all = step.assignments();
            all.any(|a| a.place == Lvalue::Reg(l.register) && is_reset(def, step, a))
        };
        let kept = self.record.locals.iter().filter(move |l| !resets(l) && l.value != UNSET);
        kept.map(move |l| {
            let name = self.names.register(self.process, l.register, l.index);
            // C: the second of several variables with one name.
            let name = name.split('#').next().unwrap_or_default().to_owned();
            (name, self.names.register_value(self.process, l.register, l.value))
        })
    }

    fn written(self) -> impl Iterator<Item = (String, String)> {
        let names = self.names;
        // A record that is taken or given back: which one it is says more than what it becomes.
        let record = move |w: &Write| names.program().shown.pool(w.address.var).is_some();
        let write = move |w: &Write| match record(w) {
            true => (names.location(w.address), names.location(w.address)),
            false => (names.location(w.address), names.value(w.address, w.value)),
        };
        self.record.writes.iter().map(write)
    }

    /// The message that it sent, unless its text says it.
    fn sent(self, step: &Step) -> Option<String> {
        let Some(ChannelOp::Send { message, .. }) = &step.channel else { return None };
        let known = message.iter().all(|value| matches!(value, Expr::Const(_)));
        let sent = self.record.message.as_ref().filter(|_| !known)?;
        Some(text::message(&sent.values))
    }

    /// In parentheses the channel, if the text does not name it, and what was read, unless it is what came out of the
    /// step; empty if there is nothing to say.
    pub fn remark(self) -> String {
        let Some(step) = self.code() else { return String::new() };
        let reads = &self.record.reads;
        // What a plain load read is what came out of it, unless it is a value inside of a statement.
        if is_plain_load(step) && self.failure.is_none() && !self.results().is_empty() {
            let buffered = reads.iter().any(|r| r.from == Source::Buffer);
            return if buffered { "(from buffer)".into() } else { String::new() };
        }
        let mut seen: Vec<String> = self.channel(step).into_iter().collect();
        for read in reads.iter().chain(&self.read_before_else(step)) {
            if is_hidden(&self.names.location(read.address)) || self.is_of_pool(read) {
                continue;
            }
            let words = self.read(read);
            if !seen.contains(&words) {
                seen.push(words);
            }
        }
        seen.extend(self.decided_by(step));
        if seen.is_empty() { String::new() } else { format!("({})", seen.join(", ")) }
    }

    /// Whether a read is the look at a record of a pool that every use of a reference has. It is told where it fails.
    fn is_of_pool(self, read: &Read) -> bool {
        let fails = self.failure.is_some_and(|f| f.finding == Finding::Fault(Fault::Index));
        !fails && self.names.program().shown.pool(read.address.var).is_some()
    }

    /// The steps that come before a step: it is taken only if none of them can be.
    pub(crate) fn before_else(self, step: &'a Step) -> impl Iterator<Item = &'a Step> {
        let steps = &self.names.program().def_of(self.process).steps;
        step.yields_to.iter().filter_map(|id| steps.get(id.index()))
    }

    /// What an `else` reads to know that nothing before it can be taken. A step that also writes is left out: what it read
    /// may be different after it.
    fn read_before_else(self, step: &'a Step) -> Vec<Read> {
        if step.yields_to.is_empty() || !self.record.writes.is_empty() {
            return Vec::new();
        }
        // The memory model does not matter for what is read in a state.
        let memory = Memory::new(MemoryModel::Sc);
        let machine = Machine::new(self.names.program(), memory);
        let read = |first: &Step| machine.reads_in(self.after, self.process, &first.guard);
        self.before_else(step).flat_map(read).collect()
    }

    /// The registers that a condition depends on, with their values: `ok=1`.
    fn decided_by(self, step: &'a Step) -> Vec<String> {
        if !matches!(self.outcome(), Some("taken" | "not taken")) {
            return Vec::new();
        }
        let registers = &self.names.program().def_of(self.process).registers;
        let values = &self.after.process(self.process).registers;
        let mut all = Vec::new();
        for id in step.guard.registers() {
            // What the step itself sets is not what it was when the condition was computed.
            let set = self.record.locals.iter().any(|l| l.register == id);
            let (register, [value]) = (&registers[id.index()], &values[id.index()][..]) else {
                continue;
            };
            let name = register.name.split('#').next().unwrap_or_default();
            let shown = !set && !is_inner(name) && !is_hidden(name) && *value != UNSET;
            let words = format!("{name}={}", self.names.register_value(self.process, id, *value));
            if shown && !all.contains(&words) {
                all.push(words);
            }
        }
        all
    }

    /// `channel q`, where the step computes which one.
    fn channel(self, step: &Step) -> Option<String> {
        let op = step.channel.as_ref()?;
        let computed = !matches!(op.channel(), Expr::Const(_));
        let message = self.record.message.as_ref().filter(|_| computed)?;
        Some(format!("channel {}", self.names.program().channel(message.channel).name))
    }

    fn read(self, read: &Read) -> String {
        let stored = self.names.store(read.address, read.value);
        match read.from {
            Source::Buffer => format!("{stored} from buffer"),
            Source::Memory => stored,
        }
    }
}

/// How the last step goes wrong.
fn failure_words(finding: Finding) -> &'static str {
    match finding {
        Finding::Fault(fault) => fault.describe(),
        Finding::FullBuffer => "the buffer is full",
        Finding::Property(_) | Finding::Deadlock | Finding::NotRobust => "fails",
    }
}

/// Whether a register holds a value inside of a statement, or the value of a procedure.
fn is_inner(name: &str) -> bool {
    name.ends_with('\'') || name.ends_with("()")
}

/// Whether a text says a value: as a number, or as a truth value.
fn names_value(text: &str, value: i64) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| match (word, value) {
        ("true", 1) | ("false", 0) => true,
        _ => word.parse::<i64>().is_ok_and(|number| number == value || -number == value),
    })
}

/// Whether a step does nothing but load one variable into a register, or one element at a fixed
/// index.
fn is_plain_load(step: &Step) -> bool {
    let mut assignments = step.assignments();
    let fixed = |e: &Expr| match e {
        Expr::Var(_) => true,
        Expr::VarElem(_, index) => matches!(**index, Expr::Const(_)),
        _ => false,
    };
    let load = assignments.next().is_some_and(|a| {
        a.place.variable().is_none() && a.place.index().is_none() && fixed(&a.value)
    });
    let only = assignments.next().is_none() && step.effects.len() == 1 && step.channel.is_none();
    load && only && step.guard == Expr::TRUE
}

/// Whether an assignment sets a hidden register back after its last use, which the text of the step leaves out.
fn is_reset(def: &ProcessDef, step: &Step, assignment: &Assignment) -> bool {
    let Lvalue::Reg(r) = assignment.place else { return false };
    let constant = matches!(assignment.value, Expr::Const(_));
    let hidden = def.registers.get(r.index()).is_some_and(|r| r.name.ends_with('\''));
    step.text.is_some() && constant && hidden
}
