//! Compiled expressions: trees whose leaves know where in the state to look.

use std::sync::Arc;

use taut_ir::{BinaryOp, ChanId, ChannelQuery, Fault, ProcId, Type, UnaryOp};
use taut_memory::{CellId, Field, MemorySystem, Question};

use super::channel::ChannelLayout;

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Const(i64),
    /// A register, or a place whose loads no buffer can serve.
    Field(Field),
    /// A place as a process sees it.
    Load {
        process: ProcId,
        place: CellId,
    },
    /// An element of an array of fields.
    FieldElem {
        fields: Arc<[Field]>,
        index: Box<Code>,
    },
    /// An element of an array as a process sees it.
    LoadElem {
        process: ProcId,
        first: CellId,
        len: u32,
        index: Box<Code>,
    },
    /// An element of an array that nobody assigns.
    Table {
        values: Arc<[i64]>,
        index: Box<Code>,
    },
    Unary(UnaryOp, Box<Code>),
    Binary(BinaryOp, Box<Code>, Box<Code>),
    And(Box<Code>, Box<Code>),
    Or(Box<Code>, Box<Code>),
    Cond(Box<[Code; 3]>),
    /// A field and a number: what most guards and many assignments are.
    Compute {
        field: Field,
        op: BinaryOp,
        number: i64,
    },
    /// Whether the bits of a program point field are among the marked ones.
    At {
        pc: Field,
        marked: Box<[bool]>,
    },
    Drained(ProcId),
    /// 0 while the bits of the program point field are 0 (a process not started), else the code.
    IfStarted {
        pc: Field,
        code: Box<Code>,
    },
    /// A question about a channel that is known only when the program runs.
    Query(ChannelQuery, Box<ChannelCode>),
    Poll(Box<PollCode>),
}

/// Which channel: the code gives it as a value.
#[derive(Clone, Debug)]
pub(crate) struct ChannelCode {
    pub(crate) code: Code,
    pub(crate) channels: Arc<[ChannelLayout]>,
}

/// Whether a message could be received.
#[derive(Clone, Debug)]
pub(crate) struct PollCode {
    pub(crate) channel: ChannelCode,
    /// The fields that must have a value.
    pub(crate) matches: Box<[(u32, Code)]>,
    pub(crate) anywhere: bool,
}

/// Why something has no value in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// It goes wrong.
    Fault(Fault),
    /// It asks a question with several answers. This comes before any fault: whether there is one depends on the
    /// answer.
    Open(Question),
}

impl NoValue {
    /// The question that is open, if one is.
    pub(crate) fn question(self) -> Option<Question> {
        match self {
            NoValue::Open(question) => Some(question),
            NoValue::Fault(_) => None,
        }
    }
}

impl From<Fault> for NoValue {
    fn from(fault: Fault) -> NoValue {
        NoValue::Fault(fault)
    }
}

/// The first thing that goes wrong while something is computed, or the first open question.
///
/// Computing goes on after a fault, with 0 for the value that could not be had: expressions change
/// nothing, so nobody can tell, and values stay plain numbers in registers instead of `Result`s, which
/// are returned through memory.
#[derive(Debug, Default)]
pub(crate) struct FirstFault(Option<NoValue>);

impl FirstFault {
    #[cold]
    fn note(&mut self, fault: Fault) -> i64 {
        self.0.get_or_insert(NoValue::Fault(fault));
        0
    }

    #[cold]
    fn note_open(&mut self, question: Question) -> i64 {
        if !matches!(self.0, Some(NoValue::Open(_))) {
            self.0 = Some(NoValue::Open(question));
        }
        0
    }

    /// Whether nothing went wrong.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), NoValue> {
        match self.0 {
            None => Ok(()),
            Some(no_value) => Err(no_value),
        }
    }

    /// The question that is open, if one is.
    #[inline]
    pub(crate) fn check_open(&self) -> Result<(), Question> {
        match self.0 {
            Some(NoValue::Open(question)) => Err(question),
            _ => Ok(()),
        }
    }

    /// The value that a process sees at a place. Where loads have one outcome the error has no value, and this is the
    /// load alone.
    #[inline(always)]
    fn load<M: MemorySystem>(
        &mut self,
        memory: &M,
        state: &[u64],
        process: ProcId,
        place: CellId,
    ) -> i64 {
        memory.load(state, process, place).unwrap_or_else(|open| self.note_open(open.into()))
    }

    #[inline]
    fn drained<M: MemorySystem>(&mut self, memory: &M, state: &[u64], process: ProcId) -> bool {
        let open = |open: M::Open| self.note_open(open.into()) != 0;
        memory.drained(state, process).unwrap_or_else(open)
    }

    /// An index that is certainly inside; 0 after a fault.
    #[inline]
    pub(crate) fn index(&mut self, index: i64, len: usize) -> usize {
        if (index as u64) < len as u64 { index as usize } else { self.note(Fault::Index) as usize }
    }

    /// A value that certainly fits; the smallest one after a fault.
    #[inline]
    pub(crate) fn fit(&mut self, ty: Type, value: i64) -> i64 {
        if ty.contains(value) {
            return value;
        }
        ty.fit(value).unwrap_or_else(|| {
            self.note(Fault::Range);
            ty.lo
        })
    }

    /// A channel that certainly exists, unless there is none at all.
    #[inline]
    pub(crate) fn channel(&mut self, value: i64, channels: usize) -> usize {
        match ChanId::of_value(value, channels) {
            Some(id) => id.index(),
            None => self.note(Fault::Channel) as usize,
        }
    }

    /// Whether nothing went wrong.
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    #[inline]
    fn binary(&mut self, op: BinaryOp, a: i64, b: i64) -> i64 {
        op.apply(a, b).unwrap_or_else(|fault| self.note(fault))
    }
}

