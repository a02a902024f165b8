//! Programs decoded from bytes, for fuzzers that change bytes.
//!
//! Every byte string is a program: numbers are taken modulo what is allowed, and where the bytes end they go on with zeros. So
//! nothing is rejected, and a small change of the bytes is a small change of the program.

use taut_ir::{Memory, MemoryModel};

use crate::random::{Draft, Edge, Instruction, REGISTERS, SCALARS, Thread};

/// Most edges of a thread: brute force enumerates the states.
const MOST_EDGES: u8 = 6;
/// Bytes of an instruction.
const PER_INSTRUCTION: usize = 3;

/// The program and the memory that some bytes mean.
pub fn decode(bytes: &[u8]) -> (Draft, Memory) {
    let mut bytes = Bytes(bytes);
    let model = MemoryModel::EVERY[usize::from(bytes.below(MemoryModel::EVERY.len() as u8))];
    let memory = Memory::new(model).bounded(Some(1 + u32::from(bytes.below(2))));
    let threads = (0..2).map(|_| thread(&mut bytes)).collect();
    (Draft { threads }, memory)
}

fn thread(bytes: &mut Bytes<'_>) -> Thread {
    let count = 1 + bytes.below(MOST_EDGES);
    if bytes.below(2) == 0 {
        return Thread::Straight((0..count).map(|_| instruction(bytes, false)).collect());
    }
    let points = 2 + bytes.below(3);
    let atomic = Some(1 + bytes.below(3)).filter(|_| bytes.below(4) == 0);
    let edge = |bytes: &mut Bytes<'_>| {
        let (source, target) = (bytes.below(8), bytes.below(8));
        Edge { source, target, instruction: instruction(bytes, true) }
    };
    let edges = (0..count).map(|_| edge(bytes)).collect();
    Thread::Graph(points, atomic, edges)
}

/// An instruction. Calls need the edge of a graph.
fn instruction(bytes: &mut Bytes<'_>, in_graph: bool) -> Instruction {
    let [kind, first, second] = bytes.take::<PER_INSTRUCTION>();
    let (x, y) = (first % SCALARS, second % SCALARS);
    let (r, s) = (first % REGISTERS, second % REGISTERS);
    let v = i64::from(second / 2 % 3);
    match kind % if in_graph { 20 } else { 19 } {
        0 => Instruction::Store(x, v),
        1 => Instruction::StoreRegister(x, s),
        2 => Instruction::Load(r, y),
        3 => Instruction::StoreElement(r, v),
        4 => Instruction::LoadElement(r, s),
        5 => Instruction::Fence,
        6 => Instruction::StoreFence,
        7 => Instruction::Sync,
        8 => Instruction::Exchange(r, y, v),
        9 => Instruction::FetchAdd(r, y),
        10 => Instruction::AtomicWrite(x, v),
        11 => Instruction::Assume(x, v),
        12 => Instruction::Assert(x, v),
        13 => Instruction::Swap(x, s),
        14 => Instruction::Two(x, y, v),
        15 => Instruction::Ghost(r),
        16 => Instruction::Count(r),
        17 => Instruction::Divide(r, s, v),
        18 => Instruction::Spawn(r),
        _ => Instruction::Call(r),
    }
}

/// Bytes that never end.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn below(&mut self, most: u8) -> u8 {
        self.next() % most
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bytes_are_a_program() {
        let (draft, memory) = decode(&[]);
        assert_eq!(draft.threads.len(), 2);
        assert_eq!(memory.model, MemoryModel::EVERY[0]);
        draft.program();
    }

    #[test]
    fn every_kind_of_instruction_is_drawn() {
        let mut kinds = std::collections::BTreeSet::new();
        for kind in 0..20 {
            let drawn = instruction(&mut Bytes(&[kind, 0, 0]), true);
            kinds.insert(format!("{:?}", std::mem::discriminant(&drawn)));
        }
        assert_eq!(kinds.len(), 20);
    }
}
