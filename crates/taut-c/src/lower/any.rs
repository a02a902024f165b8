//! Any number of threads (`--threads any`): a program that creates threads in an endless loop, for every number of them.
//!
//! Each thread function becomes a definition with any number of processes ([`Program::replicated`]). They are all there
//! from the start and wait. To create a thread is to put a *token*, the number of the function, into a variable of its
//! own; a process that waits takes it and begins. One token at a time: the next one is put when the last one was taken.
//!
//! *Why is that the same program?* Between the creation of a thread and its first step it does nothing, so taking the token can
//! be moved to just behind putting it. Then the two together are the creation. In the other direction a creation is
//! the token put and taken. Putting it waits for the store buffer of the creator and acts at once, as the creation
//! does.
//!
//! What a process is must not depend on its number, as there is no bound on numbers. So threads that wait for others, look at
//! numbers of threads, or have locals with addresses are refused with the place. Numbers that are only kept, as in the
//! `t` of `pthread_create(&t, …)`, are 0. The locks of the library know that they are held, but not by which thread
//! (`ALIKE` in `runtime/locks.c`): more runs, and one error that is not noticed, which a warning says.

use std::collections::{HashMap, HashSet};

use taut_ir::frontend::Threads;
use taut_ir::{
    Assignment, Cfg, Control, DefId, Effect, Expr, Lvalue, Mode, PointId, Process, ProcessDef,
    Program, ProgramPoint, RegId, Span, Start, Step, StepId, Type, VarId, VarKind, Variable,
};
use taut_source::Diagnostic;

use super::codes::{NOT_NOTICED, UNSUPPORTED};
use super::layout::{Counts, Layout, Marks};
use super::mir::{Mir, ObjectId, Storage, ThreadId};
use super::{LoweredUnit, emit, own};

type Refused = Box<Diagnostic>;

impl LoweredUnit {
    /// The program with any number of threads, or with so many of each function. `start` is the start of the file.
    pub fn with_threads(&self, threads: Threads, start: Span) -> Result<Program, Refused> {
        if !self.grows() {
            return Err(no_loop(start));
        }
        let counts = Counts::new(vec![1; self.mir.threads.len()]);
        let mut program = emit::emit(&self.mir, &self.classes, &counts, false);
        program.name = self.name.clone();
        program.call_depth = self.call_depth;
        let layout = Layout::of(&self.mir, &self.classes, &counts, &Marks::NONE);
        let var = |object: ObjectId| layout.classes[layout.positions[object.0 as usize].class].var;
        self.make_registers(&mut program, &layout)?;
        if let Some(states) = self.mir.states {
            forget_states(&mut program, var(states))?;
        }
        let over = self.mir.objects.iter().position(|object| object.name == "'over");
        if let Some(over) = over.filter(|_| threads == Threads::Any) {
            forget_over(&mut program, var(ObjectId(over as u32)));
        }
        forget_numbers(&mut program)?;
        Tokens::add(&self.mir, &mut program);
        Ok(match threads {
            Threads::Any => program,
            Threads::Number(number) => {
                let counts: Vec<_> = program.replicated.iter().map(|&def| (def, number)).collect();
                program.instance(&counts)
            }
        })
    }

    /// Objects with a copy per thread have no place where the number of threads has no bound, unless they can be registers.
    fn make_registers(&self, program: &mut Program, layout: &Layout) -> Result<(), Refused> {
        for (id, object) in self.mir.objects.iter().enumerate() {
            let what = match object.storage {
                Storage::Static | Storage::Ghost | Storage::Frame(ThreadId(0)) => continue,
                Storage::Frame(_) => "locals of threads that are in memory",
                Storage::ThreadLocal => {
                    "objects with a copy per thread that are more than one number each, or whose address is taken"
                }
                Storage::Heap { .. } => "memory that is allocated",
            };
            let class = &layout.classes[layout.positions[id].class];
            let is_single = class.objects.len() == 1 && object.cells.len() == 1;
            let can_be = object.storage == Storage::ThreadLocal && is_single;
            if !(can_be && own::make_register(program, class.var)) {
                return Err(refused(what, object.span));
            }
        }
        Ok(())
    }
}

