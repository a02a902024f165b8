//! Proctypes and processes: registers, parameters, initial values, and who runs from the start.

use std::rc::Rc;

use taut_ir::{
    ChanId, DefId, Effect, Expr, Lvalue, PointId, Process, ProcessDef, RegId, Register, Start,
};
use taut_source::{Diagnostic, Span};

use super::constant::{Known, cast, for_parent};
use super::flow::Flow;
use super::steps::Graph;
use super::storage::{Home, Leaf};
use super::table::{Table, breaks_into_steps};
use super::{BYTE, Lowering};
use crate::ast::{self, Declarator, Initial, Item, Sequence, StatementKind};
use crate::{VariableId, codes};

/// The most processes at once, as in SPIN.
const MOST_PROCESSES: usize = 255;

/// A proctype or `init`.
pub(super) struct Proctype<'m> {
    pub(super) def: DefId,
    body: &'m Sequence,
    provided: Option<&'m ast::Expr>,
    active: u32,
    span: Span,
    /// The initial values of the registers that are computed when a process starts, by register; they are
    /// parameters behind those of the text.
    computed: Vec<(RegId, Expr)>,
    /// How many parameters the text has, structures counted by their parts.
    given: usize,
    /// The counters of `for (m in q)`.
    counters: Vec<RegId>,
    /// The channels each process has of its own: name, length if it is an array, size and fields.
    own: Vec<OwnChannels<'m>>,
}

struct OwnChannels<'m> {
    name: String,
    len: Option<u32>,
    capacity: &'m ast::Expr,
    fields: &'m [ast::Type],
    span: Span,
}

/// A local variable with where it is declared; a parameter has no declaration at the start of the body.
struct Local<'m> {
    id: VariableId,
    declarator: Option<&'m Declarator>,
    /// Declared before the first statement: its initial value is there from the start.
    at_start: bool,
}

impl<'m> Lowering<'m> {
    /// Makes the definitions, with their registers, and the processes; code comes later.
    pub(super) fn proctypes(&mut self) {
        let infos = &self.symbols().proctypes;
        for (number, info) in infos.iter().enumerate() {
            let (body, parameters, provided) = match &self.parsed.model.items[info.item] {
                Item::Proctype(p) => (&p.body, &p.parameters[..], p.provided.as_ref()),
                Item::Init(init) => (&init.body, &[][..], None),
                _ => {
                    self.proctypes.push(None);
                    self.graphs.push(None);
                    continue;
                }
            };
            let active = if info.name == ":init:" { 1 } else { info.active };
            let def = DefId::from(self.program.defs.len());
            let name = info.name.trim_matches(':').to_owned();
            self.program.defs.push(empty_def(name, info.span));
            self.proctypes.push(Some(Proctype {
                def,
                body,
                provided,
                active,
                span: info.span,
                computed: Vec::new(),
                given: 0,
                counters: Vec::new(),
                own: Vec::new(),
            }));
            self.current = number;
            let locals = self.locals(number, parameters, body);
            self.registers(&locals);
            self.graph(number);
        }
        self.processes();
    }

