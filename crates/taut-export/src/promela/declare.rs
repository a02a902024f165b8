//! Declarations: memory, registers, buffers, and what else an export needs.

use taut_ir::{Buffers, Control, Interval, Lifecycle, ProcId, Process, RegId};

use super::claims::Around;
use super::priority::TOP;
use super::{Exporter, comment};
use crate::ExportError;
use crate::text::Text;

/// The smallest Promela type for an interval.
fn type_of(interval: Interval) -> Option<&'static str> {
    let fits = |lo: i64, hi: i64| lo <= interval.lo && interval.hi <= hi;
    if fits(0, 255) {
        Some("byte")
    } else if fits(i64::from(i16::MIN), i64::from(i16::MAX)) {
        Some("short")
    } else if fits(i64::from(i32::MIN), i64::from(i32::MAX)) {
        Some("int")
    } else {
        None
    }
}

pub(super) fn typed(what: &str, interval: Interval) -> Result<&'static str, ExportError> {
    type_of(interval).ok_or_else(|| {
        let Interval { lo, hi } = interval;
        ExportError::new(format!("{what} holds values from {lo} to {hi}; Promela has 32 bits"))
    })
}

fn list(values: &[i64]) -> String {
    let values: Vec<_> = values.iter().map(i64::to_string).collect();
    format!("{{ {} }}", values.join(", "))
}

