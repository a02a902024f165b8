//! Random programs of the Taut language with several accesses per statement, each beside the same program with
//! one access per statement, written out with locals, `if` and real loops.
//!
//! The written-out program is made from the syntax alone: it shares nothing with the pass that splits steps. Both
//! programs set a ghost `pcN` before each statement of process N, so that their states can be compared. A
//! statement that waits is a loop in the written-out program, which never blocks; whether a state is a deadlock is
//! decided by [`Drawn::is_stuck`].

use std::fmt::Write;

/// Number of processes.
pub const PROCESSES: usize = 2;
/// Number of locals of a process that both programs have: `l0`, `l1`.
pub const LOCALS: usize = 2;
/// The program counter of a process that has finished.
pub const FINISHED: i64 = 99;

/// An expression.
#[derive(Clone, Debug)]
enum Expr {
    Number(i64),
    Local(usize),
    /// `x` or `y`.
    Var(usize),
    /// `a[e & 1]`
    Element(Box<Expr>),
    /// The ghost `g`.
    Ghost,
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// Something that can be assigned.
#[derive(Clone, Debug)]
enum Place {
    Local(usize),
    Var(usize),
    Element(Expr),
}

#[derive(Clone, Debug)]
enum Stmt {
    Assign(Vec<(Place, Expr)>),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    /// Alternatives, each with what it waits for; a single one is an `await`.
    Choose(Vec<(Option<Expr>, Vec<Stmt>)>),
    Assert(Expr),
    FetchAdd(usize, Expr, Place),
    Cas(Expr, Expr, Expr, usize),
    Atomic(usize, Expr),
    Fence,
}

/// What the variables hold.
pub struct Values<'v> {
    /// `x`, `y`, then the elements of `a`.
    pub shared: [i64; 4],
    /// The ghost `g`.
    pub ghost: i64,
    /// The locals of the process.
    pub locals: &'v [i64],
}

/// A program in both forms.
pub struct Drawn {
    /// With several accesses per statement.
    pub compound: String,
    /// The same with one access per statement.
    pub written_out: String,
    /// For each process, the statements that wait: their program counters and what they wait for.
    waits: Vec<Vec<(i64, Vec<Expr>)>>,
}

impl Drawn {
    /// The program with a number.
    pub fn new(seed: u64) -> Drawn {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let head = "shared wrap 0..2 x, y;\nshared wrap 0..2 a[2];\nghost wrap 0..2 g;\n";
        let mut drawn =
            Drawn { compound: head.into(), written_out: head.into(), waits: Vec::new() };
        for process in 0..PROCESSES {
            let body: Vec<Stmt> = (0..1 + dice.below(2)).map(|_| dice.statement(2)).collect();
            let ghost = format!("ghost 0..{FINISHED} pc{process};\n");
            let (mut compound, mut written) =
                (Writer::new(process, false), Writer::new(process, true));
            compound.body(&body);
            written.body(&body);
            for (text, writer) in
                [(&mut drawn.compound, &compound), (&mut drawn.written_out, &written)]
            {
                let temporaries: String =
                    (0..writer.most).map(|t| format!("  local int t{t};\n")).collect();
                let locals = "  local wrap 0..2 l0, l1;\n";
                let end = format!("  pc{process} := {FINISHED};\n");
                let text_of = &writer.text;
                let _ = write!(
                    text,
                    "{ghost}process p{process} begin\n{locals}{temporaries}{text_of}{end}end\n"
                );
            }
            drawn.waits.push(compound.waits);
        }
        drawn
    }

    /// Whether a process with this program counter never gets on if memory stays as it is: it has finished, or
    /// all that it waits for is false.
    pub fn is_stuck(&self, process: usize, pc: i64, values: &Values<'_>) -> bool {
        let waits = self.waits[process].iter().find(|(at, _)| *at == pc);
        let blocked = waits.is_some_and(|(_, all)| all.iter().all(|e| e.value(values) == 0));
        pc == FINISHED || blocked
    }
}

