//! What one process does in a row: the text of its step, the values that came out of it, what it read and wrote.

use taut_ir::{
    Assignment, ChannelOp, Control, Expr, Finding, Lvalue, ProcId, ProcessDef, Span, Step, StepId,
};
use taut_witness::{Address, Failure, LocalWrite, Read, Record, Source, Target, Write, text};

use super::names::{Names, is_hidden};

/// What a process does in a row.
#[derive(Clone, Copy, Debug)]
pub struct PartView<'a> {
    names: Names<'a>,
    process: ProcId,
    /// None if a store of it commits.
    step: Option<StepId>,
    record: &'a Record,
    /// How its step goes wrong.
    failure: Option<&'a Failure>,
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
        process: ProcId,
        step: Option<StepId>,
        record: &'a Record,
        failure: Option<&'a Failure>,
    ) -> PartView<'a> {
        let failure = failure.filter(|failure| failure.process == process);
        PartView { names, process, step, record, failure }
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

    fn code(self) -> Option<&'a Step> {
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

    /// The text of its step; none if a store of it commits.
    pub fn text(self) -> Option<String> {
        Some(self.names.step(self.process, self.step?))
    }

    /// The stores that reach memory in a commit, with something between name and value: `x=1`.
    pub fn committed(self, between: &str) -> Vec<String> {
        let store = |w: &Write| format!("{}{between}{}", self.names.location(w.address), w.value);
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
    pub fn failure(self) -> Option<&'static str> {
        self.failure.map(|failure| failure_words(failure.finding))
    }

    /// The values that came out of it, unless its text says them: `0`, or `r=0 x=1` if there is more than one thing to
    /// tell.
    pub fn results(self) -> Vec<String> {
        let Some(step) = self.code() else { return Vec::new() };
        let mut all: Vec<String> = self.spawned().map(|name| format!("starts {name}")).collect();
        all.extend(self.sent(step));
        let def = self.names.program().def_of(self.process);
        let values: Vec<_> =
            step.assignments().filter(|a| !is_reset(def, step, a)).map(|a| &a.value).collect();
        let received = step.channel.iter().flat_map(ChannelOp::places).count();
        let calls = matches!(step.target, Control::Call { .. });
        // Constants need no telling; what a return brings back is the caller's business.
        let known = values.iter().all(|value| matches!(value, Expr::Const(_)));
        if !calls && received == 0 && (known || step.target == Control::Return) {
            return all;
        }
        let single = values.len() + received == 1 && !calls;
        let shown = |(name, value): (String, i64)| match single {
            true => value.to_string(),
            false => format!("{name}={value}"),
        };
        let results = self.assigned(def, step).chain(self.written());
        all.extend(results.filter(|(name, _)| single || !is_hidden(name)).map(shown));
        all
    }

    /// The registers that it wrote, without those that are only set back.
    fn assigned(self, def: &'a ProcessDef, step: &'a Step) -> impl Iterator<Item = (String, i64)> {
        let resets = move |l: &LocalWrite| {
            let mut all = step.assignments();
            all.any(|a| a.place == Lvalue::Reg(l.register) && is_reset(def, step, a))
        };
        let kept = self.record.locals.iter().filter(move |l| !resets(l));
        kept.map(move |l| (self.names.register(self.process, l.register, l.index), l.value))
    }

    fn written(self) -> impl Iterator<Item = (String, i64)> {
        self.record.writes.iter().map(move |w| (self.names.location(w.address), w.value))
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
        if is_plain_load(step) && self.failure.is_none() {
            let buffered = reads.iter().any(|r| r.from == Source::Buffer);
            return if buffered { "(from buffer)".into() } else { String::new() };
        }
        let mut seen: Vec<String> = self.channel(step).into_iter().collect();
        for read in reads {
            if is_hidden(&self.names.location(read.address)) {
                continue;
            }
            let words = self.read(read);
            if !seen.contains(&words) {
                seen.push(words);
            }
        }
        if seen.is_empty() { String::new() } else { format!("({})", seen.join(", ")) }
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