    /// The variables of a proctype, in the order of declaration, each with its declarator.
    fn locals(
        &mut self,
        number: usize,
        parameters: &'m [ast::Variables],
        body: &'m Sequence,
    ) -> Vec<Local<'m>> {
        let mut declarators = Vec::new();
        for variables in parameters {
            declarators.extend(variables.list.iter().map(|d| (d, false)));
        }
        let mut at_start = true;
        collect(body, &mut at_start, &mut declarators);
        let owned = self.symbols().variables.iter().enumerate();
        let owned = owned.filter(|(_, v)| v.owner == Some(number as u32));
        let mut locals = Vec::new();
        for ((index, variable), (declarator, at_start)) in owned.zip(declarators) {
            let id = VariableId(index as u32);
            self.declared.insert(std::ptr::from_ref(declarator), id);
            let declarator = Some(declarator).filter(|_| !variable.parameter);
            locals.push(Local { id, declarator, at_start });
        }
        locals
    }

    /// Gives each local a register. Those whose initial value has to be computed come right behind the
    /// parameters, as parameters of their own.
    fn registers(&mut self, locals: &[Local<'m>]) {
        let (parameters, rest): (Vec<_>, Vec<_>) =
            locals.iter().partition(|l| l.declarator.is_none());
        for local in parameters {
            self.register_of(local);
        }
        let def = self.current().def;
        let given = self.program.defs[def.index()].registers.len();
        let (computed, plain): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|l| self.is_computed(l));
        for local in &computed {
            self.register_of(local);
        }
        let params = self.program.defs[def.index()].registers.len();
        self.program.defs[def.index()].params = params as u32;
        self.check_parameters(locals, given);
        for local in plain {
            self.register_of(local);
        }
        let mut initials = Vec::new();
        for local in &computed {
            if let (Some(Initial::Value(e)), Home::Reg(register)) = (
                local.declarator.and_then(|d| d.initial.as_ref()),
                self.storage.of(local.id)[0].home.clone(),
            ) {
                initials.push((register, self.expr(e)));
            }
        }
        let current = self.proctypes[self.current].as_mut().expect("a proctype");
        current.computed = initials;
        current.given = given;
    }

    /// Parameters are single values in the program; SPIN allows no arrays there either.
    fn check_parameters(&mut self, locals: &[Local<'m>], given: usize) {
        let def = self.current().def;
        let registers = &self.program.defs[def.index()].registers;
        let array = registers.iter().take(given).position(|r| r.len.is_some());
        if array.is_none() {
            return;
        }
        let variable = locals.iter().find(|l| l.declarator.is_none()).map(|l| l.id);
        let span = variable.map_or(Span::NONE, |id| self.symbols().variable(id).span);
        let text = "a parameter cannot be or contain an array".into();
        self.unsupported(text, span, "use a global array, or pass its elements");
    }

    /// Whether the initial value of a local has to be computed when a process starts.
    fn is_computed(&mut self, local: &Local<'m>) -> bool {
        let initial = local.declarator.and_then(|d| d.initial.as_ref());
        let plain = self.symbols().variable(local.id).size.is_none();
        match initial {
            Some(Initial::Value(e)) => {
                local.at_start && plain && !matches!(self.expr(e), Expr::Const(_))
            }
            _ => false,
        }
    }

    fn register_of(&mut self, local: &Local<'m>) {
        for index in 0..self.storage.of(local.id).len() {
            let leaf = self.storage.of(local.id)[index].clone();
            let register = self.new_register(local, &leaf);
            self.storage.of_mut(local.id)[index].home = Home::Reg(register);
        }
    }

    fn new_register(&mut self, local: &Local<'m>, leaf: &Leaf) -> RegId {
        let variable = self.symbols().variable(local.id);
        let name = leaf.name(&variable.name);
        let def = self.current().def;
        let id = RegId::from(self.program.defs[def.index()].registers.len());
        let initial = local.declarator.and_then(|d| self.initial_of(d, leaf));
        if let Some(Initial::Channel { capacity, fields, .. }) = initial {
            let (len, span) = (leaf.len(), variable.span);
            let own = OwnChannels { name: name.clone(), len, capacity, fields, span };
            let current = self.proctypes[self.current].as_mut().expect("a proctype");
            current.own.push(own);
            let elements = (0..leaf.count() as u32).map(|i| (id, i));
            self.program.defs[def.index()].channel_registers.extend(elements);
        }
        let init = self.start_values(local, leaf, initial);
        let (ty, len, span) = (leaf.ty, leaf.len(), variable.span);
        let name = self.unused_name(def, name);
        self.program.defs[def.index()].registers.push(Register { name, ty, len, init, span });
        id
    }

    /// Blocks may declare a name again that another block has: each register has a name of its own.
    fn unused_name(&self, def: DefId, name: String) -> String {
        let registers = &self.program.defs[def.index()].registers;
        let taken = |name: &str| registers.iter().any(|r| r.name == name);
        if !taken(&name) {
            return name;
        }
        let numbered = (2..).map(|i| format!("{name}#{i}"));
        numbered.into_iter().find(|n| !taken(n)).expect("numbers do not end")
    }

    /// What a register holds when a process starts: its initial value if that is a number and it is declared
    /// before the first statement, or is a field of a structure.
    fn start_values(
        &mut self,
        local: &Local<'m>,
        leaf: &Leaf,
        initial: Option<&'m Initial>,
    ) -> Vec<i64> {
        let at_start = local.at_start || !leaf.path.is_empty();
        let list: Vec<i64> = match initial {
            Some(Initial::Value(e)) if at_start => match self.expr(e) {
                Expr::Const(value) => vec![value],
                // Computed when a process starts.
                _ if leaf.sizes.is_empty() && leaf.path.is_empty() => vec![0],
                _ => {
                    let text = "the initial value of a local array or field must be a number";
                    self.unsupported(text.into(), e.at.0, "assign it instead");
                    vec![0]
                }
            },
            Some(Initial::List(list)) => list.iter().map(|e| self.number(e)).collect(),
            _ => vec![0],
        };
        let last = list.last().copied().unwrap_or(0);
        let all = list.into_iter().chain(std::iter::repeat(last)).take(leaf.count() as usize);
        all.map(|v| leaf.ty.fit(v).unwrap_or(0)).collect()
    }

    fn number(&mut self, e: &'m ast::Expr) -> i64 {
        match self.expr(e) {
            Expr::Const(v) => v,
            _ => {
                let text = "an element of a local array must start as a number".into();
                self.unsupported(text, e.at.0, "assign it instead");
                0
            }
        }
    }

    /// The control structure of a proctype.
    fn graph(&mut self, number: usize) {
        let info = &self.symbols().proctypes[number];
        let labels = self.used.labels.iter().filter(|(p, _)| *p == info.name);
        let seen: Vec<String> = labels.map(|(_, l)| l.clone()).collect();
        let current = self.current();
        let (body, span) = (current.body, current.span);
        let mut flow = Flow::new(body, span, seen, self.symbols());
        let Some(table) = Table::new(&mut flow) else {
            let text = format!("jumps in `{}` lead to each other and nowhere else", info.name);
            let d = Diagnostic::error(codes::JUMP_CIRCLE, text, span).label("in this process");
            self.diagnostics.push(d);
            self.graphs.push(None);
            return;
        };
        for jump in breaks_into_steps(&flow) {
            let text = "a loop that is left leads right into a `d_step`";
            let d = Diagnostic::error(codes::STEP_JUMP, text, jump);
            let d = d.label("this way out of the loop");
            self.diagnostics.push(d.help("put a `skip` between the loop and the `d_step`"));
        }
        let def = self.current().def;
        let registers = &mut self.program.defs[def.index()].registers;
        let counters = (0..flow.counters).map(|i| {
            let id = RegId::from(registers.len());
            let name = format!("_f0r_t3mp{i}");
            registers.push(Register { name, ty: BYTE, len: None, init: vec![0], span });
            id
        });
        let counters = counters.collect();
        self.proctypes[number].as_mut().expect("a proctype").counters = counters;
        self.graphs.push(Some(Rc::new(Graph::new(flow, table))));
    }

    /// The register that counts the messages of `for (m in q)`.
    pub(super) fn counter(&self, number: usize) -> RegId {
        self.current().counters[number]
    }

    /// Makes the processes: those that run from the start in the order of the text, then those to be run.
    fn processes(&mut self) {
        for number in 0..self.proctypes.len() {
            let Some(active) = self.proctypes[number].as_ref().map(|p| p.active) else { continue };
            let is_any = self.symbols().proctypes[number].any;
            let count = self.options.threads.filter(|_| is_any).unwrap_or(active);
            for index in 0..count {
                let name = self.name_of(number, index, if is_any { 0 } else { active });
                self.process(number, name, Start::Initially);
            }
            if is_any && self.options.threads.is_none() {
                self.replicate(number);
            }
        }
        let running = self.program.processes.len();
        for number in 0..self.proctypes.len() {
            let name = &self.symbols().proctypes[number].name;
            if self.proctypes[number].is_none() || !self.used.run.contains(name) {
                continue;
            }
            let slots = self.options.slots.get(name).copied().unwrap_or(1);
            for index in 1..=slots {
                self.process(number, format!("{name}#{index}"), Start::Spawned);
            }
        }
        if running > MOST_PROCESSES {
            let text = format!("more than {MOST_PROCESSES} processes run from the start");
            self.diagnostics.push(Diagnostic::error(codes::TOO_LARGE, text, Span::NONE));
        }
        let users = running.max(self.program.processes.len()) - usize::from(self.has_init());
        self.mm_processes(users as u32);
        self.lay_out_priorities();
    }

    /// Marks a proctype as one with any number of processes.
    fn replicate(&mut self, number: usize) {
        let Some((def, span)) = self.proctypes[number].as_ref().map(|p| (p.def, p.span)) else {
            return;
        };
        self.program.replicated.push(def);
        if !self.used.run.is_empty() {
            let text = "any number of processes beside processes that are run";
            let found = Diagnostic::error(codes::UNSUPPORTED, text, span).label("any number");
            let help = "make them `active`, or give a number: `--threads 2`";
            self.diagnostics.push(found.help(help));
        }
    }

    fn has_init(&self) -> bool {
        self.symbols().proctypes.iter().any(|p| p.name == ":init:")
    }

    fn name_of(&self, number: usize, index: u32, active: u32) -> String {
        let name = self.symbols().proctypes[number].name.trim_matches(':');
        match active {
            1 => name.to_owned(),
            _ => format!("{name}[{index}]"),
        }
    }

    fn process(&mut self, number: usize, name: String, start: Start) {
        let known = self.proctypes[number].as_ref().expect("a proctype");
        let def = known.def;
        let args = match start {
            Start::Initially => {
                // The initial values may read it.
                self.start_priority(number);
                self.first_arguments(number)
            }
            Start::Spawned => Vec::new(),
        };
        let first = ChanId::from(self.program.channels.len());
        let known = self.proctypes[number].as_ref().expect("a proctype");
        let own: Vec<_> = known
            .own
            .iter()
            .map(|c| (format!("{name}:{}", c.name), c.len, c.capacity, c.fields, c.span))
            .collect();
        for (name, len, capacity, fields, span) in own {
            self.channels(&name, len, capacity, fields, span);
        }
        let channels = (first.index()..self.program.channels.len()).map(ChanId::from).collect();
        self.program.processes.push(Process { name, def, args, start, channels });
    }

    /// The parameters of a process that runs from the start: 0, and the initial values that are computed.
    fn first_arguments(&self, number: usize) -> Vec<i64> {
        let known = self.proctypes[number].as_ref().expect("a proctype");
        let registers = &self.program.defs[known.def.index()].registers;
        let mut values: Vec<Vec<i64>> = registers.iter().map(|r| r.init.clone()).collect();
        let pid = self.program.processes.len() as i64;
        for (register, initial) in &known.computed {
            let world = Known { vars: &self.program.vars, registers: &values, pid };
            let value = world.value(initial).unwrap_or(0);
            values[register.index()][0] = registers[register.index()].ty.fit(value).unwrap_or(0);
        }
        let params = self.program.defs[known.def.index()].params as usize;
        values.into_iter().take(params).map(|v| v[0]).collect()
    }

    /// `run P(…)`
    pub(super) fn spawn(
        &mut self,
        name: &str,
        arguments: &'m [ast::Expr],
        pid: Option<Lvalue>,
    ) -> Option<Effect> {
        let number = self.symbols().proctype(name)? as usize;
        let mut args = self.message(arguments);
        let known = self.proctypes[number].as_ref()?;
        let (def, given) = (known.def, known.given);
        args.resize(given, Expr::Const(0));
        let computed = known.computed.clone();
        let registers = &self.program.defs[def.index()].registers;
        let start = |r: &Register| r.init.iter().map(|v| Expr::Const(*v)).collect();
        let mut values: Vec<Vec<Expr>> = registers.iter().map(start).collect();
        for (value, (arg, register)) in values.iter_mut().zip(args.iter().zip(registers)) {
            *value = vec![cast(register.ty, arg.clone())];
        }
        let types: Vec<_> = registers.iter().map(|r| r.ty).collect();
        for (register, initial) in computed {
            match for_parent(&initial, &values) {
                Some(value) => {
                    values[register.index()] = vec![cast(types[register.index()], value.clone())];
                    args.push(value);
                }
                None => {
                    let span = self.symbols().proctypes[number].span;
                    let text = format!("an initial value in `{name}` is too complex");
                    self.unsupported(text, span, "assign it after the first statement");
                    return None;
                }
            }
        }
        Some(Effect::Spawn { def, args, pid })
    }

    /// Lowers the code of all proctypes.
    pub(super) fn bodies(&mut self) {
        for number in 0..self.proctypes.len() {
            let Some(known) = &self.proctypes[number] else { continue };
            let (def, provided) = (known.def, known.provided);
            let Some(graph) = self.graphs[number].clone() else { continue };
            self.current = number;
            let (points, steps) = self.assemble(&graph, provided);
            let def = &mut self.program.defs[def.index()];
            def.entry = graph.entry();
            def.points = points;
            def.steps = steps;
        }
    }
}

