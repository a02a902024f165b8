//! Building programs from Rust.
//!
//! ```
//! use taut_ir::{build::ProgramBuilder, Expr, Type};
//!
//! let mut b = ProgramBuilder::new("store buffering");
//! let x = b.shared("x", Type::INT, 0);
//! let y = b.shared("y", Type::INT, 0);
//! let mut seen = Vec::new();
//! for (name, mine, other) in [("p", x, y), ("q", y, x)] {
//!     let mut p = b.process(name);
//!     let r = p.register("r", Type::INT, 7);
//!     p.store(mine, 1);
//!     p.load(r, other);
//!     let p = p.finish();
//!     seen.push(Expr::In(p, Box::new(Expr::Reg(r))).equals(Expr::Const(0)));
//! }
//! b.forbid("both see nothing", seen.remove(0).and(seen.remove(0)));
//! let program = b.build().unwrap();
//! assert_eq!(program.processes.len(), 2);
//! ```

use crate::{
    DefId, Effect, Expr, Lvalue, Mode, PointId, ProcId, Procedure, ProcedureId, Process,
    ProcessDef, Program, ProgramPoint, PropId, Property, PropertyKind, RegId, Register, Span,
    Start, Step, Type, VarId, VarKind, Variable,
    validate::{ValidationError, validate},
};

/// How deep calls nest unless something else is asked for.
pub const DEFAULT_CALL_DEPTH: u32 = 8;

/// Builds a [`Program`].
pub struct ProgramBuilder {
    program: Program,
}

impl ProgramBuilder {
    /// An empty program.
    pub fn new(name: impl Into<String>) -> ProgramBuilder {
        let program =
            Program { name: name.into(), call_depth: DEFAULT_CALL_DEPTH, ..Program::default() };
        ProgramBuilder { program }
    }

    fn variable(
        &mut self,
        kind: VarKind,
        name: &str,
        ty: Type,
        len: Option<u32>,
        init: Vec<i64>,
    ) -> VarId {
        let id = VarId::from(self.program.vars.len());
        let name = name.into();
        self.program.vars.push(Variable { name, kind, ty, len, init, span: Span::NONE });
        id
    }

    /// A shared variable.
    pub fn shared(&mut self, name: &str, ty: Type, init: i64) -> VarId {
        self.variable(VarKind::Shared, name, ty, None, vec![init])
    }

    /// A shared array, with one initial value for each element.
    pub fn shared_array(&mut self, name: &str, ty: Type, init: Vec<i64>) -> VarId {
        self.variable(VarKind::Shared, name, ty, Some(init.len() as u32), init)
    }

    /// A ghost variable.
    pub fn ghost(&mut self, name: &str, ty: Type, init: i64) -> VarId {
        self.variable(VarKind::Ghost, name, ty, None, vec![init])
    }

    /// How many calls may be open at once in one process.
    pub fn call_depth(&mut self, depth: u32) -> &mut Self {
        self.program.call_depth = depth;
        self
    }

    /// Lets so many processes of a definition be spawned at once. Call this after all processes that run
    /// from the start are there.
    pub fn spawn_slots(&mut self, def: DefId, count: u32) -> &mut Self {
        for i in 1..=count {
            let name = format!("{}#{i}", self.program.defs[def.index()].name);
            let start = Start::Spawned;
            self.program.processes.push(Process {
                name,
                def,
                args: Vec::new(),
                start,
                channels: Vec::new(),
            });
        }
        self
    }

    /// Begins the code of a process that is only ever spawned.
    pub fn template(&mut self, name: &str) -> ProcessBuilder<'_> {
        ProcessBuilder::new(&mut self.program, name)
    }

    /// Begins the code of a process that runs once, from the start.
    pub fn process(&mut self, name: &str) -> ProcessBuilder<'_> {
        ProcessBuilder::new(&mut self.program, name)
    }

    /// Adds a property: no reachable state satisfies the expression.
    pub fn forbid(&mut self, name: &str, bad: Expr) -> PropId {
        add_property(&mut self.program, name.into(), PropertyKind::Forbid(bad))
    }

    /// Adds a property: every reachable state satisfies the expression.
    pub fn invariant(&mut self, name: &str, good: Expr) -> PropId {
        add_property(&mut self.program, name.into(), PropertyKind::Invariant(good))
    }

    /// The program, if it is well formed.
    pub fn build(self) -> Result<Program, Vec<ValidationError>> {
        validate(&self.program)?;
        Ok(self.program)
    }
}

fn add_property(program: &mut Program, name: String, kind: PropertyKind) -> PropId {
    let id = PropId::from(program.properties.len());
    program.properties.push(Property { name, kind, span: Span::NONE });
    id
}

/// Builds the code of one process: statements follow each other; [`ProcessBuilder::edge`] adds anything
/// else.
pub struct ProcessBuilder<'b> {
    program: &'b mut Program,
    def: ProcessDef,
    here: PointId,
}

