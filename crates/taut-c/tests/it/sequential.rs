//! Random programs with one thread: every value that gcc's program computes, the lowered program computes, too.

use std::collections::BTreeMap;
use std::process::Command;

use taut_c::{C, OVERFLOW};
use taut_ir::frontend::{Frontend, LoadContext, OptionValues};
use taut_ir::{Granularity, Memory, MemoryModel, Program};
use taut_source::{SourceMap, render_all};
use taut_testkit::tally::Tally;
use taut_witness::{Machine, Outcome, State};

/// The most steps of a program.
const MOST_STEPS: usize = 200_000;

#[test]
fn sequential_programs_compute_what_gcc_computes() {
    let tally = Tally::new();
    let seeds = if std::env::var_os("TAUT_SOAK").is_some() { 2_000 } else { 60 };
    for seed in 0..seeds {
        let text = Generator::program(seed);
        let Some(expected) = run_gcc(&text) else {
            tally.count("not compiled by gcc");
            continue;
        };
        let Some(found) = run(&text, seed) else {
            tally.count("too long");
            continue;
        };
        for (name, value) in &expected {
            // A global that the program never names is no part of it.
            let Some(computed) = found.get(name) else { continue };
            assert_eq!(computed, value, "{name} of seed {seed}:\n{text}");
            tally.count("values");
        }
        tally.count("compared");
    }
    tally.at_least("compared", seeds * 8 / 10).at_least("values", seeds * 12);
}

/// The values of all globals at the end, by name; none if the program takes too long.
fn run(text: &str, seed: u64) -> Option<BTreeMap<String, i64>> {
    let program = lowered(text, seed);
    let machine = Machine::new(&program, Memory::new(MemoryModel::Sc));
    let mut state = machine.initial();
    for _ in 0..MOST_STEPS {
        let successors = machine.successors(&state);
        let Some((_, taken)) = successors.moves.first() else {
            return Some(values(&program, &state));
        };
        assert_eq!(successors.moves.len(), 1, "one thread has no choice; seed {seed}:\n{text}");
        match &taken.outcome {
            Outcome::State(next) => state = next.clone(),
            Outcome::Failure(failure) => panic!("seed {seed}: {failure:?}\n{text}"),
        }
    }
    None
}

fn lowered(text: &str, seed: u64) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("random.c", text);
    let mut options = OptionValues::default();
    options.set(&OVERFLOW, "wrap").expect("a choice");
    let mut context = LoadContext::new(&mut sources, file, &options);
    context.granularity = Granularity::Access;
    match C.load(&mut context) {
        Ok(read) => read.lowered.program,
        Err(messages) => {
            panic!("seed {seed} is refused: {}\n{text}", render_all(&sources, &messages, false))
        }
    }
}

/// The values of all cells by their names in the source.
fn values(program: &Program, state: &State) -> BTreeMap<String, i64> {
    let mut all = BTreeMap::new();
    for var in program.var_ids() {
        for (index, &value) in state.memory[var.index()].iter().enumerate() {
            let name = program.shown.cell(var, index as u32);
            let name = name.map_or_else(|| program.var(var).name.clone(), str::to_owned);
            all.insert(name, value);
        }
    }
    all
}

