//! Random small C programs with plain and atomic accesses, fences and a mutex: as values, as text, and as code.

use std::fmt::Write;

use proptest::prelude::*;

/// Number of variables. Each can be accessed plainly and atomically.
pub const VARIABLES: usize = 3;

/// A memory order, or none for a plain access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

use Order::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};

impl Order {
    fn name(self) -> &'static str {
        match self {
            Plain => "",
            Relaxed => "memory_order_relaxed",
            Acquire => "memory_order_acquire",
            Release => "memory_order_release",
            AcqRel => "memory_order_acq_rel",
            SeqCst => "memory_order_seq_cst",
        }
    }

    pub fn acquires(self) -> bool {
        matches!(self, Acquire | AcqRel | SeqCst)
    }

    pub fn releases(self) -> bool {
        matches!(self, Release | AcqRel | SeqCst)
    }
}

/// A statement of a thread.
#[derive(Clone, Debug)]
pub enum Statement {
    Load(usize, Order),
    Store(usize, Order, i64),
    Add(usize, Order),
    /// A swap of 1 for another value, with an order for each outcome.
    Swap(usize, Order, Order),
    Fence(Order),
    Locked(Vec<Statement>),
    /// Something that is done if a load sees a value other than 0.
    If(usize, Order, Vec<Statement>),
}

/// A program: `main` starts all threads, does something, waits for all of them, and does something.
#[derive(Clone, Debug)]
pub struct Racing {
    pub threads: Vec<Vec<Statement>>,
    pub meanwhile: Vec<Statement>,
    pub afterwards: Vec<Statement>,
}

/// Two or three threads of a few statements.
pub fn racing() -> impl Strategy<Value = Racing> {
    let thread = prop::collection::vec(statement(), 1..4);
    let threads = prop::collection::vec(thread, 2..4);
    let main = || prop::collection::vec(leaf(), 0..2);
    let drawn = (threads, main(), main());
    drawn.prop_map(|(threads, meanwhile, afterwards)| Racing { threads, meanwhile, afterwards })
}

fn statement() -> impl Strategy<Value = Statement> {
    let block = || prop::collection::vec(leaf(), 1..3);
    let condition = (variable(), loads(), block());
    prop_oneof![
        5 => leaf(),
        2 => block().prop_map(Statement::Locked),
        4 => condition.prop_map(|(x, order, block)| Statement::If(x, order, block)),
    ]
}

fn leaf() -> impl Strategy<Value = Statement> {
    let fences = prop::sample::select(vec![Acquire, Release, AcqRel, SeqCst]);
    let updates = || prop::sample::select(vec![Relaxed, Acquire, Release, AcqRel, SeqCst]);
    let failing = prop::sample::select(vec![Relaxed, Acquire, SeqCst]);
    prop_oneof![
        4 => (variable(), loads()).prop_map(|(x, order)| Statement::Load(x, order)),
        5 => (variable(), stores(), 1..3_i64).prop_map(|(x, order, v)| Statement::Store(x, order, v)),
        1 => (variable(), updates()).prop_map(|(x, order)| Statement::Add(x, order)),
        1 => (variable(), updates(), failing).prop_map(|(x, a, b)| Statement::Swap(x, a, b)),
        2 => fences.prop_map(Statement::Fence),
    ]
}

/// Most accesses to the first variable are plain, so that there is something to race about; others are flags.
fn variable() -> impl Strategy<Value = usize> {
    prop_oneof![4 => Just(0), 4 => Just(1), 1 => Just(2)]
}

fn loads() -> impl Strategy<Value = Order> {
    prop::sample::select(vec![Plain, Relaxed, Acquire, Acquire, SeqCst])
}

fn stores() -> impl Strategy<Value = Order> {
    prop::sample::select(vec![Plain, Relaxed, Release, Release, SeqCst])
}

impl Racing {
    /// The program with plain accesses to the first variable and atomic ones to the second one: one that may well have no
    /// race.
    #[must_use]
    pub fn disciplined(mut self) -> Racing {
        let lists = self.threads.iter_mut().chain([&mut self.meanwhile, &mut self.afterwards]);
        lists.for_each(|list| list.iter_mut().for_each(discipline));
        self
    }

    /// The text of the program.
    pub fn text(&self) -> String {
        let mut text = String::from("#include <pthread.h>\n#include <stdatomic.h>\n");
        for x in 0..VARIABLES {
            let _ = writeln!(text, "int x{x};");
        }
        text += "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
        for (i, thread) in self.threads.iter().enumerate() {
            let _ = writeln!(text, "void *t{i}(void *arg) {{");
            list(&mut text, thread);
            text += "  return 0;\n}\n";
        }
        let _ = writeln!(text, "int main(void) {{\n  pthread_t id[{}];", self.threads.len());
        for i in 0..self.threads.len() {
            let _ = writeln!(text, "  pthread_create(&id[{i}], 0, t{i}, 0);");
        }
        list(&mut text, &self.meanwhile);
        for i in 0..self.threads.len() {
            let _ = writeln!(text, "  pthread_join(id[{i}], 0);");
        }
        list(&mut text, &self.afterwards);
        text + "  return 0;\n}\n"
    }
}