impl<'b> ProcessBuilder<'b> {
    fn new(program: &'b mut Program, name: &str) -> ProcessBuilder<'b> {
        let def = ProcessDef {
            name: name.into(),
            registers: Vec::new(),
            params: 0,
            points: vec![ProgramPoint::new()],
            entry: PointId(0),
            steps: Vec::new(),
            procedures: Vec::new(),
            channel_registers: Vec::new(),
            span: Span::NONE,
        };
        ProcessBuilder { program, def, here: PointId(0) }
    }

    /// A register.
    pub fn register(&mut self, name: &str, ty: Type, init: i64) -> RegId {
        let id = RegId::from(self.def.registers.len());
        let register =
            Register { name: name.into(), ty, len: None, init: vec![init], span: Span::NONE };
        self.def.registers.push(register);
        id
    }

    /// A parameter; parameters come before all other registers.
    pub fn parameter(&mut self, name: &str, ty: Type) -> RegId {
        assert_eq!(self.def.params as usize, self.def.registers.len(), "parameters come first");
        self.def.params += 1;
        self.register(name, ty, ty.fit(0).unwrap_or(ty.lo))
    }

    /// Declares a procedure whose code starts at a program point; the first `params` of its registers are its
    /// parameters.
    pub fn procedure(
        &mut self,
        name: &str,
        entry: PointId,
        registers: Vec<RegId>,
        params: u32,
    ) -> ProcedureId {
        let id = ProcedureId::from(self.def.procedures.len());
        self.def.procedures.push(Procedure { name: name.into(), entry, registers, params });
        id
    }

    /// While the process is at this program point, nobody else moves and nothing commits.
    pub fn set_atomic(&mut self, point: PointId) -> &mut Self {
        self.def.points[point.index()].atomic = true;
        self
    }

    /// A new program point that nothing leads to yet.
    pub fn point(&mut self) -> PointId {
        let id = PointId::from(self.def.points.len());
        self.def.points.push(ProgramPoint::new());
        id
    }

    /// The program point the next statement starts from.
    pub fn here(&self) -> PointId {
        self.here
    }

    /// Lets the next statement start from a program point.
    pub fn at(&mut self, point: PointId) -> &mut Self {
        self.here = point;
        self
    }

    /// Names the current program point.
    pub fn label(&mut self, name: &str) -> &mut Self {
        self.def.points[self.here.index()].labels.push(name.into());
        self
    }

    /// Adds an edge as it is.
    pub fn edge(&mut self, step: Step) -> &mut Self {
        self.def.steps.push(step);
        self
    }

    /// Adds a step from here to a new program point, and goes there.
    pub fn step(&mut self, guard: Expr, mode: Mode, effects: Vec<Effect>) -> &mut Self {
        let (source, target) = (self.here, self.point());
        self.here = target;
        self.edge(Step { guard, mode, effects, ..Step::skip(source, target, Span::NONE) })
    }

    /// Says where the last step stands in its source.
    pub fn span(&mut self, span: Span) -> &mut Self {
        debug_assert!(!self.def.steps.is_empty(), "there is no step yet");
        if let Some(step) = self.def.steps.last_mut() {
            step.span = span;
        }
        self
    }

    /// `var := value`
    pub fn store(&mut self, var: VarId, value: impl Into<Expr>) -> &mut Self {
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::Var(var), value)])
    }

    /// `reg := var`
    pub fn load(&mut self, reg: RegId, var: VarId) -> &mut Self {
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::Reg(reg), var)])
    }

    /// `reg := value`
    pub fn set(&mut self, reg: RegId, value: impl Into<Expr>) -> &mut Self {
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::Reg(reg), value)])
    }

    /// Waits until the process's own buffer is empty.
    pub fn fence(&mut self) -> &mut Self {
        self.step(Expr::TRUE, Mode::Fence, vec![])
    }

    /// Waits until a condition is true.
    pub fn assume(&mut self, condition: Expr) -> &mut Self {
        self.step(condition, Mode::Plain, vec![])
    }

    /// `reg := xchg(var, value)`: the old value of the variable into the register, at once.
    pub fn exchange(&mut self, reg: RegId, var: VarId, value: impl Into<Expr>) -> &mut Self {
        let to_reg =
            crate::Assignment { place: Lvalue::Reg(reg), value: var.into(), atomic: false };
        let to_var =
            crate::Assignment { place: Lvalue::Var(var), value: value.into(), atomic: false };
        self.step(Expr::TRUE, Mode::Locked, vec![Effect::Assign(vec![to_reg, to_var])])
    }

    /// A new property for an assertion of this process, named by its number.
    pub fn assertion(&mut self) -> PropId {
        let name = format!("assert {}", self.program.properties.len());
        add_property(self.program, name, PropertyKind::Assert)
    }

    /// `assert(condition)`
    pub fn assert(&mut self, name: &str, condition: Expr) -> &mut Self {
        let property = add_property(self.program, name.into(), PropertyKind::Assert);
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::Assert { condition, property }])
    }

    /// Goes from here to a program point; statements after it start from a program point of their own.
    pub fn goto(&mut self, target: PointId) -> &mut Self {
        self.def.steps.push(Step::skip(self.here, target, Span::NONE));
        self.here = self.point();
        self
    }

    fn finish_def(mut self) -> (&'b mut Program, DefId) {
        self.def.points[self.here.index()].end = true;
        let def = DefId::from(self.program.defs.len());
        self.program.defs.push(self.def);
        (self.program, def)
    }

    /// Ends the code: a process finishes here. None runs from the start.
    pub fn finish_template(self) -> DefId {
        self.finish_def().1
    }

    /// Ends the code: the process finishes here. It takes no parameters.
    pub fn finish(self) -> ProcId {
        let name = self.def.name.clone();
        let (program, def) = self.finish_def();
        let id = ProcId::from(program.processes.len());
        program.processes.push(Process {
            name,
            def,
            args: Vec::new(),
            start: Start::Initially,
            channels: Vec::new(),
        });
        id
    }
}
