//! Random RMM programs beside the same programs in the Taut language: what is forbidden is reachable in both or in neither,
//! under SC, TSO and PSO.
//!
//! A generator writes each statement twice. The RMM text has own and global variables, pointers, registers with small domains,
//! `either`, `if`, `while`, jumps, locked blocks and fences; the Taut text says what they mean by the table of the book (`book/src/rmm.md`).

use taut::load::from_text;
use taut::{Check, MemoryModel, VerdictKind};
use taut_testkit::tally::Tally;

/// Most states of a check.
const MOST_STATES: u64 = 30_000;

/// A statement in both languages.
struct Pair {
    rmm: String,
    taut: String,
}

fn pair(rmm: impl Into<String>, taut: impl Into<String>) -> Pair {
    Pair { rmm: rmm.into(), taut: taut.into() }
}

struct Generator {
    random: fastrand::Rng,
    process: usize,
    processes: usize,
}

impl Generator {
    fn number(&mut self, most: usize) -> usize {
        self.random.usize(..most)
    }

    /// A place in memory: `x` and `y` are of all, `z` is of each process.
    fn place(&mut self) -> Pair {
        match self.number(5) {
            0 => pair("x", "x"),
            1 => pair("y", "y"),
            2 => pair("[0]", "x"),
            3 => pair("z[my]", format!("z[{}]", self.process)),
            _ => {
                let k = self.number(self.processes - 1);
                let owner = if k >= self.process { k + 1 } else { k };
                pair(format!("z[{k}]"), format!("z[{owner}]"))
            }
        }
    }

    /// A number, with the condition that it is from 0 to 1.
    fn value(&mut self) -> (Pair, &'static str) {
        match self.number(4) {
            0 => (pair("0", "0"), "true"),
            1 => (pair("1", "1"), "true"),
            2 => (pair("$r", "r"), "true"),
            _ => (pair("$r + 1", "r + 1"), "r == 0"),
        }
    }

    fn condition(&mut self) -> Pair {
        let value = self.number(2);
        match self.number(3) {
            0 => pair(format!("$r = {value}"), format!("r == {value}")),
            1 => pair(format!("not $r > {value}"), format!("!(r > {value})")),
            _ => pair(format!("[$r != {value} || $r < 1]"), format!("(r != {value} || r < 1)")),
        }
    }

    fn list(&mut self, depth: usize) -> Pair {
        let count = 1 + self.number(2);
        let all: Vec<Pair> = (0..count).map(|_| self.statement(depth)).collect();
        let rmm: Vec<_> = all.iter().map(|p| p.rmm.as_str()).collect();
        let taut: Vec<_> = all.iter().map(|p| p.taut.as_str()).collect();
        pair(rmm.join("; "), taut.join(" "))
    }

    fn statement(&mut self, depth: usize) -> Pair {
        let most = if depth == 0 { 12 } else { 16 };
        match self.number(most) {
            0..3 => {
                let (place, (value, fits)) = (self.place(), self.value());
                let taut = format!("assume({fits}); {} := {};", place.taut, value.taut);
                pair(format!("write: {} := {}", place.rmm, value.rmm), taut)
            }
            3..5 => {
                let place = self.place();
                pair(format!("read: $r := {}", place.rmm), format!("r := {};", place.taut))
            }
            5..7 => {
                let (place, (value, _)) = (self.place(), self.value());
                let taut = format!("await({} == {});", place.taut, value.taut);
                pair(format!("read: {} = {}", place.rmm, value.rmm), taut)
            }
            7 => {
                let (place, (value, fits)) = (self.place(), self.value());
                let taut = format!("assume({fits}); atomic {} := {};", place.taut, value.taut);
                pair(format!("locked write: {} := {}", place.rmm, value.rmm), taut)
            }
            8 => {
                let (place, value) = (self.place(), self.number(2));
                let Pair { rmm, taut } = place;
                pair(
                    format!("cas({rmm}, {value}, {})", 1 - value),
                    format!("locked {{ assume({taut} == {value}); {taut} := {}; }}", 1 - value),
                )
            }
            9 => self.locked(),
            10 => match self.number(3) {
                0 => pair("fence", "fence;"),
                1 => pair("ssfence", "sfence;"),
                _ => pair("llfence", "skip;"),
            },
            11 => pair("$r := 1 - $r", "r := 1 - r;"),
            12..14 => {
                let (a, b) = (self.list(depth - 1), self.list(depth - 1));
                pair(
                    format!("either {{ {} or {} }}", a.rmm, b.rmm),
                    format!("choose {{ {} }} or {{ {} }}", a.taut, b.taut),
                )
            }
            14 => {
                let (c, a, b) = (self.condition(), self.list(depth - 1), self.list(depth - 1));
                pair(
                    format!("if {} then {{ {} }} else {{ {} }}", c.rmm, a.rmm, b.rmm),
                    format!("if ({}) {{ {} }} else {{ {} }}", c.taut, a.taut, b.taut),
                )
            }
            _ => {
                let (c, a) = (self.condition(), self.list(depth - 1));
                pair(
                    format!("while {} do {{ {} }}", c.rmm, a.rmm),
                    format!("while ({}) {{ {} }}", c.taut, a.taut),
                )
            }
        }
    }