fn discipline(statement: &mut Statement) {
    match statement {
        Statement::Load(0, order) | Statement::Store(0, order, _) => *order = Plain,
        Statement::Load(_, order) | Statement::Store(_, order, _) if *order == Plain => {
            *order = Relaxed;
        }
        Statement::Load(..) | Statement::Store(..) | Statement::Fence(_) => {}
        Statement::Add(x, _) | Statement::Swap(x, ..) => *x = (*x).max(1),
        Statement::Locked(block) => block.iter_mut().for_each(discipline),
        Statement::If(x, order, block) => {
            *x = (*x).max(1);
            *order = if *order == Plain { Acquire } else { *order };
            block.iter_mut().for_each(discipline);
        }
    }
}

fn list(text: &mut String, statements: &[Statement]) {
    statements.iter().for_each(|statement| write(text, statement));
}

fn write(text: &mut String, statement: &Statement) {
    let _ = match statement {
        Statement::Load(x, order) => writeln!(text, "  (void){};", load(*x, *order)),
        Statement::Store(x, Plain, value) => writeln!(text, "  x{x} = {value};"),
        Statement::Store(x, order, value) => {
            writeln!(text, "  __atomic_store_n(&x{x}, {value}, {});", order.name())
        }
        Statement::Add(x, order) => {
            writeln!(text, "  __atomic_fetch_add(&x{x}, 1, {});", order.name())
        }
        Statement::Swap(x, won, lost) => writeln!(
            text,
            "  {{ int old = 1; __atomic_compare_exchange_n(&x{x}, &old, 2, 0, {}, {}); }}",
            won.name(),
            lost.name()
        ),
        Statement::Fence(order) => writeln!(text, "  atomic_thread_fence({});", order.name()),
        Statement::Locked(block) => {
            *text += "  pthread_mutex_lock(&m);\n";
            list(text, block);
            writeln!(text, "  pthread_mutex_unlock(&m);")
        }
        Statement::If(x, order, block) => {
            let _ = writeln!(text, "  if ({}) {{", load(*x, *order));
            list(text, block);
            writeln!(text, "  }}")
        }
    };
}

fn load(x: usize, order: Order) -> String {
    match order {
        Plain => format!("x{x}"),
        order => format!("__atomic_load_n(&x{x}, {})", order.name()),
    }
}

/// An instruction of the brute force.
#[derive(Clone, Debug)]
pub enum Instruction {
    Load(usize, Order),
    Store(usize, Order, i64),
    Add(usize, Order),
    Swap(usize, Order, Order),
    Fence(Order),
    Lock,
    Unlock,
    /// A load, and a jump if it sees 0.
    Skip(usize, Order, usize),
    Create(usize),
    Join(usize),
}

impl Racing {
    /// The code of `main`, then that of the threads.
    pub fn code(&self) -> Vec<Vec<Instruction>> {
        let count = self.threads.len();
        let mut main: Vec<_> = (1..=count).map(Instruction::Create).collect();
        compile(&self.meanwhile, &mut main);
        main.extend((1..=count).map(Instruction::Join));
        compile(&self.afterwards, &mut main);
        let mut all = vec![main];
        for thread in &self.threads {
            let mut code = Vec::new();
            compile(thread, &mut code);
            all.push(code);
        }
        all
    }
}

fn compile(statements: &[Statement], code: &mut Vec<Instruction>) {
    for statement in statements {
        match statement {
            Statement::Load(x, order) => code.push(Instruction::Load(*x, *order)),
            Statement::Store(x, order, v) => code.push(Instruction::Store(*x, *order, *v)),
            Statement::Add(x, order) => code.push(Instruction::Add(*x, *order)),
            Statement::Swap(x, won, lost) => code.push(Instruction::Swap(*x, *won, *lost)),
            Statement::Fence(order) => code.push(Instruction::Fence(*order)),
            Statement::Locked(block) => {
                code.push(Instruction::Lock);
                compile(block, code);
                code.push(Instruction::Unlock);
            }
            Statement::If(x, order, block) => {
                let at = code.len();
                code.push(Instruction::Fence(Relaxed));
                compile(block, code);
                code[at] = Instruction::Skip(*x, *order, code.len());
            }
        }
    }
}