/// The values that the compiled program prints, by name; none if there is no gcc, or it takes too long.
fn run_gcc(text: &str) -> Option<BTreeMap<String, i64>> {
    let folder = tempfile::tempdir().ok()?;
    let (source, executable) = (folder.path().join("p.c"), folder.path().join("p"));
    std::fs::write(&source, text).ok()?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-fwrapv", "-w", "-O0", "-DPRINT", "-o"]).arg(&executable).arg(&source);
    let compiled = gcc.output().ok()?;
    assert!(
        compiled.status.success(),
        "gcc refuses the program: {}\n{text}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let ran = Command::new("timeout").arg("5").arg(&executable).output().ok()?;
    let printed = String::from_utf8(ran.stdout).ok().filter(|_| ran.status.success())?;
    let pair = |line: &str| {
        let (name, value) = line.split_once('=')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    printed.lines().map(pair).collect()
}

/// Makes random programs: loops that end, no division by zero, no shift that is too far, no access outside of an object.
struct Generator {
    random: fastrand::Rng,
    depth: u32,
    loops: u32,
}

const SCALARS: [&str; 16] = [
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "s.x",
    "s.y",
    "s.in.z",
    "t.in.w",
    "u",
    "g",
    "h",
    "row[1].x",
    "row[0].in.w",
    "pr->y",
];
const PRINTED: [&str; 29] = [
    "g",
    "h",
    "row[0].x",
    "row[0].y",
    "row[0].in.w",
    "row[1].x",
    "row[1].y",
    "row[1].in.z",
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "u",
    "s.x",
    "s.y",
    "s.in.z",
    "s.in.w",
    "t.x",
    "t.y",
    "t.in.z",
    "t.in.w",
    "arr[0]",
    "arr[1]",
    "arr[2]",
    "arr[3]",
    "m[1][0]",
    "m[1][1]",
];

impl Generator {
    fn program(seed: u64) -> String {
        let mut this = Generator { random: fastrand::Rng::with_seed(seed), depth: 0, loops: 0 };
        let helpers = this.helpers();
        let mut body = String::new();
        for _ in 0..14 {
            body.push_str(&this.statement());
        }
        let mut text = String::from(DECLARATIONS);
        text.push_str(&helpers);
        text.push_str("int main(void) {\n  pa = &arr[0]; ps = &s; pu = &u; pr = row; fp = plus;\n");
        text.push_str(&body);
        text.push_str("#ifdef PRINT\n");
        for name in PRINTED {
            text.push_str(&format!("  printf(\"{name}=%ld\\n\", (long){name});\n"));
        }
        text.push_str("#endif\n  return 0;\n}\n");
        text
    }

    fn helpers(&mut self) -> String {
        // Deep already: no calls of what is declared later.
        self.depth = 3;
        let (one, two, three) = (self.expression(), self.expression(), self.statement());
        self.depth = 0;
        format!(
            "static int twist(int p, unsigned char q) {{ p += q; if (p > 3) return {one}; {three} return p ^ q; }}\n\
             static void bump(int *where, long by) {{ *where += by; (*where)++; if (by > 1) {{ *where = {two}; }} }}\n\
             static struct pair make(int v) {{ struct pair r = {{ v, 3 }}; r.in.z = v + 1; return r; }}\n\
             static int down(int n) {{ return n <= 0 ? 1 : n + down(n - 2); }}\n"
        )
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.random.usize(..list.len())]
    }

    fn statement(&mut self) -> String {
        self.depth += 1;
        let kind = if self.depth > 3 { self.random.u32(0..7) } else { self.random.u32(0..20) };
        let (place, value) = (self.place(), self.expression());
        let text = match kind {
            0 | 1 => format!("  {place} = {value};\n"),
            2 => {
                let op = self.pick(&["+=", "-=", "*=", "&=", "|=", "^="]);
                format!("  {place} {op} {value};\n")
            }
            3 => format!("  {place}{};\n", self.pick(&["++", "--"])),
            4 => format!("  {place} <<= ({value}) & 3;\n"),
            5 => format!("  {place} /= (({value}) | 1);\n"),
            6 => format!("  {place} = {}{};\n", self.pick(&["--", "++"]), self.pick(&SCALARS)),
            7 => {
                let (yes, no) = (self.statement(), self.statement());
                format!("  if ({value}) {{\n{yes}  }} else {{\n{no}  }}\n")
            }
            8 | 9 => self.a_loop(),
            10 => self.a_switch(&value),
            11 => format!("  bump(&{}, {value});\n", self.pick(&["a", "arr[2]", "s.x"])),
            12 => format!("  s = make({value}); t = s; {place} = t.in.z;\n"),
            14 => format!(
                "  pr = &row[({value}) & 1]; pr->x += {value}; row[1] = row[0]; {place} = pr->in.w;\n"
            ),
            15 => format!(
                "  fp = ({value}) & 1 ? plus : minus; {place} = fp({}, (short)({value}));\n",
                self.expression()
            ),
            16 => self.a_goto(&value),
            17 => format!(
                "  {place} = table[({value}) & 1](a, 2) {} (signed char)({value});\n",
                self.pick(&["+", "<", "^"])
            ),
            18 => format!("  {place} {} ({value}) & 7;\n", self.pick(&[">>=", "%=1|", "<<="])),
            13 => format!("  {{ int k = {value}; int *w = &k; *w += 2; {place} = k; }}\n"),
            _ => format!(
                "  pa = &arr[({value}) & 3]; *pa += 1; ps = ({value}) & 1 ? &s : &t; ps->x = {value};\n"
            ),
        };
        self.depth -= 1;
        text
    }

    fn a_loop(&mut self) -> String {
        self.loops += 1;
        let (name, count) = (format!("i{}", self.loops), self.random.u32(1..5));
        let (body, condition) = (self.statement(), self.expression());
        let leave = self.pick(&["", "break;", "continue;"]);
        match self.random.u32(0..3) {
            0 => format!(
                "  for (int {name} = 0; {name} < {count}; {name}++) {{\n{body}  if ({condition}) {leave};\n  }}\n"
            ),
            1 => format!(
                "  {{ int {name} = {count}; while ({name}-- > 0) {{\n{body}  if ({condition}) {leave};\n  }} }}\n"
            ),
            _ => format!(
                "  {{ int {name} = {count}; do {{\n{body}  if ({condition}) {leave};\n  }} while (--{name} > 0); }}\n"
            ),
        }
    }

    /// A jump back, a few times, and one forward.
    fn a_goto(&mut self, value: &str) -> String {
        self.loops += 1;
        let (name, body, skipped) = (self.loops, self.statement(), self.statement());
        format!(
            "  {{ int j{name} = 0;\nback{name}:\n{body}  if (++j{name} < 3 && ({value})) goto back{name};\n               if (a & 1) goto out{name};\n{skipped}out{name}:; }}\n"
        )
    }

    fn a_switch(&mut self, value: &str) -> String {
        let (one, two, three) = (self.statement(), self.statement(), self.statement());
        let leave = self.pick(&["", "break;"]);
        format!(
            "  switch (({value}) & 3) {{\n  case 0:\n{one}{leave}\n  case 1 ... 2:\n{two}  break;\n  default:\n{three}  }}\n"
        )
    }

    fn place(&mut self) -> String {
        match self.random.u32(0..6) {
            0 => "(*pa)".into(),
            1 => "ps->in.w".into(),
            2 => format!("arr[({}) & 3]", self.small()),
            3 => format!("m[1][({}) & 1]", self.small()),
            4 => "(*pu)".into(),
            _ => self.pick(&SCALARS).into(),
        }
    }

    fn small(&mut self) -> String {
        self.pick(&["a", "b", "1", "u", "2"]).to_owned()
    }

    fn expression(&mut self) -> String {
        self.depth += 1;
        let kind = if self.depth > 5 { self.random.u32(0..3) } else { self.random.u32(0..14) };
        let text = match kind {
            0 => format!("({})", self.random.i32(-20..40)),
            1 => self.place(),
            2 => self.pick(&["7u", "300", "'c'", "0x80", "-1L", "5ul", "sizeof(s)"]).into(),
            3..=6 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.expression(), self.expression())
            }
            7 => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!=", "&&", "||"]);
                format!("({} {op} {})", self.expression(), self.expression())
            }
            8 => {
                let op = self.pick(&["/", "%"]);
                format!("({} {op} ({} | 1))", self.expression(), self.expression())
            }
            9 => format!(
                "({} {} ({} & 7))",
                self.expression(),
                self.pick(&["<<", ">>"]),
                self.expression()
            ),
            10 => format!("({}({}))", self.pick(&["-", "~", "!"]), self.expression()),
            11 => {
                format!("({} ? {} : {})", self.expression(), self.expression(), self.expression())
            }
            12 => format!(
                "(({}){})",
                self.pick(&["char", "unsigned", "long", "short", "unsigned char", "_Bool"]),
                self.expression()
            ),
            _ => format!("({} + (int)(pa - arr))", self.expression()),
        };
        self.depth -= 1;
        text
    }
}

const DECLARATIONS: &str = "#include <stdio.h>
struct pair { int x; unsigned char y; struct { long z; short w; } in; };
int a = 5, arr[4] = { 1, 2 }, m[2][2] = { { 1, 2 }, { 3 } }, *pa;
unsigned b = 3000000000u;
long c = -7;
unsigned char d = 250;
short e = 32767;
unsigned long f = 9, u = 1ul << 40, *pu;
struct pair s = { .x = 4, .in = { 9, 2 } }, t, *ps, row[2] = { { 1, 2, { 3, 4 } }, { .y = 7 } }, *pr;
signed char g = -3;
unsigned short h = 65535;
static long plus(int l, short r) { return l + r; }
static long minus(int l, short r) { return (long)l - r * 3; }
static long (*fp)(int, short), (*table[2])(int, short) = { plus, minus };
";