/// The declarators of a body, with whether they come before the first statement.
fn collect<'m>(body: &'m Sequence, at_start: &mut bool, all: &mut Vec<(&'m Declarator, bool)>) {
    for statement in &body.steps {
        collect_from(statement, at_start, all);
    }
}

fn collect_from<'m>(
    statement: &'m ast::Statement,
    at_start: &mut bool,
    all: &mut Vec<(&'m Declarator, bool)>,
) {
    match &statement.kind {
        StatementKind::Declare(variables) => {
            return all.extend(variables.list.iter().map(|d| (d, *at_start)));
        }
        StatementKind::Exclusive { .. } => return,
        _ => *at_start = false,
    }
    match &statement.kind {
        StatementKind::Label(_, Some(inner)) => collect_from(inner, at_start, all),
        StatementKind::Unless(main, escape) => {
            collect_from(main, at_start, all);
            collect_from(escape, at_start, all);
        }
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|o| collect(o, at_start, all));
        }
        StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::Locked(body)
        | StatementKind::ForRange(.., body)
        | StatementKind::ForIn(.., body) => collect(body, at_start, all),
        StatementKind::Call(call) => collect(&call.body, at_start, all),
        _ => {}
    }
}

fn empty_def(name: String, span: Span) -> ProcessDef {
    ProcessDef {
        name,
        registers: Vec::new(),
        params: 0,
        points: Vec::new(),
        entry: PointId(0),
        steps: Vec::new(),
        procedures: Vec::new(),
        channel_registers: Vec::new(),
        span,
    }
}
