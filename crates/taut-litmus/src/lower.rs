//! From the syntax tree to the program model: names, initial values, processes, what is watched.

use taut_ir::{
    DefId, ProcId, Process, Program, RegId, Register, Start, Type, VarId, VarKind, Variable,
    build::DEFAULT_CALL_DEPTH,
};
use taut_source::{Diagnostic, Diagnostics, Span};

use crate::ast::{Init, Item, Question, Tree, What};
use crate::condition::Condition;
use crate::symbols::{Locals, Named, Names};
use crate::{Test, Watched, error, property, thread};

/// Lowers one test.
pub(crate) struct Lowering<'s> {
    memory: Names<'s>,
    locals: Vec<Locals<'s>>,
    diagnostics: Diagnostics,
}

impl<'s> Lowering<'s> {
    pub(crate) fn new() -> Lowering<'s> {
        let (memory, diagnostics) = (Names::default(), Diagnostics::new());
        Lowering { memory, locals: Vec::new(), diagnostics }
    }

    pub(crate) fn run(mut self, tree: Tree<'s>) -> Result<Test, Diagnostics> {
        let local =
            |t: &crate::ast::Thread<'s>| Locals { number: t.number, names: Names::default() };
        self.locals = tree.threads.iter().map(local).collect();
        tree.init.iter().for_each(|init| self.init(init));
        let mut program = Program {
            name: tree.name.to_owned(),
            call_depth: DEFAULT_CALL_DEPTH,
            ..Program::default()
        };
        for (index, thread) in tree.threads.iter().enumerate() {
            let (locals, memory) = (&mut self.locals[index], &mut self.memory);
            let lowering = thread::Lowering::new(tree.arch, locals, memory, &mut self.diagnostics);
            program.defs.push(lowering.run(thread));
        }
        let Question { quantifier, mut condition, mut filter, span, locations, mentioned } =
            tree.question;
        let mentioned: Vec<_> = mentioned.iter().filter_map(|i| self.watch(i)).collect();
        let locations: Vec<_> = locations.iter().filter_map(|i| self.watch(i)).collect();
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        let (watched, observed) = self.order(&condition, &mentioned, locations);
        let slot = |mention: usize| {
            let position = watched.iter().position(|w| *w == mentioned[mention]);
            position.expect("everything mentioned is watched")
        };
        condition.renumber(&slot);
        if let Some(filter) = &mut filter {
            filter.renumber(&slot);
        }
        let names: Vec<String> = watched.iter().map(|&watched| self.name(watched)).collect();
        self.finish(&mut program);
        let mut test = Test {
            name: tree.name.to_owned(),
            arch: tree.arch,
            quantifier,
            condition,
            filter,
            program,
            names,
            watched,
            observed,
            sites: None,
        };
        let property = property::of(&test, span);
        test.program.properties.push(property);
        debug_assert_eq!(taut_ir::validate::validate(&test.program), Ok(()));
        Ok(test)
    }

    fn init(&mut self, init: &Init<'s>) {
        let Some(watched) = self.watch(&init.item) else { return };
        let Some(value) = init.value else { return };
        let span = init.item.span;
        let result = match watched {
            Watched::Register(process, register) => {
                let names = &mut self.locals[process.index()].names;
                names.initialise(register.index(), value, span)
            }
            Watched::Location(var) | Watched::Element(var, _) => {
                self.memory.initialise(var.index(), value, span)
            }
        };
        if let Err(first) = result {
            let message = format!("`{}` has two initial values", init.item.what);
            self.diagnostics.push(
                Diagnostic::error(error::INIT_TWICE, message, span)
                    .label("expected one value")
                    .related(first, "the first one")
                    .help("remove one of the two"),
            );
        }
    }

    /// What an item stands for. A register or location that nothing else names is added: it keeps its
    /// initial value.
    fn watch(&mut self, item: &Item<'s>) -> Option<Watched> {
        match item.what {
            What::Location(name) => {
                let index = self.memory.intern(name, Type::INT64, item.span, &mut self.diagnostics);
                Some(Watched::Location(VarId::from(index)))
            }
            What::Register { thread, name } => {
                let Some(process) = self.locals.iter().position(|l| l.number == thread) else {
                    self.no_thread(thread, item.span);
                    return None;
                };
                let names = &mut self.locals[process].names;
                let index = names.intern(name, Type::INT64, item.span, &mut self.diagnostics);
                Some(Watched::Register(ProcId::from(process), RegId::from(index)))
            }
        }
    }

    fn no_thread(&mut self, thread: u32, span: Span) {
        let names: Vec<_> = self.locals.iter().take(8).map(|l| format!("P{}", l.number)).collect();
        self.diagnostics.push(
            Diagnostic::error(error::NO_THREAD, format!("there is no thread {thread}"), span)
                .label("expected a thread of the table")
                .help(format!("the table has {}", names.join(", "))),
        );
    }

    /// Everything watched, observed variables first, and how many those are.
    fn order(
        &self,
        condition: &Condition,
        mentioned: &[Watched],
        locations: Vec<Watched>,
    ) -> (Vec<Watched>, usize) {
        let mut watched = locations;
        condition.visit(&mut |v| watched.push(mentioned[v.slot]));
        self.sort(&mut watched);
        let observed = watched.len();
        let mut rest: Vec<_> = mentioned.iter().filter(|w| !watched.contains(w)).copied().collect();
        self.sort(&mut rest);
        watched.append(&mut rest);
        (watched, observed)
    }

    /// The name of something watched, as in the oracles: `0:rax` or `x`.
    fn name(&self, watched: Watched) -> String {
        match watched {
            Watched::Register(process, register) => {
                let locals = &self.locals[process.index()];
                format!("{}:{}", locals.number, locals.names.list[register.index()].name)
            }
            Watched::Location(var) | Watched::Element(var, _) => {
                self.memory.list[var.index()].name.to_owned()
            }
        }
    }

    /// Registers by thread and name, then memory by name; each once.
    fn sort(&self, watched: &mut Vec<Watched>) {
        watched.sort_unstable_by_key(|w| match *w {
            Watched::Register(process, register) => {
                let locals = &self.locals[process.index()];
                (0, locals.number, locals.names.list[register.index()].name)
            }
            Watched::Location(var) | Watched::Element(var, _) => {
                (1, 0, self.memory.list[var.index()].name)
            }
        });
        watched.dedup();
    }

    /// Adds variables, registers and processes, now that all names are known.
    fn finish(&mut self, program: &mut Program) {
        program.vars = self.memory.list.drain(..).map(variable).collect();
        for (index, locals) in self.locals.drain(..).enumerate() {
            let def = &mut program.defs[index];
            def.registers = locals.names.list.into_iter().map(register).collect();
            let (name, def) = (def.name.clone(), DefId::from(index));
            let (args, start) = (Vec::new(), Start::Initially);
            program.processes.push(Process { name, def, args, start, channels: Vec::new() });
        }
    }
}

fn variable(named: Named<'_>) -> Variable {
    Variable {
        name: named.name.to_owned(),
        kind: VarKind::Shared,
        ty: named.ty,
        len: None,
        init: vec![named.init],
        span: named.span,
    }
}

fn register(named: Named<'_>) -> Register {
    Register {
        name: named.name.to_owned(),
        ty: named.ty,
        len: None,
        init: vec![named.init],
        span: named.span,
    }
}
