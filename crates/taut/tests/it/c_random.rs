//! Random concurrent C programs beside the same programs in the Taut language: the same verdict for every assertion under
//! SC, TSO and PSO.
//!
//! A generator writes each statement twice. The C text uses variables, structures, arrays, pointers, helper functions, all
//! memory orders, fences and mutexes; the Taut text says what they mean by the table of the book (`book/src/c.md`), on one array
//! of cells. At the end one of several assertions about the final values is made. What fails is made smaller by
//! leaving out statements, and written to `testdata/regressions`.

use taut::load::from_text;
use taut::{Check, MemoryModel, QuestionKind, Verdict};
use taut_testkit::regressions;
use taut_testkit::tally::Tally;

use crate::c_random_programs::{CELLS, Generator};

/// Most states of a check.
const MOST_STATES: u64 = 40_000;
/// Assertions per program.
pub const ASSERTS: usize = 6;

#[test]
fn concurrent_c_means_what_the_same_program_in_taut_means() {
    let soak = std::env::var_os("TAUT_SOAK").is_some();
    let seeds = if soak { 4_000 } else { 60 };
    let tally = Tally::new();
    for seed in 0..seeds {
        let program = Generator::new(seed).program();
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            match program.difference(model, &tally) {
                Some(_) => panic!(
                    "seed {seed} under {model}: {}",
                    program.smaller(model).keep(seed, model)
                ),
                None => tally.count("checks"),
            }
        }
    }
    tally.at_least("compared", seeds * 3 * ASSERTS as u64 * 7 / 10);
    tally.at_least("violated", seeds * 2).at_least("holds", seeds * 2);
}

/// A statement in both languages.
#[derive(Clone, Debug)]
pub struct Line {
    pub c: String,
    pub taut: String,
}

impl Line {
    pub fn new(c: impl Into<String>, taut: impl Into<String>) -> Line {
        Line { c: c.into(), taut: taut.into() }
    }
}

/// A program: statements per thread, and conditions that are asserted at the end.
#[derive(Clone, Debug)]
pub struct Pair {
    pub threads: Vec<Vec<Line>>,
    pub asserts: Vec<Line>,
}

impl Pair {
    /// The first assertion whose verdicts differ, in words; none if all agree or the program is too large.
    fn difference(&self, model: MemoryModel, tally: &Tally) -> Option<String> {
        let (c, taut) = (self.c(), self.taut());
        let Some(left) = verdicts("random.c", &c, model) else {
            tally.count("too large");
            return None;
        };
        let Some(right) = verdicts("random.taut", &taut, model) else {
            tally.count("too large");
            return None;
        };
        for (index, (left, right)) in left.iter().zip(&right).enumerate() {
            if left != right {
                let condition = &self.asserts[index].c;
                return Some(format!("assert({condition}): C {left}, Taut {right}"));
            }
            tally.count("compared");
            tally.count(left);
        }
        None
    }

    /// The program without the statements that it takes not to agree.
    fn smaller(&self, model: MemoryModel) -> Pair {
        let mut least = self.clone();
        let mut changed = true;
        while changed {
            changed = false;
            for thread in 0..least.threads.len() {
                for index in (0..least.threads[thread].len()).rev() {
                    let mut without = least.clone();
                    without.threads[thread].remove(index);
                    if without.difference(model, &Tally::new()).is_some() {
                        (least, changed) = (without, true);
                    }
                }
            }
        }
        least
    }

    /// Writes both texts down; what differs, and where they are.
    fn keep(&self, seed: u64, model: MemoryModel) -> String {
        let folder = regressions::folder();
        let base = folder.join(format!("c_random_{seed}"));
        for (extension, text) in [("c", self.c()), ("taut", self.taut())] {
            std::fs::write(base.with_extension(extension), text).expect("the file can be written");
        }
        let differs = self.difference(model, &Tally::new()).unwrap_or_default();
        format!("{differs}; see {}.c and .taut\n{}\n{}", base.display(), self.c(), self.taut())
    }

    fn c(&self) -> String {
        let mut text = String::from(HEAD);
        for (index, lines) in self.threads.iter().enumerate() {
            let body: String = lines.iter().map(|line| format!("  {}\n", line.c)).collect();
            text += &format!(
                "void *t{index}(void *arg) {{\n  int r0 = 0, r1 = 0, r2 = 0;\n{body}  \
                 out[{index}][0] = r0; out[{index}][1] = r1;\n  return 0;\n}}\n"
            );
        }
        text += "int main(void) {\n  pthread_t id[3];\n";
        for index in 0..self.threads.len() {
            text += &format!("  pthread_create(&id[{index}], 0, t{index}, 0);\n");
        }
        for index in 0..self.threads.len() {
            text += &format!("  pthread_join(id[{index}], 0);\n");
        }
        text += "  switch (__VERIFIER_nondet_int()) {\n";
        for (index, line) in self.asserts.iter().enumerate() {
            text += &format!("  case {index}: assert({}); break;\n", line.c);
        }
        text + "  }\n  return 0;\n}\n"
    }

    fn taut(&self) -> String {
        let mut text = format!(
            "shared int m[{}];\nshared int p, out[6], mutex;\nghost int ended;\n",
            CELLS.len()
        );
        for (index, lines) in self.threads.iter().enumerate() {
            let body: String = lines.iter().map(|line| format!("  {}\n", line.taut)).collect();
            text += &format!(
                "process t{index} begin\n  local int r0, r1, r2, k, i, j, q;\n{body}  \
                 out[{}] := r0; out[{}] := r1;\n  fence;\n  ended := ended + 1;\nend\n",
                2 * index,
                2 * index + 1
            );
        }
        text +=
            &format!("process last begin\n  await(ended == {});\n  choose ", self.threads.len());
        let branches: Vec<String> = (self.asserts.iter().enumerate())
            .map(|(index, line)| format!("{{ assert({}) as a{index}; }}", line.taut))
            .collect();
        text + &branches.join(" or ") + "\nend\n"
    }
}

/// The verdicts of the assertions at the end; none if the program is too large.
fn verdicts(name: &str, text: &str, model: MemoryModel) -> Option<Vec<&'static str>> {
    let loaded = from_text(name, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let check = Check::of(&loaded).model(model).deadlock(false).all(true).threads(1);
    let report = check.max_states(MOST_STATES).run().expect("a report");
    let asserts = report.results.iter().filter(|result| result.kind == QuestionKind::Assert);
    let all: Vec<_> = asserts.take(ASSERTS).collect();
    assert_eq!(all.len(), ASSERTS, "{text}");
    // A fault would end runs: the programs have none.
    let fault = report.results.iter().find(|result| result.kind == QuestionKind::Fault);
    assert!(fault.is_none_or(|f| !matches!(f.verdict, Verdict::Violated(_))), "{text}");
    let words: Vec<&'static str> = all.iter().map(|result| result.verdict.word()).collect();
    words.iter().all(|word| matches!(*word, "holds" | "violated")).then_some(words)
}

/// What all programs begin with.
const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
struct pair { int a, b; };
int x, y, v[2], out[3][2], *p = &x;
struct pair s, t;
_Atomic int z;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int get(int *from) { return __atomic_load_n(from, __ATOMIC_ACQUIRE); }
static void put(int *to, int value) { __atomic_store_n(to, value, __ATOMIC_RELEASE); }
static void plain(int *to, int value) { *to = value; }
static int raise(int *to, int value) { if (*to < value) { *to = value; return 1; } return 0; }
static struct pair make(int value) { struct pair made = { value, value + 1 }; return made; }
";