/// The warning about mutexes, which know that they are held and not by which thread.
pub(crate) fn owner_is_not_known(start: Span) -> Diagnostic {
    let message = "for any number of threads, it is not noticed if a mutex is unlocked by a thread that does not hold it while another one does";
    Diagnostic::warning(NOT_NOTICED, message, start)
        .help("check the program without `--threads`, too: that notices it for a few threads")
}

fn no_loop(start: Span) -> Refused {
    let message = "`--threads`, but this program does not create threads in a loop";
    let found = Diagnostic::error(UNSUPPORTED, message, start);
    Box::new(found.help("leave `--threads` out: the number of its threads is known"))
}

fn refused(what: &str, span: Span) -> Refused {
    let message = format!("for any number of threads, Taut does not know {what}");
    let found = Diagnostic::error(UNSUPPORTED, message, span);
    Box::new(
        found.help("leave `--threads` out: then threads are added as long as that is possible"),
    )
}

/// Drops the states of threads, which only joins look at; a join is refused.
fn forget_states(program: &mut Program, states: VarId) -> Result<(), Refused> {
    for step in program.defs.iter_mut().flat_map(|def| &mut def.steps) {
        let is_own = |effect: &Effect| match effect {
            Effect::Assign(list) => list.iter().all(|a| a.place.variable() == Some(states)),
            _ => false,
        };
        step.effects.retain(|effect| !is_own(effect));
        // The number of a new thread is looked for among those that are free.
        let starts = step.effects.iter().any(|effect| matches!(effect, Effect::Spawn { .. }));
        let reads = |expr: &&Expr| expr.variables().contains(&states);
        let waits = if starts { reads(&&step.guard) } else { step.expressions().iter().any(reads) };
        if waits {
            return Err(refused("threads that wait for the end of others", step.span));
        }
    }
    Ok(())
}

/// Drops the end of the run, which threads that wait look at: it ends nothing but waiting.
fn forget_over(program: &mut Program, over: VarId) {
    for def in &mut program.defs {
        for step in &mut def.steps {
            step.effects.retain(|effect| match effect {
                Effect::Assign(list) => list.iter().any(|a| a.place.variable() != Some(over)),
                _ => true,
            });
            if step.guard.variables().contains(&over) {
                step.guard = Expr::Const(0);
            }
        }
    }
}

/// Makes the numbers of threads 0, if nothing depends on them.
fn forget_numbers(program: &mut Program) -> Result<(), Refused> {
    let mut numbers = Numbers::new(program);
    for (id, def) in program.defs.iter_mut().enumerate() {
        for (index, step) in def.steps.iter_mut().enumerate() {
            let kept = step.effects.iter().find_map(|effect| match effect {
                Effect::Spawn { args, .. } => match args.first() {
                    Some(Expr::Reg(number)) => Some(*number),
                    _ => None,
                },
                _ => None,
            });
            let Some(kept) = kept else { continue };
            numbers.created.insert((id, index), kept);
            for effect in &mut step.effects {
                let Effect::Assign(list) = effect else { continue };
                let own = list.iter_mut().filter(|a| a.place == Lvalue::Reg(kept));
                own.for_each(|a| a.value = Expr::Const(0));
            }
        }
    }
    // Each thread has its own number as its first parameter.
    for def in starters(program) {
        let entry = program.defs[def.index()].entry;
        numbers.registers[def.index()][entry.index()].insert(RegId::from(0_usize));
    }
    while numbers.spread(program) {}
    numbers.refuse(program)
}

/// The definitions that are started.
fn starters(program: &Program) -> Vec<DefId> {
    let spawned = program.processes.iter().filter(|p| p.start == Start::Spawned).map(|p| p.def);
    let mut all: Vec<DefId> = spawned.collect();
    all.sort();
    all.dedup();
    all
}

