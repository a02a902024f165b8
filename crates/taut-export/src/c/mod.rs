//! Programs in C with threads, for verifiers of C programs, in the style of SV-COMP.
//!
//! The program is the one that runs under SC: stores act at once. A program for relaxed memory is to be
//! translated first. Each process definition becomes a function that a thread runs, its program points labels, its
//! procedures functions with the thread's C stack for theirs. A step is an atomic section, and so is all that
//! happens between two program points that are not atomic. Properties of states are looked at wherever the model
//! would look at them; they, assertions and faults call `reach_error`.
//!
//! The registers of a process are not locals of its function but a structure of their own, since properties
//! may ask about them.
//!
//! The file compiles with any C compiler that has POSIX threads and is then a random tester of itself;
//! `shim.c` says how. It has no bound on open calls, and as many threads as the program has processes.

mod code;
mod declare;
pub(crate) mod expr;
pub(crate) mod names;
mod refuse;
pub(crate) mod text;

use taut_ir::{DefId, Expr, Program, PropertyKind, Step};

use crate::ExportError;
use crate::text::Text;
use code::Code;
use expr::Writer;
use names::Names;
use text::{comment, string};

/// What the program is written with.
const SHIM: &str = include_str!("shim.c");
/// The arithmetic of the model. It notes a fault in the variable `taut_fault`.
pub(crate) const ARITHMETIC: &str = include_str!("arithmetic.c");
/// The heading of the program itself.
const PROGRAM: &str = include_str!("program.c");
/// How the program starts.
const MAIN: &str = include_str!("main.c");

/// A valid program, as it runs under SC, as a C program with POSIX threads in the style of SV-COMP. An error if
/// it has something that C has nothing for: channels, temporal properties, steps that yield or hold, processes
/// on a stack.
pub fn c(program: &Program) -> Result<String, ExportError> {
    let _phase = taut_budget::phase("the program is written");
    refuse::check(program)?;
    let names = Names::new(program);
    let emitter = Emitter { program, names: &names, observed: asks_where(program) };
    Ok(emitter.file())
}

/// Whether somebody asks where a process is.
fn asks_where(program: &Program) -> bool {
    let mut asks = false;
    let mut look = |e: &Expr| e.visit(&mut |e| asks |= matches!(e, Expr::At(..)));
    program.properties.iter().flat_map(|p| p.kind.exprs()).for_each(&mut look);
    let steps = program.defs.iter().flat_map(|d| &d.steps);
    steps.flat_map(Step::expressions).for_each(&mut look);
    asks
}

/// Writes a program.
struct Emitter<'e> {
    program: &'e Program,
    names: &'e Names,
    /// Whether program points are kept in variables.
    observed: bool,
}

impl Emitter<'_> {
    fn file(&self) -> String {
        let mut text = Text::default();
        text.line(&format!("/* {} */", comment(&self.program.name)));
        text.line(&format!("#define TAUT_PROCESSES {}", self.program.processes.len().max(1)));
        text.blank();
        let mut file = text.finish();
        [SHIM, ARITHMETIC, PROGRAM].iter().for_each(|part| file.push_str(part));
        let mut text = Text::default();
        self.declarations(&mut text);
        self.check(&mut text);
        for def in (0..self.program.defs.len()).map(DefId::from) {
            Code::new(self, def).write(&mut text);
        }
        self.start(&mut text);
        file.push_str(&text.finish());
        file.push_str(MAIN);
        file
    }

    /// Looks at the properties of states. One that cannot be computed counts as false.
    fn check(&self, text: &mut Text) {
        let writer = Writer { program: self.program, names: self.names, own: None };
        text.line("/* looks at the properties of the state */");
        text.open("static void taut_check(void) {");
        for property in &self.program.properties {
            let (bad, violated) = match &property.kind {
                PropertyKind::Forbid(bad) => (bad, "holds && !taut_fault"),
                PropertyKind::Invariant(good) => (good, "!holds || taut_fault"),
                PropertyKind::Assert
                | PropertyKind::Cover(_)
                | PropertyKind::Ltl(_)
                | PropertyKind::Never(_) => continue,
            };
            text.open("{");
            text.line(&format!("int holds = {} != 0;", writer.expr(bad)));
            let word = property.kind.word();
            let name = string(&format!("{word} {} is violated", property.name));
            text.line(&format!("if ({violated}) TAUT_ERROR({name});"));
            text.line("taut_fault = 0;");
            text.close("}");
        }
        text.close("}");
        text.blank();
    }
}