impl Expr {
    fn value(&self, values: &Values<'_>) -> i64 {
        match self {
            Expr::Number(n) => *n,
            Expr::Local(l) => values.locals[*l],
            Expr::Var(v) => values.shared[*v],
            Expr::Element(index) => values.shared[2 + (index.value(values) & 1) as usize],
            Expr::Ghost => values.ghost,
            Expr::Not(e) => i64::from(e.value(values) == 0),
            Expr::Cond(c, a, b) => {
                if c.value(values) != 0 {
                    a.value(values)
                } else {
                    b.value(values)
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (a.value(values), b.value(values));
                match *op {
                    "+" => a + b,
                    "==" => i64::from(a == b),
                    "!=" => i64::from(a != b),
                    "<" => i64::from(a < b),
                    "&&" => i64::from(a != 0 && b != 0),
                    "||" => i64::from(a != 0 || b != 0),
                    other => unreachable!("no operator {other}"),
                }
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Expr::Number(n) => n.to_string(),
            Expr::Local(l) => format!("l{l}"),
            Expr::Var(v) => ["x", "y"][*v].into(),
            Expr::Element(index) => format!("a[({}) & 1]", index.text()),
            Expr::Ghost => "g".into(),
            Expr::Not(e) => format!("!({})", e.text()),
            Expr::Binary(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Expr::Cond(c, a, b) => format!("({} ? {} : {})", c.text(), a.text(), b.text()),
        }
    }
}

/// Writes one process, in one of the two forms.
struct Writer {
    process: usize,
    written_out: bool,
    text: String,
    depth: usize,
    /// Temporaries in use, and the most of them.
    temporaries: usize,
    most: usize,
    statements: i64,
    waits: Vec<(i64, Vec<Expr>)>,
}

impl Writer {
    fn new(process: usize, written_out: bool) -> Writer {
        let (text, waits) = (String::new(), Vec::new());
        Writer {
            process,
            written_out,
            text,
            depth: 1,
            temporaries: 0,
            most: 0,
            statements: 0,
            waits,
        }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.depth));
    }

    fn block(&mut self, open: &str, inside: impl FnOnce(&mut Writer), close: &str) {
        self.line(open);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line(close);
    }

    fn temporary(&mut self) -> String {
        self.temporaries += 1;
        self.most = self.most.max(self.temporaries);
        format!("t{}", self.temporaries - 1)
    }

    /// The expression over locals; its loads are written before, one by one.
    fn operand(&mut self, e: &Expr) -> String {
        if !self.written_out {
            return e.text();
        }
        match e {
            Expr::Number(_) | Expr::Local(_) | Expr::Ghost => e.text(),
            Expr::Var(_) => {
                let t = self.temporary();
                self.line(&format!("{t} := {};", e.text()));
                t
            }
            Expr::Element(index) => {
                let index = self.operand(index);
                let t = self.temporary();
                self.line(&format!("{t} := a[({index}) & 1];"));
                t
            }
            Expr::Not(e) => format!("!({})", self.operand(e)),
            Expr::Binary(op @ ("&&" | "||"), a, b) => {
                let t = self.temporary();
                let a = self.operand(a);
                let (default, enter) = if *op == "&&" { (0, a) } else { (1, format!("!({a})")) };
                self.line(&format!("{t} := {default};"));
                self.block(
                    &format!("if ({enter}) {{"),
                    |w| {
                        let b = w.operand(b);
                        w.line(&format!("{t} := ({b}) != 0;"));
                    },
                    "}",
                );
                t
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                format!("({a} {op} {b})")
            }
            Expr::Cond(c, a, b) => {
                let t = self.temporary();
                let c = self.operand(c);
                self.block(&format!("if ({c}) {{"), |w| w.set(&t, a), "} else {");
                self.depth += 1;
                self.set(&t, b);
                self.depth -= 1;
                self.line("}");
                t
            }
        }
    }

    fn set(&mut self, t: &str, e: &Expr) {
        let value = self.operand(e);
        self.line(&format!("{t} := {value};"));
    }

    fn place(&mut self, place: &Place) -> String {
        match place {
            Place::Local(l) => format!("l{l}"),
            Place::Var(v) => ["x", "y"][*v].into(),
            Place::Element(index) => format!("a[({}) & 1]", self.operand(index)),
        }
    }

    /// Ends a statement: its temporaries are put back, so that the states of the two forms are about as many.
    fn done(&mut self) {
        if self.written_out && self.temporaries > 0 {
            let names: Vec<_> = (0..self.temporaries).map(|t| format!("t{t}")).collect();
            let zeros = vec!["0"; names.len()];
            self.line(&format!("{} := {};", names.join(", "), zeros.join(", ")));
        }
        self.temporaries = 0;
    }

    fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.statements += 1;
            let (process, pc) = (self.process, self.statements);
            self.line(&format!("pc{process} := {pc};"));
            self.statement(stmt, pc);
        }
    }

    fn statement(&mut self, stmt: &Stmt, pc: i64) {
        match stmt {
            Stmt::Assign(list) => self.assign(list),
            Stmt::If(condition, yes, no) => {
                let value = self.operand(condition);
                self.block(&format!("if ({value}) {{"), |w| w.inner(yes), "} else {");
                self.depth += 1;
                self.inner(no);
                self.depth -= 1;
                self.line("}");
            }
            Stmt::While(condition, body) => self.repeat(condition, body),
            Stmt::Choose(all) => {
                let waiting: Option<Vec<_>> = all.iter().map(|(e, _)| e.clone()).collect();
                self.waits.extend(waiting.map(|all| (pc, all)));
                self.choose(all);
            }
            Stmt::Assert(condition) => {
                let (value, process) = (self.operand(condition), self.process);
                self.line(&format!("assert({value}) as a{process}_{pc};"));
                self.done();
            }
            Stmt::FetchAdd(v, e, result) => {
                let (value, name) = (self.operand(e), ["x", "y"][*v]);
                match result {
                    Place::Var(to) if self.written_out => {
                        let (t, to) = (self.temporary(), ["x", "y"][*to]);
                        self.line(&format!("{t} := fetch_add({name}, {value});"));
                        self.line(&format!("{to} := {t};"));
                    }
                    place => {
                        let place = self.place(place);
                        self.line(&format!("{place} := fetch_add({name}, {value});"));
                    }
                }
                self.done();
            }
            Stmt::Cas(index, old, new, l) => {
                let [index, old, new] = [index, old, new].map(|e| self.operand(e));
                self.line(&format!("l{l} := cas(a[({index}) & 1], {old}, {new});"));
                self.done();
            }
            Stmt::Atomic(v, e) => {
                let name = ["x", "y"][*v];
                self.line(&format!("atomic {{ {name} := {}; }}", e.text()));
            }
            Stmt::Fence => self.line("fence;"),
        }
    }

    /// A body whose first act is to put the temporaries of the condition back.
    fn inner(&mut self, body: &[Stmt]) {
        let temporaries = self.temporaries;
        self.done();
        self.body(body);
        self.temporaries = 0;
        if body.is_empty() && (!self.written_out || temporaries == 0) {
            self.line("skip;");
        }
    }

    fn assign(&mut self, list: &[(Place, Expr)]) {
        let mut parts = Vec::new();
        for (place, value) in list {
            let name = self.place(place);
            parts.push((matches!(place, Place::Local(_)), name, self.operand(value)));
        }
        if !self.written_out {
            let names: Vec<_> = parts.iter().map(|p| p.1.as_str()).collect();
            let values: Vec<_> = parts.iter().map(|p| p.2.as_str()).collect();
            self.line(&format!("{} := {};", names.join(", "), values.join(", ")));
            return self.done();
        }
        // Locals do not count as accesses: they are assigned with the last store.
        let (mut last, mut stores): (Vec<_>, Vec<_>) = parts.into_iter().partition(|p| p.0);
        last.extend(stores.pop());
        for (_, name, value) in stores {
            self.line(&format!("{name} := {value};"));
        }
        let names: Vec<_> = last.iter().map(|p| p.1.as_str()).collect();
        let values: Vec<_> = last.iter().map(|p| p.2.as_str()).collect();
        self.line(&format!("{} := {};", names.join(", "), values.join(", ")));
        self.done();
    }

    fn repeat(&mut self, condition: &Expr, body: &[Stmt]) {
        if !self.written_out {
            let value = condition.text();
            return self.block(&format!("while ({value}) {{"), |w| w.inner(body), "}");
        }
        self.block(
            "loop {",
            |w| {
                let value = w.operand(condition);
                w.block(&format!("if (!({value})) {{"), |w| w.line("break;"), "}");
                w.inner(body);
            },
            "}",
        );
        // The loop was left before its temporaries were put back.
        self.temporaries = self.most;
        self.done();
    }

    fn choose(&mut self, all: &[(Option<Expr>, Vec<Stmt>)]) {
        if !self.written_out {
            if let [(Some(e), body)] = all {
                self.line(&format!("await({});", e.text()));
                return self.body(body);
            }
            for (i, (guard, body)) in all.iter().enumerate() {
                self.line(if i == 0 { "choose {" } else { "} or {" });
                self.depth += 1;
                match guard {
                    Some(e) => self.line(&format!("await({});", e.text())),
                    None => self.line("skip;"),
                }
                self.body(body);
                self.depth -= 1;
            }
            return self.line("}");
        }
        self.line("loop {");
        self.depth += 1;
        for (i, (guard, body)) in all.iter().enumerate() {
            self.line(if i == 0 { "choose {" } else { "} or {" });
            self.depth += 1;
            let value = guard.as_ref().map_or("1".into(), |e| self.operand(e));
            self.block(
                &format!("if ({value}) {{"),
                |w| {
                    w.inner(body);
                    w.line("break;");
                },
                "} else {",
            );
            self.depth += 1;
            self.temporaries = self.most;
            self.done();
            self.line("skip;");
            self.depth -= 1;
            self.line("}");
            self.depth -= 1;
        }
        self.line("}");
        self.depth -= 1;
        self.line("}");
    }
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn leaf(&mut self) -> Expr {
        match self.below(8) {
            0 => Expr::Number(self.below(3) as i64),
            1 => Expr::Local(self.below(LOCALS as u64) as usize),
            2 => Expr::Ghost,
            3 | 4 => Expr::Element(Box::new(self.shallow())),
            _ => Expr::Var(self.below(2) as usize),
        }
    }

    /// An expression of one operand.
    fn shallow(&mut self) -> Expr {
        match self.below(4) {
            0 => Expr::Local(self.below(LOCALS as u64) as usize),
            1 => Expr::Number(self.below(2) as i64),
            _ => Expr::Var(self.below(2) as usize),
        }
    }

    fn value(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.below(3) == 0 {
            return self.leaf();
        }
        let (a, b) = (Box::new(self.value(depth - 1)), Box::new(self.value(depth - 1)));
        match self.below(6) {
            0 => Expr::Cond(Box::new(self.condition(0)), a, b),
            1 => Expr::Binary(self.pick(&["&&", "||"]), a, b),
            _ => Expr::Binary("+", a, b),
        }
    }

    fn condition(&mut self, depth: u32) -> Expr {
        match self.below(if depth == 0 { 3 } else { 7 }) {
            0..=2 => {
                let op = self.pick(&["==", "==", "!=", "<"]);
                Expr::Binary(op, Box::new(self.leaf()), Box::new(self.leaf()))
            }
            3 => Expr::Not(Box::new(self.condition(depth - 1))),
            4 if self.below(3) == 0 => Expr::Cond(
                Box::new(self.condition(0)),
                Box::new(self.condition(0)),
                Box::new(self.condition(0)),
            ),
            _ => {
                let op = self.pick(&["&&", "||"]);
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                Expr::Binary(op, Box::new(a), Box::new(b))
            }
        }
    }

    fn place(&mut self) -> Place {
        match self.below(4) {
            0 => Place::Local(self.below(LOCALS as u64) as usize),
            1 => Place::Element(self.shallow()),
            _ => Place::Var(self.below(2) as usize),
        }
    }

    fn bodies(&mut self, depth: u32) -> Vec<Stmt> {
        if depth == 0 { Vec::new() } else { vec![self.statement(depth - 1)] }
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        match self.below(if depth == 0 { 9 } else { 14 }) {
            0..=2 => Stmt::Assign(vec![(self.place(), self.value(2))]),
            3 => {
                let (a, b) = (self.value(1), self.value(1));
                Stmt::Assign(vec![(Place::Var(0), a), (self.pick_second(), b)])
            }
            4 | 5 => Stmt::Choose(vec![(Some(self.condition(2)), Vec::new())]),
            6 => Stmt::Assert(self.condition(2)),
            7 => match self.below(4) {
                0 => Stmt::Fence,
                1 => Stmt::Atomic(self.below(2) as usize, self.value(1)),
                2 => {
                    let result = self.pick(&[0, 1]);
                    let result = if result == 0 { Place::Local(0) } else { Place::Var(1) };
                    Stmt::FetchAdd(0, self.value(1), result)
                }
                _ => Stmt::Cas(self.shallow(), self.leaf(), self.leaf(), 1),
            },
            8 => Stmt::Assign(vec![(Place::Var(self.below(2) as usize), Expr::Number(1))]),
            9 | 10 => Stmt::If(self.condition(2), self.bodies(depth), self.bodies(depth - 1)),
            11 => Stmt::While(self.condition(1), self.bodies(depth)),
            _ => {
                let free = self.below(4) == 0;
                let first = (Some(self.condition(2)), self.bodies(depth - 1));
                let guard = if free { None } else { Some(self.condition(2)) };
                Stmt::Choose(vec![first, (guard, self.bodies(depth))])
            }
        }
    }

    fn pick_second(&mut self) -> Place {
        if self.below(2) == 0 { Place::Var(1) } else { Place::Local(0) }
    }
}