impl Code {
    /// The value in a state, or the fault that kept it from being computed.
    pub(crate) fn eval<M: MemorySystem>(&self, memory: &M, state: &[u64]) -> Result<i64, NoValue> {
        let mut fault = FirstFault::default();
        let value = self.value(memory, state, &mut fault);
        fault.check().map(|()| value)
    }

    /// The value in a state; anything after a fault.
    #[inline]
    pub(crate) fn value<M: MemorySystem>(
        &self,
        memory: &M,
        state: &[u64],
        fault: &mut FirstFault,
    ) -> i64 {
        match self {
            Code::Const(value) => *value,
            Code::Field(field) => field.get(state),
            Code::Compute { field, op, number } => fault.binary(*op, field.get(state), *number),
            Code::Load { process, place } => fault.load(memory, state, *process, *place),
            _ => self.compound(memory, state, fault),
        }
    }

    fn compound<M: MemorySystem>(&self, memory: &M, state: &[u64], fault: &mut FirstFault) -> i64 {
        match self {
            Code::FieldElem { fields, index } => {
                let index = index.value(memory, state, fault);
                fields[fault.index(index, fields.len())].get(state)
            }
            Code::LoadElem { process, first, len, index } => {
                let index = index.value(memory, state, fault);
                let index = fault.index(index, *len as usize) as u32;
                fault.load(memory, state, *process, CellId(first.0 + index))
            }
            Code::Unary(op, a) => op.apply(a.value(memory, state, fault)),
            Code::Binary(op, a, b) => {
                let a = a.value(memory, state, fault);
                let b = b.value(memory, state, fault);
                fault.binary(*op, a, b)
            }
            Code::And(a, b) => {
                i64::from(a.value(memory, state, fault) != 0 && b.value(memory, state, fault) != 0)
            }
            Code::Or(a, b) => {
                i64::from(a.value(memory, state, fault) != 0 || b.value(memory, state, fault) != 0)
            }
            Code::Cond(parts) => {
                let [condition, yes, no] = &**parts;
                let chosen = if condition.value(memory, state, fault) != 0 { yes } else { no };
                chosen.value(memory, state, fault)
            }
            Code::At { pc, marked } => i64::from(marked[pc.bits(state) as usize]),
            Code::Drained(process) => i64::from(fault.drained(memory, state, *process)),
            Code::IfStarted { pc, code } => match pc.bits(state) {
                0 => 0,
                _ => code.value(memory, state, fault),
            },
            Code::Table { values, index } => {
                let index = index.value(memory, state, fault);
                values[fault.index(index, values.len())]
            }
            Code::Query(query, channel) => {
                channel.find(memory, state, fault).map_or(0, |c| c.answer(*query, state))
            }
            Code::Poll(poll) => i64::from(poll.holds(memory, state, fault)),
            Code::Const(_) | Code::Field(_) | Code::Load { .. } | Code::Compute { .. } => {
                unreachable!("computed by the caller")
            }
        }
    }
}

impl ChannelCode {
    /// The channel; none after a fault.
    fn find<M: MemorySystem>(
        &self,
        memory: &M,
        state: &[u64],
        fault: &mut FirstFault,
    ) -> Option<&ChannelLayout> {
        let value = self.code.value(memory, state, fault);
        if !fault.is_none() {
            return None;
        }
        let index = fault.channel(value, self.channels.len());
        self.channels.get(index).filter(|_| fault.is_none())
    }
}

impl PollCode {
    fn holds<M: MemorySystem>(&self, memory: &M, state: &[u64], fault: &mut FirstFault) -> bool {
        let Some(channel) = self.channel.find(memory, state, fault) else { return false };
        channel.matching(&self.matches, self.anywhere, memory, state, fault).is_some()
    }
}

impl Code {
    /// A field of the first message of a channel, if there is a message.
    pub(crate) fn first(channel: &ChannelLayout, field: u32) -> Code {
        channel.first(field).map_or_else(Code::Const, Code::Field)
    }
}

impl ChannelLayout {
    fn answer(&self, query: ChannelQuery, state: &[u64]) -> i64 {
        let len = self.len.bits(state);
        match query {
            ChannelQuery::Length => len as i64,
            ChannelQuery::Full => i64::from(len == self.capacity),
            ChannelQuery::Empty => i64::from(len == 0),
        }
    }

    /// The position of the message that a receive takes: the first, or with `anywhere` the first that
    /// matches. All values to match are computed, whether or not an earlier one decides.
    #[inline]
    pub(crate) fn matching<M: MemorySystem>(
        &self,
        matches: &[(u32, Code)],
        anywhere: bool,
        memory: &M,
        state: &[u64],
        fault: &mut FirstFault,
    ) -> Option<u64> {
        let len = self.len.bits(state);
        let candidates = if anywhere { len } else { len.min(1) };
        (0..candidates).find(|&at| {
            let equal = |(field, code): &(u32, Code)| {
                code.value(memory, state, fault) == self.value(state, at, *field)
            };
            matches.iter().map(equal).fold(true, |all, one| all & one)
        })
    }
}
