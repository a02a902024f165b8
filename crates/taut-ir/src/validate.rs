//! Whether a program is well formed: what every engine relies on and no engine checks again.
//!
//! Front ends report the user's mistakes in the user's words; this is the second line, which also guards
//! programs built through the Rust API.

use std::collections::HashSet;
use std::fmt;

use taut_ltl::{Automaton, MOST_BITS};

use crate::{
    ChannelOp, Control, Effect, Expr, Lifecycle, Lvalue, Process, ProcessDef, Program,
    ProgramPoint, PropertyKind, RegId, Start, Step, Type, VarId, VarKind, priority,
};

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError(String);

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ValidationError {}

/// Everything that is wrong with a program.
pub fn validate(program: &Program) -> Result<(), Vec<ValidationError>> {
    let _phase = taut_budget::phase("the program is validated");
    let mut check = Check { program, errors: Vec::new() };
    check.variables();
    check.channels();
    for def in &program.defs {
        check.def(def);
    }
    check.processes();
    check.properties();
    check.errors.extend(priority::mistakes(program).map(ValidationError));
    check.event_trace();
    if check.errors.is_empty() { Ok(()) } else { Err(check.errors) }
}

struct Check<'p> {
    program: &'p Program,
    errors: Vec<ValidationError>,
}

/// Where an expression stands: whose registers it may name.
#[derive(Clone, Copy)]
enum Scope<'p> {
    Process(&'p ProcessDef),
    Property,
}

impl<'p> Check<'p> {
    fn error(&mut self, message: impl Into<String>) {
        self.errors.push(ValidationError(message.into()));
    }

    /// The ghost of a trace assertion is there and holds the numbers of the assertion's states.
    fn event_trace(&mut self) {
        let Some(trace) = &self.program.event_trace else { return };
        let Some(var) = self.program.vars.get(trace.state.index()) else {
            return self.error("the variable of the trace assertion does not exist");
        };
        let fits = var.len.is_none() && var.ty.lo == 0 && var.ty.hi < trace.states.len() as i64;
        if var.kind != VarKind::Ghost || !fits {
            self.error(format!("`{}` cannot hold the state of a trace assertion", var.name));
        }
    }

    fn require(&mut self, condition: bool, message: impl FnOnce() -> String) {
        if !condition {
            self.error(message());
        }
    }

    fn storage(&mut self, name: &str, ty: Type, len: Option<u32>, init: &[i64]) {
        self.require(ty.lo <= ty.hi, || format!("`{name}` has an empty range"));
        self.require(len != Some(0), || format!("array `{name}` has no elements"));
        let size = len.unwrap_or(1) as usize;
        self.require(init.len() == size, || format!("`{name}` needs {size} initial values"));
        let fits = init.iter().all(|&v| ty.contains(v));
        self.require(fits, || format!("an initial value of `{name}` is outside of its range"));
    }

    fn variables(&mut self) {
        let mut names = HashSet::new();
        for v in &self.program.vars {
            self.storage(&v.name, v.ty, v.len, &v.init);
            let first = names.insert(v.name.as_str());
            self.require(first, || format!("variable `{}` is declared twice", v.name));
        }
    }

    fn def(&mut self, def: &'p ProcessDef) {
        for r in &def.registers {
            self.storage(&r.name, r.ty, r.len, &r.init);
        }
        let params = def.params as usize;
        self.require(params <= def.registers.len(), || format!("`{}`: parameters", def.name));
        let scalar = def.registers.iter().take(params).all(|r| r.len.is_none());
        self.require(scalar, || format!("a parameter of `{}` is an array", def.name));
        self.point(def, def.entry);
        let atomic = def.points.get(def.entry.index()).is_some_and(|l| l.atomic);
        self.require(!atomic, || format!("`{}` starts inside an atomic section", def.name));
        for procedure in &def.procedures {
            self.point(def, procedure.entry);
            let known = procedure.registers.iter().all(|r| r.index() < def.registers.len());
            self.require(known, || format!("procedure `{}`: unknown register", procedure.name));
            let enough = procedure.params as usize <= procedure.registers.len();
            self.require(enough, || format!("procedure `{}`: parameters", procedure.name));
        }
        for step in &def.steps {
            self.step(def, step);
        }
        self.returns_inside_procedures(def);
    }

