//! Where the control state of each process lies: program point, registers, call stack, pid.

use taut_ir::ranges::Ranges;
use taut_ir::{Control, Interval, Lifecycle, PointId, ProcId, ProcedureId, Program, RegId, Start};
use taut_memory::{Field, LayoutBuilder};

use super::constants::Constants;

/// The fields of one process.
pub(crate) struct ProcessLayout {
    pub(crate) pc: Field,
    /// Whether there are times when it does not live.
    pub(crate) may_be_absent: bool,
    /// The elements of each register; one for a scalar.
    pub(crate) registers: Vec<Box<[Field]>>,
    /// The stack, if the process calls procedures at all.
    pub(crate) stack: Option<Stack>,
    /// Its number, if processes have one.
    pub(crate) pid: Option<Field>,
}

/// A call stack: a depth and that many frames in use.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub(crate) depth: Field,
    pub(crate) frames: Vec<Frame>,
}

/// A frame: where to go on, and the bits of the procedure's registers before the call.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) return_to: Field,
    pub(crate) saved: Vec<Field>,
}

impl ProcessLayout {
    pub(crate) fn new(
        program: &Program,
        ranges: &Ranges,
        constants: &Constants,
        process: ProcId,
        layout: &mut LayoutBuilder,
    ) -> ProcessLayout {
        let def = program.def_of(process);
        let may_be_absent = may_be_absent(program, process);
        let lo = if may_be_absent { -1 } else { 0 };
        let pc = layout.add(Interval { lo, hi: def.points.len() as i64 - 1 });
        let registers = def.registers.iter().enumerate().map(|(i, register)| {
            let interval = ranges.register(process, RegId::from(i));
            let element = |e| match constants.register(program, process, RegId::from(i), e) {
                Some(value) => layout.add(Interval::single(value)),
                None => layout.add(interval),
            };
            (0..register.size()).map(element).collect()
        });
        let registers: Vec<Box<[Field]>> = registers.collect();
        let stack = Stack::new(program, process, &registers, layout);
        let on_stack = program.lifecycle == Lifecycle::Stack;
        let pid = on_stack.then(|| layout.add(ranges.pid(process)));
        ProcessLayout { pc, may_be_absent, registers, stack, pid }
    }

    /// The bits of `pc` at a program point.
    pub(crate) fn at(&self, point: PointId) -> u64 {
        u64::from(point.0) + u64::from(self.may_be_absent)
    }

    /// The fields of a procedure's own registers, elements in order.
    pub(crate) fn own_fields(
        &self,
        program: &Program,
        process: ProcId,
        id: ProcedureId,
    ) -> Vec<Field> {
        let procedure = &program.def_of(process).procedures[id.index()];
        procedure.registers.iter().flat_map(|r| self.registers[r.index()].iter().copied()).collect()
    }
}

/// Whether there are times when a process does not live: it waits to be spawned, or it can exit.
fn may_be_absent(program: &Program, process: ProcId) -> bool {
    let exits = || program.def_of(process).steps.iter().any(|s| s.target == Control::Exit);
    program.process(process).start == Start::Spawned || exits()
}

/// How many processes live, where that is asked for and changes.
pub(crate) fn living(program: &Program, layout: &mut LayoutBuilder) -> Field {
    let exits = program.defs.iter().flat_map(|d| &d.steps).any(|s| s.target == Control::Exit);
    let changes = program.lifecycle == Lifecycle::Stack && (exits || program.spawns());
    if changes {
        return layout.add(Interval { lo: 0, hi: program.processes.len() as i64 });
    }
    let initially = program.processes.iter().filter(|p| p.start == Start::Initially).count();
    layout.add(Interval::single(initially as i64))
}

impl Stack {
    fn new(
        program: &Program,
        process: ProcId,
        registers: &[Box<[Field]>],
        layout: &mut LayoutBuilder,
    ) -> Option<Stack> {
        let def = program.def_of(process);
        let calls = def.steps.iter().any(|s| matches!(s.target, Control::Call { .. }));
        if !calls {
            return None;
        }
        let mut widths: Vec<u32> = Vec::new();
        for procedure in &def.procedures {
            let own = procedure.registers.iter().flat_map(|r| registers[r.index()].iter());
            for (i, field) in own.enumerate() {
                widths.resize(widths.len().max(i + 1), 0);
                widths[i] = widths[i].max(field.width());
            }
        }
        let point = Interval { lo: 0, hi: def.points.len() as i64 - 1 };
        let frame = |layout: &mut LayoutBuilder| Frame {
            return_to: layout.add(point),
            saved: widths.iter().map(|&w| layout.add_bits(w)).collect(),
        };
        let depth = layout.add(Interval { lo: 0, hi: i64::from(program.call_depth) });
        let frames = (0..program.call_depth).map(|_| frame(layout)).collect();
        Some(Stack { depth, frames })
    }

    /// All fields of the stack.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> {
        let frames = self.frames.iter();
        let in_frames = frames.flat_map(|f| f.saved.iter().copied().chain([f.return_to]));
        in_frames.chain([self.depth])
    }
}