impl Exporter<'_> {
    pub(super) fn declarations(&self, text: &mut Text, around: Around) -> Result<(), ExportError> {
        let model = self.memory.model.name().to_uppercase();
        text.line(&format!("/* {} under {model} */", comment(&self.program.name)));
        self.explain_claims(text, around.asserts);
        text.line("");
        self.declare_memory(text)?;
        for process in self.program.process_ids() {
            self.declare_process(text, process)?;
        }
        self.declare_channels(text)?;
        if self.has_holder {
            text.line("short holder; /* who keeps the others from moving */");
        }
        if self.program.priorities.is_some() {
            text.line(&format!(
                "byte {TOP}; /* the highest priority that may move; 0 between steps */"
            ));
        }
        if self.program.lifecycle == Lifecycle::Stack {
            let initial = self.program.process_ids().filter(|&p| !self.is_spawned(p)).count();
            text.line(&format!("short living = {initial}; /* how many processes there are */"));
        }
        if around.over {
            text.line("bool over; /* something went wrong, or a bound stops everything */");
        }
        if self.infinite_runs {
            text.line("bool ended; /* nothing can happen any more */");
        }
        for i in 0..self.most_temporaries() {
            text.line(&format!("int tmp{i}, idx{i}; /* 0 between steps */"));
        }
        Ok(())
    }

    fn declare_memory(&self, text: &mut Text) -> Result<(), ExportError> {
        if self.places.is_empty() {
            return Ok(());
        }
        for var in self.program.var_ids() {
            let (name, first) = (self.names.var(var), self.places.of(var, 0).0);
            match self.program.var(var).len {
                None => text.line(&format!("/* {name}: mem[{first}] */")),
                Some(len) => text.line(&format!("/* {name}[0..{}]: mem[{first}..] */", len - 1)),
            }
        }
        let ty = self.memory_type()?;
        let init: Vec<_> = self.places.ids().map(|p| self.places.init(p)).collect();
        text.line(&format!("{ty} mem[{}] = {};", init.len(), list(&init)));
        Ok(())
    }

    /// The type of memory and of buffered values.
    fn memory_type(&self) -> Result<&'static str, ExportError> {
        let all = self.places.ids().map(|p| self.places.interval(p)).reduce(Interval::join);
        typed("memory", all.unwrap_or(Interval::BOOL))
    }

    fn declare_process(&self, text: &mut Text, process: ProcId) -> Result<(), ExportError> {
        text.line("");
        let def = self.program.def_of(process);
        for (i, register) in def.registers.iter().enumerate() {
            let id = RegId::from(i);
            let name = self.names.register(process, id);
            let ty = typed(&format!("register `{name}`"), self.ranges.register(process, id))?;
            let init = self.initial_values(process, id);
            match register.len {
                None => text.line(&format!("{ty} {name} = {};", init[0])),
                Some(len) => text.line(&format!("{ty} {name}[{len}] = {};", list(&init))),
            }
        }
        let own = |what: &str| self.names.own(process, what);
        if self.has_flag(process) {
            let lives = if self.is_spawned(process) { 0 } else { 1 };
            text.line(&format!("bool {} = {lives};", own("go")));
        }
        if self.program.lifecycle == Lifecycle::Stack {
            let pid = if self.is_spawned(process) { 0 } else { process.0 };
            text.line(&format!("short {} = {pid};", own("pid")));
        }
        if self.observed[process.index()] {
            let at_start = if self.is_spawned(process) { 0 } else { def.entry.0 + 1 };
            text.line(&format!("short {} = {at_start};", own("pc")));
        }
        if self.calls(process) {
            self.declare_stack(text, process);
        }
        self.declare_buffers(text, process)
    }

    /// What a register holds before anything happens.
    fn initial_values(&self, process: ProcId, id: RegId) -> Vec<i64> {
        let register = self.program.register(process, id);
        if self.is_spawned(process) {
            return vec![0; register.init.len()];
        }
        let Process { args, channels, .. } = self.program.process(process);
        let mut init = match args.get(id.index()) {
            Some(&argument) => vec![argument],
            None => register.init.clone(),
        };
        let own = self.program.def_of(process).channel_registers.iter().zip(channels);
        for ((_, index), channel) in own.filter(|((r, _), _)| *r == id) {
            init[*index as usize] = channel.value();
        }
        init
    }

    fn declare_stack(&self, text: &mut Text, process: ProcId) {
        let own = |what: &str| self.names.own(process, what);
        let depth = self.program.call_depth;
        text.line(&format!("byte {};", own("sp")));
        text.line(&format!("short {}[{depth}], {};", own("ret"), own("to")));
        let saved = self.most_saved(process) * depth;
        if saved > 0 {
            text.line(&format!("int {}[{saved}];", own("saved")));
        }
    }

    /// How many values a call saves at most.
    pub(super) fn most_saved(&self, process: ProcId) -> u32 {
        let def = self.program.def_of(process);
        let size = |r: &RegId| def.registers[r.index()].size();
        def.procedures.iter().map(|p| p.registers.iter().map(size).sum()).max().unwrap_or(0)
    }

    fn declare_buffers(&self, text: &mut Text, process: ProcId) -> Result<(), ExportError> {
        if self.buffered(process).is_empty() {
            return Ok(());
        }
        let own = |what: &str| self.names.own(process, what);
        let (ty, places, bound) = (self.memory_type()?, self.places.len(), self.bound as usize);
        match self.memory.model.buffers() {
            Buffers::None => {}
            Buffers::PerProcess => {
                text.line(&format!("byte {}, {}[{bound}];", own("len"), own("at")));
                text.line(&format!("{ty} {}[{bound}];", own("val")));
                text.line(&format!("byte {}[{places}];", own("cnt")));
                text.line(&format!("{ty} {}[{places}];", own("new")));
            }
            Buffers::PerCell | Buffers::Slot => {
                text.line(&format!("byte {}[{places}];", own("len")));
                text.line(&format!("{ty} {}[{}];", own("val"), places * bound));
                if self.has_fences(process) {
                    text.line(&format!(
                        "byte {}[{}], {};",
                        own("epoch"),
                        places * bound,
                        own("now")
                    ));
                }
            }
        }
        Ok(())
    }

    /// How many assignments happen at the same time at most, or arguments are passed.
    fn most_temporaries(&self) -> usize {
        let steps = self.program.defs.iter().flat_map(|d| &d.steps);
        let needed = steps.map(|step| {
            let at_once = step.effects.iter().map(|effect| match effect {
                taut_ir::Effect::Assign(list) if list.len() > 1 => list.len(),
                taut_ir::Effect::Spawn { args, .. } => args.len(),
                _ => 0,
            });
            let passed = match &step.target {
                Control::Call { args, .. } => args.len(),
                _ => 0,
            };
            at_once.chain([passed]).max().unwrap_or(0)
        });
        needed.max().unwrap_or(0)
    }
}
