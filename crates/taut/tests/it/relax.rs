//! `Repair::relax` against brute force: on random programs of small threads, written in C and in Taut, every combination of
//! strengths is written out by hand and checked, and the cheapest that is right costs what was found.

use taut::repair::{Outcome, Repair, ShownSet};
use taut::{Check, Loaded, MemoryModel, load};
use taut_testkit::tally::Tally;

/// Times as many cases as usual.
fn soak() -> u64 {
    std::env::var("TAUT_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Small random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// One statement of a thread.
#[derive(Clone, Copy)]
enum Op {
    /// A store of 1 to a variable, in one of several spellings; it can be weaker.
    Store(usize, u64),
    /// A fence in one of several spellings; it can be weaker.
    Fence(u64),
    /// A load into the thread's next register.
    Load(usize),
}

impl Op {
    fn is_strong(self) -> bool {
        !matches!(self, Op::Load(_))
    }
}

/// How strong a statement is: 0 is the weakest.
type Strength = u64;

/// Threads over the variables `v0` to `v2`, and an outcome that must not be: the value of each register of each thread.
struct Threads {
    threads: Vec<Vec<Op>>,
    forbidden: Vec<Vec<u64>>,
}

/// Most fences and stores of a program besides those of a cycle.
const MOST_STRONG: usize = 4;

impl Threads {
    /// Half of them have a cycle of store buffering in them: each thread stores to a variable and loads that of the next
    /// thread. The others are anything.
    fn random(random: &mut Random) -> Threads {
        let count = 2 + random.below(2) as usize;
        let in_cycle = random.below(2) == 0;
        let mut left = MOST_STRONG;
        let mut threads = Vec::new();
        for thread in 0..count {
            let mut ops = Vec::new();
            if in_cycle {
                ops.push(Op::Store(thread, random.below(8)));
                ops.extend((random.below(2) == 0).then(|| Op::Fence(random.below(8))));
                ops.push(Op::Load((thread + 1) % count));
                left = left.saturating_sub(ops.len() - 1);
            }
            let more = if in_cycle { random.below(2) } else { 2 + random.below(3) };
            for _ in 0..more {
                let variable = random.below(3) as usize;
                let op = match random.below(5) {
                    0 | 1 if left > 0 => Op::Store(variable, random.below(8)),
                    2 if left > 0 => Op::Fence(random.below(8)),
                    _ => Op::Load(variable),
                };
                left -= usize::from(op.is_strong());
                let at = random.below(ops.len() as u64 + 1) as usize;
                ops.insert(at, op);
            }
            threads.push(ops);
        }
        let loads = |ops: &Vec<Op>| ops.iter().filter(|op| !op.is_strong()).count();
        let counts: Vec<usize> = threads.iter().map(loads).collect();
        let value = |random: &mut Random, n| {
            (0..n).map(|_| u64::from(random.below(6) == 0)).collect::<Vec<u64>>()
        };
        let forbidden = counts.into_iter().map(|n| value(random, n)).collect();
        Threads { threads, forbidden }
    }

    /// The strengths that each fence and each store can have, from the weakest, with what they cost.
    fn strengths(&self, store_fences: bool) -> Vec<Vec<(Strength, u64)>> {
        let strong = self.threads.iter().flatten().filter(|op| op.is_strong());
        let of = |op: &Op| match op {
            Op::Store(..) => vec![(0, 0), (2, 5)],
            _ if store_fences => vec![(0, 0), (1, 1), (2, 3)],
            _ => vec![(0, 0), (2, 3)],
        };
        strong.map(of).collect()
    }

    /// The text of one thread, with the strengths of its statements.
    fn body(
        &self,
        thread: usize,
        strengths: &mut dyn Iterator<Item = Strength>,
        write: &dyn Fn(&Op, Strength, usize) -> String,
    ) -> String {
        let mut text = String::new();
        let mut register = 0;
        for op in &self.threads[thread] {
            let strength = if op.is_strong() { strengths.next().expect("a strength") } else { 0 };
            text.push_str(&write(op, strength, register));
            register += usize::from(!op.is_strong());
        }
        text
    }

    fn c(&self, strengths: &[Strength]) -> String {
        let mut text =
            String::from("#include <stdatomic.h>\n#include <pthread.h>\n#include <assert.h>\n");
        text.push_str("atomic_int v0, v1, v2;\n#define mb() __sync_synchronize()\n");
        for (thread, registers) in self.forbidden.iter().enumerate() {
            (0..registers.len()).for_each(|r| text.push_str(&format!("int r{thread}{r};\n")));
        }
        let mut strengths = strengths.iter().copied();
        for thread in 0..self.threads.len() {
            let write = |op: &Op, strength: Strength, register: usize| match op {
                Op::Store(v, how) => format!("  {}\n", c_store(*v, *how, strength)),
                Op::Fence(how) => c_fence(*how, strength),
                Op::Load(v) => format!("  r{thread}{register} = atomic_load(&v{v});\n"),
            };
            let body = self.body(thread, &mut strengths, &write);
            text.push_str(&format!("void *t{thread}(void *arg) {{\n{body}  return arg;\n}}\n"));
        }
        text.push_str("int main(void) {\n");
        for thread in 0..self.threads.len() {
            text.push_str(&format!(
                "  pthread_t p{thread}; pthread_create(&p{thread}, 0, t{thread}, 0);\n"
            ));
        }
        (0..self.threads.len()).for_each(|t| text.push_str(&format!("  pthread_join(p{t}, 0);\n")));
        let is = |t: usize, r: usize, value: &u64| format!("r{t}{r} == {value}");
        text + &format!("  assert(!({}));\n  return 0;\n}}\n", self.outcome(&is))
    }

    fn taut(&self, strengths: &[Strength]) -> String {
        let mut text = String::from("shared int v0 = 0;\nshared int v1 = 0;\nshared int v2 = 0;\n");
        let mut strengths = strengths.iter().copied();
        for (thread, registers) in self.forbidden.iter().enumerate() {
            let write = |op: &Op, strength: Strength, register: usize| match (op, strength) {
                (Op::Store(v, _), 0) => format!("  v{v} := 1;\n"),
                (Op::Store(v, _), _) => format!("  atomic v{v} := 1;\n"),
                (Op::Fence(_), 0) => String::new(),
                (Op::Fence(_), 1) => "  sfence;\n".into(),
                (Op::Fence(_), _) => "  fence;\n".into(),
                (Op::Load(v), _) => format!("  r{register} := v{v};\n"),
            };
            text.push_str(&format!("process t{thread} begin\n"));
            (0..registers.len()).for_each(|r| text.push_str(&format!("  local int r{r};\n")));
            text.push_str(&self.body(thread, &mut strengths, &write));
            text.push_str("  done: ;\nend\n");
        }
        let is = |t: usize, r: usize, value: &u64| format!("t{t}:r{r} == {value}");
        let ended: Vec<_> = (0..self.threads.len()).map(|t| format!("t{t}@done")).collect();
        text + &format!("forbid bad: {} && {};\n", ended.join(" && "), self.outcome(&is))
    }

    /// The condition for the outcome that must not be.
    fn outcome(&self, is: &dyn Fn(usize, usize, &u64) -> String) -> String {
        let mut all = Vec::new();
        for (t, registers) in self.forbidden.iter().enumerate() {
            all.extend(registers.iter().enumerate().map(|(r, value)| is(t, r, value)));
        }
        if all.is_empty() { "1 == 0".into() } else { all.join(" && ") }
    }
}

/// A store, in a spelling that must not matter.
fn c_store(variable: usize, how: u64, strength: Strength) -> String {
    let v = format!("v{variable}");
    if strength == 0 {
        return format!("atomic_store_explicit(&{v}, 1, memory_order_release);");
    }
    match how {
        0 | 1 => format!("{v} = 1;"),
        2 | 3 => format!("atomic_store(&{v}, 1);"),
        4 => format!("__atomic_store_n(&{v}, 1, __ATOMIC_SEQ_CST);"),
        5 => format!("if (1) {v} = 1;"),
        6 => format!("for (int i = 0; i < 1; i++, {v} = 1) ;"),
        _ => format!("atomic_store_explicit(&{v}, 1, memory_order_seq_cst);"),
    }
}

/// A fence, in a spelling that must not matter.
fn c_fence(how: u64, strength: Strength) -> String {
    let text = match (strength, how) {
        (0, _) => return String::new(),
        (1, _) => "atomic_thread_fence(memory_order_release);",
        (_, 0) => "mb();",
        (_, 1) => "__sync_synchronize();",
        (_, 2) => "__asm__ volatile(\"mfence\" ::: \"memory\");",
        (_, 3) => "if (1) mb();",
        _ => "atomic_thread_fence(memory_order_seq_cst);",
    };
    format!("  {text}\n")
}

/// Whether a program is right under all of some models.
fn is_right(name: &str, text: &str, models: &[MemoryModel]) -> bool {
    let loaded = load::from_text(name, text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    models.iter().all(|&model| {
        let report = check(&loaded, model).run().expect("a report");
        assert!(!report.is_unknown(), "{text}");
        !report.is_violated()
    })
}

fn check(loaded: &Loaded, model: MemoryModel) -> Check<'_> {
    Check::of(loaded).model(model).deadlock(false)
}

/// The least cost of the strengths with which a program is right, over all combinations.
fn least(strengths: &[Vec<(Strength, u64)>], right: &dyn Fn(&[Strength]) -> bool) -> u64 {
    let mut all: Vec<(u64, Vec<Strength>)> = vec![(0, Vec::new())];
    for levels in strengths {
        let longer = |(cost, chosen): &(u64, Vec<Strength>)| {
            let (cost, chosen) = (*cost, chosen.clone());
            levels.iter().map(move |(level, more)| (cost + more, [&chosen[..], &[*level]].concat()))
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.sort();
    let first = all.into_iter().find(|(_, chosen)| right(chosen));
    first.expect("the program as it is").0
}

/// Weakens random programs in one language and compares with brute force.
fn compare(name: &str, write: fn(&Threads, &[Strength]) -> String, cases: u64, seed: u64) -> Tally {
    const MODELS: [&[MemoryModel]; 3] = [
        &[MemoryModel::Tso],
        &[MemoryModel::Pso],
        &[MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso],
    ];
    let tally = Tally::new();
    let mut random = Random(seed);
    for case in 0..cases {
        let threads = Threads::random(&mut random);
        let models = MODELS[(case % 3) as usize];
        let strengths = threads.strengths(models.contains(&MemoryModel::Pso));
        let strongest: Vec<Strength> =
            strengths.iter().map(|levels| levels[levels.len() - 1].0).collect();
        let text = write(&threads, &strongest);
        if strengths.is_empty() || !is_right(name, &text, models) {
            tally.count("wrong as it is");
            continue;
        }
        let expected =
            least(&strengths, &|chosen| is_right(name, &write(&threads, chosen), models));
        let loaded = load::from_text(name, &text).expect("a program");
        let last = models[models.len() - 1];
        let repair = Repair::new(&loaded).relax(true).models(models);
        let report = repair.run(&check(&loaded, last)).expect("a report");
        let Outcome::Weakened(fixed) = report.outcome else {
            panic!("{:?}\n{text}", report.outcome)
        };
        assert_eq!(
            fixed.sets.iter().map(|set: &ShownSet| set.cost).min(),
            Some(expected),
            "{text}\n{}",
            fixed.text
        );
        assert!(is_right(name, &fixed.text, models), "{}", fixed.text);
        tally.count("compared");
        tally.count(if expected == 0 { "all weaker" } else { "some kept" });
    }
    tally
}

#[test]
fn weakest_taut_programs_are_those_that_brute_force_finds() {
    let tally = compare("random.taut", Threads::taut, 100 * soak(), 88_172_645_463_325_252);
    tally.at_least("compared", 30).at_least("some kept", 10).at_least("all weaker", 10);
}

#[test]
fn weakest_c_programs_are_those_that_brute_force_finds() {
    let tally = compare("random.c", Threads::c, 50 * soak(), 1_442_695_040_888_963_407);
    tally.at_least("compared", 15).at_least("some kept", 5).at_least("all weaker", 5);
}