    /// A block in which a later statement sees an earlier one.
    fn locked(&mut self) -> Pair {
        let (Pair { rmm, taut }, value) = (self.place(), self.number(2));
        match self.number(3) {
            0 => pair(
                format!("locked {{ read: $r := {rmm}; write: {rmm} := 1 - $r }}"),
                format!("locked {{ r := {taut}; {taut} := 1 - r; }}"),
            ),
            1 => pair(
                format!("locked {{ write: {rmm} := {value}; read: x = {value} }}"),
                match taut.as_str() {
                    "x" => format!("locked {{ x := {value}; }}"),
                    _ => format!("locked {{ assume(x == {value}); {taut} := {value}; }}"),
                },
            ),
            _ => pair(
                format!(
                    "locked {{ read: {rmm} = 0; write: {rmm} := 1 or read: {rmm} = 1; $r := 1 }}"
                ),
                format!(
                    "choose {{ locked {{ assume({taut} == 0); {taut} := 1; }} }} or {{ locked {{ assume({taut} == 1); r := 1; }} }}"
                ),
            ),
        }
    }

    /// The part of a process in store buffering or message passing, with a random statement in between at times.
    fn shape(&mut self, shape: usize) -> Pair {
        let is_first = self.process == 0;
        let store = |name: &str| pair(format!("write: {name} := 1"), format!("{name} := 1;"));
        let load = |name: &str, value: u8| {
            pair(format!("read: {name} = {value}"), format!("await({name} == {value});"))
        };
        let (one, two) = match (shape, is_first) {
            (0, true) => (store("x"), load("y", 0)),
            (0, false) => (store("y"), load("x", 0)),
            (_, true) => (store("x"), store("y")),
            (_, false) => (load("y", 1), load("x", 0)),
        };
        let between = match self.number(3) {
            0 => self.statement(0),
            _ => pair("nop", "skip;"),
        };
        pair(
            format!("{}; {}; {}", one.rmm, between.rmm, two.rmm),
            format!("{} {} {}", one.taut, between.taut, two.taut),
        )
    }

    fn text(&mut self, shape: Option<usize>) -> Pair {
        let before = match shape.filter(|_| self.process < 2) {
            Some(shape) => self.shape(shape),
            None => self.list(2),
        };
        let after = self.list(1);
        let rmm = format!("{}; A: nop; {}; B: nop", before.rmm, after.rmm);
        pair(rmm, format!("{} A: skip; {} B: skip;", before.taut, after.taut))
    }
}

/// A program in both languages.
fn program(seed: u64) -> Pair {
    let mut random = fastrand::Rng::with_seed(seed);
    let processes = if random.usize(..4) == 0 { 3 } else { 2 };
    let mut generator = Generator { random, process: 0, processes };
    let shape = Some(generator.number(4)).filter(|shape| *shape < 2);
    let (mut rmm, mut taut) = (String::new(), String::new());
    let (mut labels, mut forbidden) = (String::new(), Vec::new());
    for process in 0..processes {
        generator.process = process;
        let text = generator.text(shape);
        // What comes after a shape would only hide it.
        let label = ["A", "B"][generator.number(if shape.is_some() { 1 } else { 2 })];
        labels += &format!("{label} ");
        forbidden.push(format!("P{process}@{label}"));
        rmm +=
            &format!("process data z = 0 : [0:1] registers $r = 0 : [0:1] text\n  {}\n", text.rmm);
        taut += &format!("process P{process} begin local 0..1 r = 0;\n  {}\nend\n", text.taut);
    }
    pair(
        format!("forbidden {labels}\ndata x = 0 : [0:1] y = 0 : [0:1]\n{rmm}"),
        format!(
            "shared 0..1 x = 0, y = 0, z[{processes}] = 0;\n{taut}forbid forbidden: {};\n",
            forbidden.join(" && ")
        ),
    )
}

/// The verdict with buffers of two entries; none if that takes too long.
fn verdict(name: &str, text: &str, model: MemoryModel) -> Option<VerdictKind> {
    let loaded = from_text(name, text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let check = Check::of(&loaded).model(model).bound(Some(2)).deadlock(false);
    let report =
        check.max_states(Some(MOST_STATES)).run().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let kind = report.verdict("forbidden").expect("a verdict").kind();
    assert!(report.verdict("fault").is_none_or(|v| v.kind() != VerdictKind::Violated), "{text}");
    (kind != VerdictKind::Unknown).then_some(kind)
}

#[test]
fn rmm_programs_mean_what_the_same_programs_in_taut_mean() {
    let seeds = if std::env::var_os("TAUT_SOAK").is_some() { 30_000 } else { 600 };
    let tally = Tally::new();
    for seed in 0..seeds {
        let Pair { rmm, taut } = program(seed);
        let mut by_model = Vec::new();
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let (Some(one), Some(other)) =
                (verdict("p.rmm", &rmm, model), verdict("p.taut", &taut, model))
            else {
                continue;
            };
            assert_eq!(one, other, "seed {seed} under {model}\n{rmm}\n{taut}");
            tally.count("compared");
            tally.count(one.word());
            by_model.push(one);
        }
        if by_model.first() != by_model.last() {
            tally.count("the model matters");
        }
    }
    tally.at_least("compared", seeds * 3 * 9 / 10).at_least("violated", seeds / 2);
    tally.at_least("holds", seeds / 2).at_least("the model matters", seeds / 60);
}
