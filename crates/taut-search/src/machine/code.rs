//! Compiled expressions: trees whose leaves know where in the state to look.

use taut_ir::{BinaryOp, Fault, ProcId, UnaryOp};
use taut_memory::{Field, MemorySystem, PlaceId};

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Const(i64),
    /// A register, or a place whose loads no buffer can serve.
    Field(Field),
    /// A place as a process sees it.
    Load {
        process: ProcId,
        place: PlaceId,
    },
    /// An element of an array of fields.
    FieldElem {
        fields: Box<[Field]>,
        index: Box<Code>,
    },
    /// An element of an array as a process sees it.
    LoadElem {
        process: ProcId,
        first: PlaceId,
        len: u32,
        index: Box<Code>,
    },
    Unary(UnaryOp, Box<Code>),
    Binary(BinaryOp, Box<Code>, Box<Code>),
    And(Box<Code>, Box<Code>),
    Or(Box<Code>, Box<Code>),
    Cond(Box<[Code; 3]>),
    /// A field against a number: what most guards are.
    Compare {
        field: Field,
        op: BinaryOp,
        number: i64,
    },
    /// Whether the bits of a location field are among the marked ones.
    At {
        pc: Field,
        marked: Box<[bool]>,
    },
    Drained(ProcId),
    /// 0 while the bits of the location field are 0 (a process not started), else the code.
    IfStarted {
        pc: Field,
        code: Box<Code>,
    },
}

/// Checks an index.
#[inline]
pub(crate) fn checked_index(index: i64, len: u32) -> Result<u32, Fault> {
    match u32::try_from(index) {
        Ok(i) if i < len => Ok(i),
        _ => Err(Fault::Index),
    }
}

impl Code {
    /// The value in a state.
    #[inline]
    pub(crate) fn eval<M: MemorySystem>(&self, memory: &M, state: &[u64]) -> Result<i64, Fault> {
        match self {
            Code::Const(value) => Ok(*value),
            Code::Field(field) => Ok(field.get(state)),
            Code::Compare { field, op, number } => op.apply(field.get(state), *number),
            Code::Load { process, place } => Ok(memory.load(state, *process, *place)),
            _ => self.eval_compound(memory, state),
        }
    }

    fn eval_compound<M: MemorySystem>(&self, memory: &M, state: &[u64]) -> Result<i64, Fault> {
        match self {
            Code::FieldElem { fields, index } => {
                let i = checked_index(index.eval(memory, state)?, fields.len() as u32)?;
                Ok(fields[i as usize].get(state))
            }
            Code::LoadElem { process, first, len, index } => {
                let i = checked_index(index.eval(memory, state)?, *len)?;
                Ok(memory.load(state, *process, PlaceId(first.0 + i)))
            }
            Code::Unary(op, a) => Ok(op.apply(a.eval(memory, state)?)),
            Code::Binary(op, a, b) => op.apply(a.eval(memory, state)?, b.eval(memory, state)?),
            Code::And(a, b) => {
                Ok(i64::from(a.eval(memory, state)? != 0 && b.eval(memory, state)? != 0))
            }
            Code::Or(a, b) => {
                Ok(i64::from(a.eval(memory, state)? != 0 || b.eval(memory, state)? != 0))
            }
            Code::Cond(parts) => {
                let [condition, yes, no] = &**parts;
                if condition.eval(memory, state)? != 0 { yes } else { no }.eval(memory, state)
            }
            Code::At { pc, marked } => Ok(i64::from(marked[pc.bits(state) as usize])),
            Code::Drained(process) => Ok(i64::from(memory.is_drained(state, *process))),
            Code::IfStarted { pc, code } => {
                if pc.bits(state) == 0 {
                    Ok(0)
                } else {
                    code.eval(memory, state)
                }
            }
            Code::Const(_) | Code::Field(_) | Code::Load { .. } | Code::Compare { .. } => {
                unreachable!("evaluated by the caller")
            }
        }
    }
}