    fn returns_inside_procedures(&mut self, def: &ProcessDef) {
        let in_range = |s: &Step| s.source.index() < def.points.len();
        if !def.steps.iter().all(in_range) || !self.errors.is_empty() {
            return;
        }
        let owner = def.procedure_of();
        let stray = def
            .steps
            .iter()
            .any(|s| s.target == Control::Return && owner[s.source.index()].is_none());
        self.require(!stray, || format!("`{}` returns outside of a procedure", def.name));
    }

    fn point(&mut self, def: &ProcessDef, id: crate::PointId) {
        self.require(id.index() < def.points.len(), || {
            format!("`{}` has no program point {}", def.name, id.0)
        });
    }

    fn step(&mut self, def: &'p ProcessDef, step: &'p Step) {
        taut_budget::tick();
        self.point(def, step.source);
        match &step.target {
            Control::Goto(to) => self.point(def, *to),
            Control::Call { procedure, args, return_to } => {
                self.point(def, *return_to);
                match def.procedures.get(procedure.index()) {
                    Some(p) => self.require(args.len() == p.params as usize, || {
                        format!("procedure `{}` takes {} arguments", p.name, p.params)
                    }),
                    None => self.error(format!("`{}` calls an unknown procedure", def.name)),
                }
            }
            Control::Return => {}
            Control::Exit => self.exit(step),
        }
        for expr in step.expressions() {
            self.expr(Scope::Process(def), expr);
        }
        for effect in &step.effects {
            self.effect(def, effect);
        }
        for place in step.channel.iter().flat_map(ChannelOp::places) {
            self.place(def, place);
        }
        self.yields(def, step);
    }

    /// What a step yields to leaves the same program point and comes to an end.
    fn yields(&mut self, def: &ProcessDef, step: &Step) {
        let mut todo = step.yields_to.clone();
        let mut seen = 0;
        while let Some(id) = todo.pop() {
            taut_budget::tick();
            seen += 1;
            let other = def.steps.get(id.index());
            let Some(other) = other.filter(|o| o.source == step.source) else {
                return self.error(format!("`{}`: a step yields to one elsewhere", def.name));
            };
            if seen > def.steps.len() * def.steps.len() {
                return self.error(format!("`{}`: steps yield to each other", def.name));
            }
            todo.extend(&other.yields_to);
        }
    }