/// Places that hold numbers of threads: variables anywhere, and registers by definition and program point, as registers
/// are used again for other values.
struct Numbers {
    registers: Vec<Vec<HashSet<RegId>>>,
    variables: HashSet<VarId>,
    /// The registers that get the number of a new thread, by definition and step.
    created: HashMap<(usize, usize), RegId>,
}

impl Numbers {
    fn new(program: &Program) -> Numbers {
        let points = |def: &ProcessDef| vec![HashSet::new(); def.points.len()];
        let registers = program.defs.iter().map(points).collect();
        Numbers { registers, variables: HashSet::new(), created: HashMap::new() }
    }

    fn read(&self, registers: &HashSet<RegId>, expr: &Expr) -> bool {
        expr.registers().iter().any(|r| registers.contains(r))
            || expr.variables().iter().any(|v| self.variables.contains(v))
    }

    /// Adds the places that hold numbers after each step; true if there are new ones.
    fn spread(&mut self, program: &Program) -> bool {
        let mut is_new = false;
        for (id, def) in program.defs.iter().enumerate() {
            let cfg = Cfg::of(def);
            for (index, step) in def.steps.iter().enumerate() {
                taut_budget::tick();
                let mut after = self.registers[id][step.source.index()].clone();
                is_new |= self.assign(step, &mut after);
                after.extend(self.created.get(&(id, index)));
                let back = match step.target {
                    Control::Call { return_to, .. } => Some(return_to),
                    _ => None,
                };
                for &to in cfg.targets(StepId::from(index)).iter().chain(&back) {
                    let known = &mut self.registers[id][to.index()];
                    let before = known.len();
                    known.extend(&after);
                    is_new |= known.len() > before;
                }
            }
        }
        is_new
    }

    /// What the assignments of a step do; true if a new variable holds a number.
    fn assign(&mut self, step: &Step, registers: &mut HashSet<RegId>) -> bool {
        let mut is_new = false;
        for effect in &step.effects {
            let Effect::Assign(list) = effect else { continue };
            // The values of one list are all computed before any is stored.
            let numbers: Vec<bool> = list.iter().map(|a| self.read(registers, &a.value)).collect();
            for (a, is_number) in list.iter().zip(numbers) {
                is_new |= self.keep(&a.place, is_number, registers);
            }
        }
        is_new
    }

