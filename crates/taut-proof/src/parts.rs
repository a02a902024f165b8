//! The parts of a state as bytes: the processes one by one, then what they share.
//!
//! A part that is read fits the program: program points, procedures and variables exist, lists are as long as the
//! program says, and values are of their types. So whatever the bytes are, the replayer gets states that it can
//! step from. That a state can be reached is not checked here, and need not be.

use taut_ir::{PointId, ProcId, ProcedureId, Program, Type, VarId};
use taut_witness::buffer::{Buffer, Entry, Item};
use taut_witness::{Address, Frame, ProcessState};

use crate::Damaged;
use crate::bytes::{Reader, Writer};

/// One part of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A process.
    Process(ProcessState),
    /// Memory and channels.
    Shared(Vec<Vec<i64>>, Vec<Vec<Vec<i64>>>),
}

/// The parts of the states of a program.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'p> {
    program: &'p Program,
}

impl<'p> Parts<'p> {
    /// The parts of the states of a program.
    pub fn new(program: &'p Program) -> Parts<'p> {
        Parts { program }
    }

    /// The number of parts of a state.
    pub fn count(self) -> usize {
        self.program.processes.len() + 1
    }

    /// The program.
    pub fn program(self) -> &'p Program {
        self.program
    }

    /// A process as bytes.
    pub fn encode_process(self, process: &ProcessState) -> Vec<u8> {
        let mut out = Writer::default();
        write_process(&mut out, process);
        out.into_bytes()
    }

    /// Memory and channels as bytes.
    pub fn encode_shared(self, memory: &[Vec<i64>], channels: &[Vec<Vec<i64>>]) -> Vec<u8> {
        let mut out = Writer::default();
        write_all(&mut out, memory.iter().flatten());
        for messages in channels {
            out.number(messages.len() as u64);
            write_all(&mut out, messages.iter().flatten());
        }
        out.into_bytes()
    }

    /// Reads one part.
    pub fn decode(self, part: usize, bytes: &[u8]) -> Result<Part, Damaged> {
        let mut reader = Reader::new(bytes);
        let read = match part < self.program.processes.len() {
            true => Part::Process(self.read_process(ProcId::from(part), &mut reader)?),
            false => self.read_shared(&mut reader)?,
        };
        reader.end()?;
        Ok(read)
    }

    fn read_process(self, id: ProcId, reader: &mut Reader<'_>) -> Result<ProcessState, Damaged> {
        let def = self.program.def_of(id);
        let started = reader.below(2, "life")? == 1;
        let pid = reader.below(self.program.processes.len() + 1, "pid")? as u32;
        let point = PointId::from(reader.below(def.points.len(), "program point")?);
        let mut registers = Vec::new();
        for register in &def.registers {
            registers.push(read_values(reader, register.ty, register.size())?);
        }
        let mut stack = Vec::new();
        for _ in 0..reader.count()? {
            let procedure = reader.below(def.procedures.len(), "procedure")?;
            let return_to = PointId::from(reader.below(def.points.len(), "program point")?);
            let mut saved = Vec::new();
            for r in &def.procedures[procedure].registers {
                let register = &def.registers[r.index()];
                saved.push(read_values(reader, register.ty, register.size())?);
            }
            stack.push(Frame { procedure: ProcedureId::from(procedure), return_to, saved });
        }
        let buffer = self.read_buffer(reader)?;
        Ok(ProcessState { started, pid, point, registers, stack, buffer })
    }

    fn read_buffer(self, reader: &mut Reader<'_>) -> Result<Buffer, Damaged> {
        let mut items = Vec::new();
        for _ in 0..reader.count()? {
            let Some(var) = reader.below(self.program.vars.len() + 1, "variable")?.checked_sub(1)
            else {
                items.push(Item::Barrier);
                continue;
            };
            let variable = &self.program.vars[var];
            let index = reader.below(variable.size() as usize, "element")? as u32;
            let value = read_value(reader, variable.ty)?;
            let address = Address { var: VarId::from(var), index };
            items.push(Item::Store(Entry { address, value }));
        }
        Ok(Buffer::of(items))
    }

    fn read_shared(self, reader: &mut Reader<'_>) -> Result<Part, Damaged> {
        let mut memory = Vec::new();
        for variable in &self.program.vars {
            memory.push(read_values(reader, variable.ty, variable.size())?);
        }
        let mut channels = Vec::new();
        for channel in &self.program.channels {
            let mut messages = Vec::new();
            for _ in 0..reader.count()? {
                let fields = channel.fields.iter();
                messages.push(fields.map(|&ty| read_value(reader, ty)).collect::<Result<_, _>>()?);
            }
            channels.push(messages);
        }
        Ok(Part::Shared(memory, channels))
    }
}

fn write_process(out: &mut Writer, process: &ProcessState) {
    let ProcessState { started, pid, point, registers, stack, buffer } = process;
    out.number(u64::from(*started));
    out.number(u64::from(*pid));
    out.number(u64::from(point.0));
    write_all(out, registers.iter().flatten());
    out.number(stack.len() as u64);
    for Frame { procedure, return_to, saved } in stack {
        out.number(procedure.index() as u64);
        out.number(u64::from(return_to.0));
        write_all(out, saved.iter().flatten());
    }
    out.number(buffer.items().len() as u64);
    for item in buffer.items() {
        match item {
            Item::Barrier => out.number(0),
            Item::Store(Entry { address, value }) => {
                out.number(address.var.index() as u64 + 1);
                out.number(u64::from(address.index));
                out.signed(*value);
            }
        }
    }
}

fn write_all<'v>(out: &mut Writer, values: impl Iterator<Item = &'v i64>) {
    values.for_each(|&value| out.signed(value));
}

fn read_value(reader: &mut Reader<'_>, ty: Type) -> Result<i64, Damaged> {
    let value = reader.signed()?;
    match ty.contains(value) {
        true => Ok(value),
        false => Err(Damaged(format!("the value {value} is not of its type"))),
    }
}

fn read_values(reader: &mut Reader<'_>, ty: Type, count: u32) -> Result<Vec<i64>, Damaged> {
    (0..count).map(|_| read_value(reader, ty)).collect()
}