    /// Who leaves takes nothing along: no message, no child with a pid that is about to be free, no store in
    /// a buffer that is about to be gone.
    fn exit(&mut self, step: &Step) {
        self.stack_only("an exit");
        let spawns = step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }));
        let kept = |a: &crate::Assignment| match a.place.variable() {
            Some(v) => self.program.vars.get(v.index()).is_none_or(|v| v.kind == VarKind::Ghost),
            None => true,
        };
        let buffered = !step.assignments().all(|a| a.atomic || kept(a));
        let busy = step.channel.is_some() || spawns || buffered;
        self.require(!busy, || "a step that exits does something else that lasts".into());
    }

    fn stack_only(&mut self, what: &str) {
        let stack = self.program.lifecycle == Lifecycle::Stack;
        self.require(stack, || format!("{what} where processes live on no stack"));
    }

    fn channels(&mut self) {
        for c in &self.program.channels {
            self.require(!c.fields.is_empty(), || format!("channel `{}` has no fields", c.name));
            let zero = c.fields.iter().all(|ty| ty.contains(0));
            self.require(zero, || format!("a field of channel `{}` cannot be 0", c.name));
        }
    }

    fn effect(&mut self, def: &'p ProcessDef, effect: &'p Effect) {
        match effect {
            Effect::Assign(list) => {
                self.require(!list.is_empty(), || "an assignment to nothing".into());
                for a in list {
                    self.place(def, &a.place);
                    let shared = a.place.variable().is_some();
                    self.require(!a.atomic || shared, || "an atomic write to a register".into());
                }
            }
            Effect::Assert { property, .. } => {
                let kind = self.program.properties.get(property.index()).map(|p| &p.kind);
                self.require(kind == Some(&PropertyKind::Assert), || {
                    "an assertion names a property that is no assertion".into()
                });
            }
            Effect::StoreFence | Effect::Fail(_) => {}
            Effect::Spawn { def: child, args, pid } => self.spawn(def, *child, args, pid.as_ref()),
        }
    }

    fn spawn(
        &mut self,
        parent: &'p ProcessDef,
        def: crate::DefId,
        args: &[Expr],
        pid: Option<&'p Lvalue>,
    ) {
        if let Some(place) = pid {
            self.stack_only("a pid");
            self.place(parent, place);
        }
        match self.program.defs.get(def.index()) {
            Some(d) => self.require(args.len() == d.params as usize, || {
                format!("process `{}` takes {} arguments", d.name, d.params)
            }),
            None => self.error("an unknown process is spawned"),
        }
    }

    fn place(&mut self, def: &'p ProcessDef, place: &'p Lvalue) {
        match place {
            Lvalue::Reg(r) => self.register(def, *r, false),
            Lvalue::RegElem(r, _) => self.register(def, *r, true),
            Lvalue::Var(v) => self.var(*v, false),
            Lvalue::VarElem(v, _) => self.var(*v, true),
        }
    }

    fn register(&mut self, def: &ProcessDef, id: RegId, indexed: bool) {
        match def.registers.get(id.index()) {
            Some(r) => self.indexed(&r.name, r.len.is_some(), indexed),
            None => self.error(format!("`{}` has no register {}", def.name, id.0)),
        }
    }

    fn var(&mut self, id: VarId, indexed: bool) {
        match self.program.vars.get(id.index()) {
            Some(v) => self.indexed(&v.name, v.len.is_some(), indexed),
            None => self.error(format!("there is no variable {}", id.0)),
        }
    }

    fn indexed(&mut self, name: &str, array: bool, indexed: bool) {
        self.require(array == indexed, || match array {
            true => format!("array `{name}` is used without an index"),
            false => format!("`{name}` is no array"),
        });
    }

    fn expr(&mut self, scope: Scope<'p>, expr: &'p Expr) {
        taut_budget::tick();
        match (expr, scope) {
            (Expr::Reg(r), Scope::Process(def)) => self.register(def, *r, false),
            (Expr::RegElem(r, _), Scope::Process(def)) => self.register(def, *r, true),
            (Expr::Reg(_) | Expr::RegElem(..), Scope::Property) => {
                self.error("a property names a register without its process");
            }
            (Expr::Var(v), _) => self.var(*v, false),
            (Expr::VarElem(v, _), _) => self.var(*v, true),
            (Expr::Drained(_) | Expr::Enabled(_), Scope::Process(def)) => {
                self.error(format!("`{}` looks into another process", def.name));
            }
            (Expr::In(_, inner), Scope::Process(def))
                if matches!(**inner, Expr::Var(_) | Expr::VarElem(..)) =>
            {
                self.error(format!("`{}` looks at the view of another process", def.name));
            }
            (Expr::In(p, inner), _) => return self.inside(*p, inner),
            (Expr::Pid, Scope::Property) => self.error("a property asks for a pid of nobody"),
            (Expr::Pid, Scope::Process(_)) | (Expr::Processes, _) => self.stack_only("a pid"),
            (Expr::Timeout, Scope::Property) => self.error("a property asks for a timeout"),
            (Expr::At(p, points), _) => {
                if self.process(*p) {
                    let def = self.program.def_of(*p);
                    points.iter().for_each(|&l| self.point(def, l));
                }
            }
            (Expr::Drained(p) | Expr::Enabled(p), Scope::Property) | (Expr::Alive(p), _) => {
                self.process(*p);
            }
            (
                Expr::Const(_)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Cond(..)
                | Expr::Channel(..)
                | Expr::Poll(_),
                _,
            )
            | (Expr::Timeout, Scope::Process(_)) => {}
        }
        for operand in expr.operands() {
            self.expr(scope, operand);
        }
    }

    fn inside(&mut self, p: crate::ProcId, inner: &'p Expr) {
        let read = matches!(
            inner,
            Expr::Reg(_) | Expr::RegElem(..) | Expr::Var(_) | Expr::VarElem(..) | Expr::Pid
        );
        self.require(read, || "a view is of a variable or a register".into());
        if self.process(p) {
            self.expr(Scope::Process(self.program.def_of(p)), inner);
        }
    }

    /// Requires that a process exists; whether it has code that can be looked at.
    fn process(&mut self, p: crate::ProcId) -> bool {
        let process = self.program.processes.get(p.index());
        self.require(process.is_some(), || format!("there is no process {}", p.0));
        process.is_some_and(|process| process.def.index() < self.program.defs.len())
    }

    fn processes(&mut self) {
        for &def in &self.program.replicated {
            let has_one = self.program.processes_of(def).next().is_some();
            self.require(has_one, || format!("any number of definition {}, but not one", def.0));
        }
        let mut waiting = false;
        for (index, p) in self.program.processes.iter().enumerate() {
            let first = self.program.find_process(&p.name).map(|p| p.index()) == Some(index);
            self.require(first, || format!("two processes are called `{}`", p.name));
            self.require(p.start == Start::Spawned || !waiting, || {
                "processes that wait to be spawned come last".into()
            });
            waiting |= p.start == Start::Spawned;
            match self.program.defs.get(p.def.index()) {
                Some(def) => self.arguments(p, def),
                None => self.error(format!("process `{}` has no code", p.name)),
            }
        }
    }

    fn arguments(&mut self, p: &Process, def: &ProcessDef) {
        let expected = if p.start == Start::Spawned { 0 } else { def.params as usize };
        self.require(p.args.len() == expected, || {
            format!("process `{}` needs {expected} arguments", p.name)
        });
        let fit = p.args.iter().zip(&def.registers).all(|(&v, r)| r.ty.contains(v));
        self.require(fit, || format!("an argument of `{}` is out of range", p.name));
        let channels = p.channels.iter().all(|c| c.index() < self.program.channels.len());
        let registers = def.channel_registers.iter().all(|&(r, i)| {
            def.registers.get(r.index()).is_some_and(|register| i < register.size())
        });
        let as_many = p.channels.len() == def.channel_registers.len();
        self.require(channels && registers && as_many, || {
            format!("the channels of process `{}` do not fit its code", p.name)
        });
    }

    fn properties(&mut self) {
        let mut names = HashSet::new();
        for p in &self.program.properties {
            let first = names.insert(p.name.as_str());
            self.require(first, || format!("two properties are called `{}`", p.name));
            p.kind.exprs().into_iter().for_each(|e| self.expr(Scope::Property, e));
            match &p.kind {
                PropertyKind::Assert => {}
                PropertyKind::Forbid(e) | PropertyKind::Cover(e) | PropertyKind::Invariant(e) => {
                    self.of_state(e)
                }
                PropertyKind::Ltl(ltl) => {
                    let atoms = ltl.formula.atoms().last().map_or(0, |a| a.index() + 1);
                    self.temporal(&p.name, atoms, ltl.atoms.len());
                }
                PropertyKind::Never(never) => {
                    self.temporal(&p.name, never.automaton.atoms, never.atoms.len());
                    self.automaton(&p.name, &never.automaton);
                }
            }
        }
    }

    fn automaton(&mut self, name: &str, automaton: &Automaton) {
        let edges = automaton.states.iter().flat_map(|state| &state.edges);
        let mut states = edges.map(|edge| edge.target).chain(automaton.initial.iter().copied());
        self.require(states.all(|state| (state as usize) < automaton.states.len()), || {
            format!("the automaton of `{name}` leads to a state that it does not have")
        });
        self.require(automaton.sets as usize <= MOST_BITS, || {
            format!("the automaton of `{name}` has more than {MOST_BITS} acceptance sets")
        });
    }

    /// What is asked of one state alone cannot know what may happen next.
    fn of_state(&mut self, expr: &Expr) {
        let mut asks = false;
        expr.visit(&mut |e| asks |= matches!(e, Expr::Enabled(_)));
        self.require(!asks, || "a property over states asks what is enabled".into());
    }

    fn temporal(&mut self, name: &str, used: usize, atoms: usize) {
        self.require(used <= atoms, || format!("an atom of `{name}` has no meaning"));
        self.require(atoms <= MOST_BITS, || {
            format!("`{name}` has {atoms} atoms, and {MOST_BITS} are the most that are possible")
        });
    }
}

impl ProgramPoint {
    /// A program point without labels.
    pub fn new() -> ProgramPoint {
        ProgramPoint::default()
    }

    /// Where a process ends.
    pub fn end() -> ProgramPoint {
        ProgramPoint { end: true, ..ProgramPoint::default() }
    }
}

impl VarKind {
    /// Whether stores to it wait in buffers.
    pub fn is_buffered(self) -> bool {
        self == VarKind::Shared
    }
}