    /// A place is assigned a number, or something else; true if a new variable holds a number.
    fn keep(&mut self, place: &Lvalue, is_number: bool, registers: &mut HashSet<RegId>) -> bool {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) if is_number => {
                registers.insert(*r);
                false
            }
            Lvalue::Reg(r) => {
                registers.remove(r);
                false
            }
            Lvalue::Var(var) | Lvalue::VarElem(var, _) if is_number => self.variables.insert(*var),
            Lvalue::RegElem(..) | Lvalue::Var(_) | Lvalue::VarElem(..) => false,
        }
    }

    /// Refuses a step whose course depends on a number.
    fn refuse(&self, program: &Program) -> Result<(), Refused> {
        for (id, def) in program.defs.iter().enumerate() {
            for step in &def.steps {
                // Registers that the step itself assigns before it looks at them are not told apart.
                let mut registers = self.registers[id][step.source.index()].clone();
                let looks =
                    |r: &HashSet<RegId>| deciding(step).into_iter().any(|e| self.read(r, e));
                let early = looks(&registers);
                for a in step.assignments() {
                    if let (Lvalue::Reg(r), true) = (&a.place, self.read(&registers, &a.value)) {
                        registers.insert(*r);
                    }
                }
                if early || looks(&registers) {
                    return Err(refused(
                        "a step that depends on the number of a thread",
                        step.span,
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The expressions of a step that are more than values to be kept.
fn deciding(step: &Step) -> Vec<&Expr> {
    let mut all = vec![&step.guard];
    for effect in &step.effects {
        match effect {
            Effect::Assign(list) => all.extend(list.iter().filter_map(|a| a.place.index())),
            Effect::Assert { condition, .. } => all.push(condition),
            Effect::Spawn { args, .. } => all.extend(args.iter().skip(1)),
            Effect::StoreFence | Effect::Fail(_) => {}
        }
    }
    if let Control::Call { args, .. } = &step.target {
        all.extend(args);
    }
    all
}

/// The variables by which threads are created.
struct Tokens {
    token: VarId,
    argument: VarId,
}

impl Tokens {
    fn add(mir: &Mir, program: &mut Program) {
        let started = starters(program);
        let heap = DefId::from(mir.threads.len());
        let most = program.defs.len() as i64;
        let tokens = Tokens {
            token: variable(program, "'created", Type::range(0, most)),
            argument: variable(program, "'argument", Type::INT64),
        };
        let has_argument: Vec<bool> = program.defs.iter().map(reads_argument).collect();
        for def in &mut program.defs {
            for step in &mut def.steps {
                if tokens.put(step, heap, &has_argument) {
                    // Where the number of threads is fixed, the last one may have been created: no deadlock.
                    def.points[step.source.index()].end = true;
                }
            }
        }
        for &def in &started {
            tokens.take(&mut program.defs[def.index()], def, has_argument[def.index()]);
        }
        program.processes.retain(|p| p.start == Start::Initially);
        for &def in &started {
            let name = format!("{}[0]", program.defs[def.index()].name);
            let start = Start::Initially;
            program.processes.push(Process { name, def, args: vec![], start, channels: vec![] });
        }
        program.replicated = started;
    }

    /// Puts a token where a thread is created, with the argument if the thread looks at it; false if none is created.
    fn put(&self, step: &mut Step, heap: DefId, has_argument: &[bool]) -> bool {
        let created = step
            .effects
            .iter()
            .position(|effect| matches!(effect, Effect::Spawn { def, .. } if *def != heap));
        let Some(at) = created else { return false };
        let Effect::Spawn { def, args, .. } = step.effects.remove(at) else { return false };
        let at_once =
            |var: VarId, value: Expr| Assignment { place: Lvalue::Var(var), value, atomic: true };
        let mut list = vec![at_once(self.token, Expr::Const(def.index() as i64 + 1))];
        let argument = args.into_iter().nth(1).filter(|_| has_argument[def.index()]);
        list.extend(argument.map(|argument| at_once(self.argument, argument)));
        step.effects.push(Effect::Assign(list));
        let is_free = Expr::from(self.token).equals(Expr::Const(0));
        step.guard = std::mem::replace(&mut step.guard, Expr::TRUE).and(is_free);
        true
    }

    /// Lets a thread begin with a token.
    fn take(&self, def: &mut ProcessDef, id: DefId, has_argument: bool) {
        let waits = PointId::from(def.points.len());
        def.points.push(ProgramPoint { end: true, ..ProgramPoint::default() });
        let mut step = Step::skip(waits, def.entry, def.span);
        step.guard = Expr::from(self.token).equals(Expr::Const(id.index() as i64 + 1));
        step.mode = Mode::Locked;
        step.text = Some("begins".into());
        step.whole = true;
        let assign = |place: Lvalue, value: Expr| Assignment { place, value, atomic: false };
        let mut list = Vec::new();
        if has_argument {
            let argument = Lvalue::Reg(RegId::from(1_usize));
            list.push(assign(argument, Expr::from(self.argument)));
        }
        list.push(assign(Lvalue::Var(self.token), Expr::Const(0)));
        step.effects = vec![Effect::Assign(list)];
        def.steps.push(step);
        def.entry = waits;
        def.params = 0;
    }
}

/// Whether a thread looks at its argument.
fn reads_argument(def: &ProcessDef) -> bool {
    let argument = RegId::from(1_usize);
    let mut all = def.steps.iter().flat_map(Step::expressions);
    def.params > 1 && all.any(|expr| expr.registers().contains(&argument))
}

fn variable(program: &mut Program, name: &str, ty: Type) -> VarId {
    let id = VarId::from(program.vars.len());
    program.vars.push(Variable {
        name: name.into(),
        kind: VarKind::Shared,
        ty,
        len: None,
        init: vec![0],
        span: Span::NONE,
    });
    id
}
