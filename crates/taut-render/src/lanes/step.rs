//! How a step is told: its text, the values that came out of it, and what it read.

use taut_ir::{
    Action, Assignment, ChannelOp, Control, Expr, Finding, ProcId, ProcessDef, Program, Step,
    StepId,
};
use taut_witness::{Address, Failure, Read, Record, Row, Source, text};

use super::cell::{Cell, Place, Word};
use super::theme::Role;

/// `x=1`.
pub(super) fn store(program: &Program, address: Address, value: i64) -> String {
    format!("{}={value}", text::address(program, address))
}

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The step.
    pub text: String,
    /// The values that came out of it, unless its text says them.
    pub results: Vec<String>,
    /// What it read, in parentheses; empty if there is nothing to say.
    pub remark: String,
    /// How it goes wrong, if it does.
    pub failure: Option<&'static str>,
}

/// The step that a process takes in a row of a run of a program, and what it did; none if a store of it commits, or
/// if it has no part in the row.
pub fn told(program: &Program, row: &Row, process: ProcId) -> Option<Told> {
    let telling = Telling { program, failure: row.failure.as_ref() };
    let (step, record) = match (row.action, &row.record.partner) {
        (Action::Handshake { receiver, receive, .. }, Some(record)) if receiver == process => {
            (receive, &**record)
        }
        (Action::Step { process: p, step } | Action::Handshake { process: p, step, .. }, _)
            if p == process =>
        {
            (step, &row.record)
        }
        _ => return None,
    };
    Some(telling.told(process, step, record))
}

/// What it takes to tell a step of a row.
pub(super) struct Telling<'a> {
    pub program: &'a Program,
    /// How the row goes wrong, if it does.
    pub failure: Option<&'a Failure>,
}

impl Telling<'_> {
    /// A step of a process and what it did, as words in a column.
    pub fn step(&self, process: ProcId, id: StepId, record: &Record) -> Cell {
        let told = self.told(process, id, record);
        let mut words: Vec<_> =
            told.text.split_whitespace().map(|w| Word::new(w, Role::Plain)).collect();
        if !told.results.is_empty() {
            words.push(Word::new("→", Role::Remark));
            words.extend(told.results.iter().map(|w| Word::new(w, Role::Value)));
        }
        let mut cell = Cell::default();
        cell.push(words, Place::Beside);
        cell.push_text(&told.remark, Role::Remark, Place::Beside);
        if let Some(failure) = told.failure {
            cell.push_text(&format!("✗ {failure}"), Role::Finding, Place::Beside);
        }
        cell
    }

    /// A step of a process and what it did.
    fn told(&self, process: ProcId, id: StepId, record: &Record) -> Told {
        let step = text::find_step(self.program, process, id).expect("the run was replayed");
        let failure = self.failure.filter(|failure| failure.process == process);
        Told {
            text: text::step(self.program, process, id),
            results: self.results(record, process, step),
            remark: self.remark(record, step, failure),
            failure: failure.map(|failure| failure_words(failure.finding)),
        }
    }

    /// What came out of a step: `0`, or `r=0 x=1` if there is more than one thing to tell.
    fn results(&self, record: &Record, process: ProcId, step: &Step) -> Vec<String> {
        let mut all: Vec<String> = record.spawned.iter().map(|p| self.started(*p)).collect();
        all.extend(self.sent(record, step));
        let def = self.program.def_of(process);
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
        let locals = record
            .locals
            .iter()
            .filter(|l| {
                !step
                    .assignments()
                    .any(|a| a.place == taut_ir::Lvalue::Reg(l.register) && is_reset(def, step, a))
            })
            .map(|l| (text::register(self.program, process, l.register, l.index), l.value));
        let writes =
            record.writes.iter().map(|w| (text::address(self.program, w.address), w.value));
        all.extend(locals.chain(writes).map(|(name, value)| {
            if single { value.to_string() } else { format!("{name}={value}") }
        }));
        all
    }

    /// The message that a step sent, unless its text says it.
    fn sent(&self, record: &Record, step: &Step) -> Option<String> {
        let Some(ChannelOp::Send { message, .. }) = &step.channel else { return None };
        let known = message.iter().all(|value| matches!(value, Expr::Const(_)));
        let sent = record.message.as_ref().filter(|_| !known)?;
        Some(text::message(&sent.values))
    }

    fn started(&self, process: ProcId) -> String {
        format!("starts {}", self.program.process(process).name)
    }

    /// The channel, if the text does not name it, and what was read, unless it is what came out of the
    /// step.
    fn remark(&self, record: &Record, step: &Step, failure: Option<&Failure>) -> String {
        let reads = &record.reads;
        if is_plain_load(step) && failure.is_none() {
            let buffered = reads.iter().any(|r| r.from == Source::Buffer);
            return if buffered { "(from buffer)".into() } else { String::new() };
        }
        let mut seen: Vec<String> = self.channel(record, step).into_iter().collect();
        for read in reads {
            let words = self.read(read);
            if !seen.contains(&words) {
                seen.push(words);
            }
        }
        if seen.is_empty() { String::new() } else { format!("({})", seen.join(", ")) }
    }

    /// `channel q`, where the step computes which one.
    fn channel(&self, record: &Record, step: &Step) -> Option<String> {
        let op = step.channel.as_ref()?;
        let computed = !matches!(op.channel(), Expr::Const(_));
        let message = record.message.as_ref().filter(|_| computed)?;
        Some(format!("channel {}", self.program.channel(message.channel).name))
    }

    fn read(&self, read: &Read) -> String {
        let stored = store(self.program, read.address, read.value);
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
        Finding::Property(_) | Finding::Deadlock => "fails",
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
    let taut_ir::Lvalue::Reg(r) = assignment.place else { return false };
    let constant = matches!(assignment.value, Expr::Const(_));
    let hidden = def.registers.get(r.index()).is_some_and(|r| r.name.ends_with('\''));
    step.text.is_some() && constant && hidden
}
