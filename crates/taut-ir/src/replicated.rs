//! Programs with any number of processes of a definition ([`Program::replicated`]).
//!
//! Such a program stands for all its *instances*: the programs with so many processes of each of these definitions. Its
//! own list of processes has those that properties name, `p[0]` up to the largest number, and at least one; every
//! instance has them in the same places, and the others at the end of the list. So a [`crate::ProcId`] of the program is
//! one of each instance.
//!
//! More processes can only do more: a process that never moves is in no other's way. So a state that one instance
//! reaches is, but for processes that have not started, reached by every larger one.

use crate::{DefId, ProcId, Process, Program};

/// The number of processes of a definition in an instance.
pub type Count = (DefId, u32);

impl Program {
    /// Whether there is any number of processes of a definition.
    pub fn is_replicated(&self, def: DefId) -> bool {
        self.replicated.contains(&def)
    }

    /// The processes of a definition, in their order.
    pub fn processes_of(&self, def: DefId) -> impl Iterator<Item = ProcId> {
        self.process_ids().filter(move |&p| self.process(p).def == def)
    }

    /// The smallest numbers of processes that an instance has: those that properties name.
    pub fn least_counts(&self) -> Vec<Count> {
        let of = |&def: &DefId| (def, self.processes_of(def).count() as u32);
        self.replicated.iter().map(of).collect()
    }

    /// The instance with so many processes of each definition; where less is asked for than there must be, with the
    /// smallest number.
    #[must_use]
    pub fn instance(&self, counts: &[Count]) -> Program {
        let mut instance = Program { replicated: Vec::new(), ..self.clone() };
        for &(def, count) in counts {
            let least = self.processes_of(def).count() as u32;
            for number in least..count {
                let process = self.another(def, number);
                instance.processes.push(process);
            }
        }
        instance
    }

    /// The process of a definition with a number that the program does not have.
    pub fn another(&self, def: DefId, number: u32) -> Process {
        let code = &self.defs[def.index()];
        let first = self.processes_of(def).next().map(|p| self.process(p));
        // A parameter is the number of the process, as far as its type goes: no step looks at it.
        let fit = |(i, value): (usize, &i64)| match code.registers.get(i).map(|r| r.ty) {
            Some(ty) if *value == 0 && ty.contains(i64::from(number)) => i64::from(number),
            _ => *value,
        };
        let args = first.map_or(Vec::new(), |p| p.args.iter().enumerate().map(fit).collect());
        let start = first.map_or(crate::Start::Initially, |p| p.start);
        let name = format!("{}[{number}]", code.name);
        Process { name, def, args, start, channels: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_keep_the_processes_that_are_there() {
        let mut program = Program { name: "any".into(), ..Program::default() };
        program.defs.push(crate::ProcessDef {
            name: "p".into(),
            registers: Vec::new(),
            params: 0,
            points: vec![crate::ProgramPoint::default()],
            entry: crate::PointId(0),
            steps: Vec::new(),
            procedures: Vec::new(),
            channel_registers: Vec::new(),
            span: crate::Span::NONE,
        });
        let one = |name: &str| Process {
            name: name.into(),
            def: DefId(0),
            args: Vec::new(),
            start: crate::Start::Initially,
            channels: Vec::new(),
        };
        program.processes = vec![one("p[0]")];
        program.replicated = vec![DefId(0)];
        assert_eq!(program.least_counts(), [(DefId(0), 1)]);
        let three = program.instance(&[(DefId(0), 3)]);
        let names: Vec<&str> = three.processes.iter().map(|p| p.name.as_str()).collect();
        assert_eq!((names, three.replicated.len()), (vec!["p[0]", "p[1]", "p[2]"], 0));
        assert_eq!(program.instance(&[(DefId(0), 0)]).processes.len(), 1);
    }
}
