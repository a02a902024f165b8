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
    Control, DefId, Effect, Expr, LocId, Location, Mode, Place, ProcId, Process, ProcessDef,
    Program, PropId, Property, PropertyKind, RegId, Register, Span, Start, Step, Type, VarId,
    VarKind, Variable,
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
    here: LocId,
}

impl<'b> ProcessBuilder<'b> {
    fn new(program: &'b mut Program, name: &str) -> ProcessBuilder<'b> {
        let def = ProcessDef {
            name: name.into(),
            registers: Vec::new(),
            params: 0,
            locations: vec![Location::new()],
            entry: LocId(0),
            steps: Vec::new(),
            procedures: Vec::new(),
            span: Span::NONE,
        };
        ProcessBuilder { program, def, here: LocId(0) }
    }

    /// A register.
    pub fn register(&mut self, name: &str, ty: Type, init: i64) -> RegId {
        let id = RegId::from(self.def.registers.len());
        let register =
            Register { name: name.into(), ty, len: None, init: vec![init], span: Span::NONE };
        self.def.registers.push(register);
        id
    }

    /// A new location that nothing leads to yet.
    pub fn location(&mut self) -> LocId {
        let id = LocId::from(self.def.locations.len());
        self.def.locations.push(Location::new());
        id
    }

    /// The location the next statement starts from.
    pub fn here(&self) -> LocId {
        self.here
    }

    /// Lets the next statement start from a location.
    pub fn at(&mut self, location: LocId) -> &mut Self {
        self.here = location;
        self
    }

    /// Names the current location.
    pub fn label(&mut self, name: &str) -> &mut Self {
        self.def.locations[self.here.index()].labels.push(name.into());
        self
    }

    /// Adds an edge as it is.
    pub fn edge(&mut self, step: Step) -> &mut Self {
        self.def.steps.push(step);
        self
    }

    /// Adds a step from here to a new location, and goes there.
    pub fn step(&mut self, guard: Expr, mode: Mode, effects: Vec<Effect>) -> &mut Self {
        let (source, target) = (self.here, self.location());
        let target_control = Control::Goto(target);
        self.here = target;
        self.edge(Step { source, guard, mode, effects, target: target_control, span: Span::NONE })
    }

    /// `var := value`
    pub fn store(&mut self, var: VarId, value: impl Into<Expr>) -> &mut Self {
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Place::Var(var), value)])
    }

    /// `reg := var`
    pub fn load(&mut self, reg: RegId, var: VarId) -> &mut Self {
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Place::Reg(reg), var)])
    }

    /// `reg := value`
    pub fn set(&mut self, reg: RegId, value: impl Into<Expr>) -> &mut Self {
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Place::Reg(reg), value)])
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
        let to_reg = crate::Assignment { place: Place::Reg(reg), value: var.into(), atomic: false };
        let to_var =
            crate::Assignment { place: Place::Var(var), value: value.into(), atomic: false };
        self.step(Expr::TRUE, Mode::Locked, vec![Effect::Assign(vec![to_reg, to_var])])
    }

    /// `assert(condition)`
    pub fn assert(&mut self, name: &str, condition: Expr) -> &mut Self {
        let property = add_property(self.program, name.into(), PropertyKind::Assert);
        self.step(Expr::TRUE, Mode::Plain, vec![Effect::Assert { condition, property }])
    }

    /// Goes from here to a location; statements after it start from a location of their own.
    pub fn goto(&mut self, target: LocId) -> &mut Self {
        self.def.steps.push(Step::skip(self.here, target, Span::NONE));
        self.here = self.location();
        self
    }

    /// Ends the code: the process finishes here.
    pub fn finish(mut self) -> ProcId {
        self.def.locations[self.here.index()].end = true;
        let name = self.def.name.clone();
        let def = DefId::from(self.program.defs.len());
        self.program.defs.push(self.def);
        let id = ProcId::from(self.program.processes.len());
        self.program.processes.push(Process {
            name,
            def,
            args: Vec::new(),
            start: Start::Initially,
        });
        id
    }
}
