//! Positions of the search as short strings of bytes, one for each position.

use taut_witness::State;
use taut_witness::buffer::Item;
use taut_witness::happens::Object;

use crate::attack::{Attack, Mark};

/// The bytes of a state and of the attack on the way in it.
pub(crate) fn encode(state: &State, attack: Option<&Attack>) -> Box<[u8]> {
    let mut out = Bytes(Vec::with_capacity(64));
    state.memory.iter().flatten().for_each(|&value| out.number(value));
    for process in &state.processes {
        out.number(if process.started { i64::from(process.point.0) + 1 } else { 0 });
        if process.started {
            out.process(process);
        }
    }
    for messages in &state.channels {
        out.count(messages.len());
        messages.iter().flatten().for_each(|&value| out.number(value));
    }
    if let Some(attack) = attack {
        out.attack(attack);
    }
    out.0.into_boxed_slice()
}

struct Bytes(Vec<u8>);

impl Bytes {
    /// A number of any size: seven bits per byte, the sign in the lowest bit.
    fn number(&mut self, value: i64) {
        let mut rest = ((value << 1) ^ (value >> 63)) as u64;
        while rest >= 0x80 {
            self.0.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.0.push(rest as u8);
    }

    fn count(&mut self, count: usize) {
        self.number(count as i64);
    }

    fn process(&mut self, process: &taut_witness::ProcessState) {
        self.number(i64::from(process.pid));
        process.registers.iter().flatten().for_each(|&value| self.number(value));
        self.count(process.stack.len());
        for frame in &process.stack {
            self.number(i64::from(frame.procedure.0));
            self.number(i64::from(frame.return_to.0));
            frame.saved.iter().flatten().for_each(|&value| self.number(value));
        }
        self.count(process.buffer.items().len());
        for item in process.buffer.items() {
            match item {
                Item::Barrier => self.number(-1),
                Item::Store(entry) => {
                    self.number(i64::from(entry.address.var.0));
                    self.number(i64::from(entry.address.index));
                    self.number(entry.value);
                }
            }
        }
    }

    fn attack(&mut self, attack: &Attack) {
        self.number(i64::from(attack.process.0));
        self.object(Object::Cell(attack.aim));
        self.count(attack.after.len());
        attack.after.iter().for_each(|p| self.number(i64::from(p.0)));
        for (&object, &mark) in &attack.marks {
            self.object(object);
            self.number(i64::from(mark == Mark::Stored));
        }
    }

    fn object(&mut self, object: Object) {
        let (kind, first, second) = match object {
            Object::Cell(address) => (0, address.var.0, address.index),
            Object::Channel(channel) => (1, channel.0, 0),
            Object::Processes => (2, 0, 0),
        };
        [kind, i64::from(first), i64::from(second)].into_iter().for_each(|n| self.number(n));
    }
}
