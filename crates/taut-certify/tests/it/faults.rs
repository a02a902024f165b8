//! Faults of engines, switched on one at a time: each leads to a false `holds`, and no certificate of it is accepted.
//!
//! For each fault, programs are tried until an engine with the fault says that something holds that, without the fault, it says
//! is violated. The fault stays on while the evidence is sought, since a part of it comes from the engine: symbolic states, and
//! whatever an engine may tell in future. What must not happen is that the checker accepts it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use taut::budget::Budget;
use taut::engines::{Dual, EngineChoice, Explicit, Symbolic};
use taut::load::{LoadOptions, from_path, from_text};
use taut::proof::claim_states;
use taut::{
    Check, Emptiness, EngineFault, Loaded, MemoryModel, Order, QuestionKind, Reduce, Report,
    Verdict,
};
use taut_certify::certify_program;
use taut_fault::{Fault, Group, with};
use taut_proof::{Kind, Proven};
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;

/// The way in which an engine is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Breadth first; for runs, by components.
    Breadth,
    /// Depth first; for runs, by the nested search.
    Depth,
    Symbolic,
    Dual,
}

/// Store buffering, with every outcome as a property.
const OUTCOMES: &str = "\
shared 0..1 x, y;
process p begin
  local 0..1 r;
  x := 1;
  r := y;
  done: ;
end
process q begin
  local 0..1 r;
  y := 1;
  r := x;
  done: ;
end
forbid none: p@done && q@done && p:r == 0 && q:r == 0;
forbid left: p@done && q@done && p:r == 0 && q:r == 1;
forbid right: p@done && q@done && p:r == 1 && q:r == 0;
forbid both: p@done && q@done && p:r == 1 && q:r == 1;
";

/// What is loaded between two stores, and before and after them.
const BETWEEN: &str = "\
shared 0..2 x;
process p begin
  x := 1;
  x := 2;
end
process q begin
  local 0..2 r;
  r := x;
  assert(r != 0) as early;
  assert(r != 1) as middle;
  assert(r != 2) as late;
end
";

/// Two loads of one variable that differ.
const TWICE: &str = "\
shared 0..1 x;
process p begin
  x := 1;
end
process q begin
  local 0..1 r, s;
  r := x;
  s := x;
  assert(r == s) as same;
end
";

/// A process that may go on for ever beside one that fails.
const IGNORED: &str = "\
shared 0..1 z;
process p begin
  loop {
    z := 1;
    z := 0;
  }
end
process q begin
  local 0..1 r;
  r := 1;
  assert(r == 0) as never;
end
";

/// Two processes that their arguments tell apart.
const APART: &str = "\
shared 0..3 x;
process p[2](i) begin
  local 0..3 r;
  x := i + 1;
  r := x;
  assert(i == 0 || r == 2) as own;
  assert(i == 1 || r == 1) as other;
end
";

/// Two equal processes that the questions tell apart.
const EQUAL: &str = "\
shared 0..1 x;
process p[2] begin
  a: x := 1;
  b: ;
end
forbid first: p[0]@b && p[1]@a;
forbid second: p[1]@b && p[0]@a;
";

/// Two equal processes with a choice each.
const CHOICES: &str = "\
shared 0..1 x;
process p[2] begin
  local 0..2 r;
  a: choose { r := 1; } or { r := 2; }
  b: x := 1;
  c: ;
end
forbid ahead: (p[0]@c && p[0]:r == 2 && p[1]@a) || (p[1]@c && p[1]:r == 2 && p[0]@a);
forbid behind: (p[0]@c && p[0]:r == 2 && p[1]@b && p[1]:r == 1) || (p[1]@c && p[1]:r == 2 && p[0]@b && p[0]:r == 1);
";

/// A register that only a later round reads.
const ROUNDS: &str = "\
shared 0..1 x;
process p begin
  local 0..3 n, r;
  while (n < 3) {
    assert(r != 1) as unset;
    n := n + 1;
    x := 1;
    r := 1;
  }
end
";

/// A long way to a violation.
const LONG: &str = "\
process p begin
  local 0..300 n;
  while (n < 300) {
    n := n + 1;
  }
  assert(n == 0) as begun;
end
";

/// A load of an own store that waits behind another one.
const FORWARDED: &str = "\
shared 0..2 x, y;
process p begin
  local 0..2 r, s;
  x := 1;
  x := 2;
  r := x;
  s := y;
  done: ;
end
process q begin
  local 0..2 t;
  y := 1;
  fence;
  t := x;
  done: ;
end
forbid newest: p@done && q@done && p:r == 2 && p:s == 0 && q:t == 0;
";

/// Properties of runs: a process that waits for ever beside one that never ends, and stores again and again.
const FOREVER: &str = "\
shared 0..1 x, y, z;
process p begin
  z := 1;
  end: await(x == 1);
  done: ;
end
process q begin
  loop {
    y := 1;
    y := 0;
  }
end
ltl gets_in: <> p@done;
ltl settles: <> [] (y == 0);
ltl settles_high: <> [] (y == 1);
ltl stays: [] (y == 0 || <> (x == 1));
";

/// Atomic sections.
const SECTIONS: &str = "\
shared 0..2 x, y;
process p begin
  atomic {
    x := 1;
    y := 1;
    x := 2;
  }
  y := 2;
end
process q begin
  local 0..2 r, s;
  r := x;
  s := y;
  assert(r != 0 || s != 1) as between;
  assert(r != 2 || s != 1) as after;
  assert(r != 0 || s != 0) as before;
end
";

/// What engines are asked about: texts, and examples by name.
const PROGRAMS: [&str; 18] = [
    OUTCOMES,
    BETWEEN,
    TWICE,
    IGNORED,
    APART,
    EQUAL,
    CHOICES,
    ROUNDS,
    LONG,
    FORWARDED,
    FOREVER,
    SECTIONS,
    "deadlock.taut",
    "lw_unlock.taut",
    "insisting_peterson.taut",
    "mp.taut",
    "late_toggles.taut",
    "lw_forwarding.taut",
];

/// The faults that only add behaviour, so that nothing holds because of them, those of engines without a verdict `holds` about
/// properties, and those of what the checker itself uses (`memo.rs`).
fn is_harmless(fault: Fault) -> bool {
    let adds = [
        Fault::StoreUnderMessages,
        Fault::StoreOfAnyValue,
        Fault::FenceOfAnyBuffer,
        Fault::NoNewProcess,
    ];
    adds.contains(&fault) || matches!(fault.group(), Group::Robustness | Group::Lookup)
}

/// The ways in which a fault can be met.
fn ways(group: Group) -> &'static [Way] {
    match group {
        Group::Inclusion | Group::Acceleration | Group::Sets => &[Way::Symbolic],
        Group::Pre | Group::Subsumption => &[Way::Dual],
        _ => &[Way::Breadth, Way::Depth],
    }
}

fn load(program: &str) -> Loaded {
    let loaded = match program.contains('\n') {
        true => from_text("program.taut", program),
        false => from_path(&root().join("examples").join(program), LoadOptions::default()),
    };
    loaded.unwrap_or_else(|error| panic!("{program}: {error:?}"))
}

fn run(loaded: &Loaded, model: MemoryModel, way: Way) -> Result<Report, EngineFault> {
    let engine = match way {
        Way::Breadth | Way::Depth => EngineChoice::from(Explicit),
        Way::Symbolic => EngineChoice::from(Symbolic),
        Way::Dual => EngineChoice::from(Dual),
    };
    let check = Check::of(loaded).model(model).engine(engine).all(true).bound(3);
    let check = match way {
        Way::Depth => check.order(Order::Dfs).emptiness(Emptiness::Nested),
        _ => check.order(Order::Bfs),
    };
    check.reduce(Reduce::All).threads(1).max_states(1_500).run()
}

/// A program under a memory model, and what is violated.
struct Honest {
    loaded: Loaded,
    model: MemoryModel,
    way: Way,
    report: Report,
}

impl Honest {
    fn violated(&self) -> impl Iterator<Item = &str> {
        self.report.violations().map(|(result, _)| result.name.as_str())
    }

    /// A false `holds` with a fault, and the report that it is in. An engine whose own assertion fails says nothing.
    fn missed(&self, fault: Fault) -> Option<(String, Report)> {
        let run = || with(fault, || run(&self.loaded, self.model, self.way));
        let report = catch_unwind(AssertUnwindSafe(run)).ok()?.ok()?;
        let is_missed = |name: &&str| matches!(report.verdict(name), Some(Verdict::Holds(_)));
        let name = self.violated().find(is_missed)?.to_string();
        Some((name, report))
    }

    /// What becomes of a false `holds` when a certificate is demanded; none if one is accepted.
    fn refused(&self, fault: Fault, name: &str, report: Report) -> Option<&'static str> {
        let budget = Budget::new().time(Some(Duration::from_secs(3)));
        match with(fault, || report.certified(&self.loaded, &budget)) {
            Err(fault) if fault.to_string().contains("refuses") => Some("refused by the checker"),
            Err(_) => Some("refuted by the evidence"),
            Ok(report) => match report.verdict(name) {
                Some(Verdict::Holds(_)) => None,
                _ => Some("without a certificate"),
            },
        }
    }

    /// Whether the checker refuses the false claim with all states as its evidence; none for what is asked of runs.
    fn is_refused_with_all_states(&self, name: &str) -> Option<bool> {
        let result = self.report.results.iter().find(|result| result.name == name)?;
        let kind = match result.kind {
            QuestionKind::Ltl | QuestionKind::Never => return None,
            QuestionKind::Deadlock => Kind::Deadlock,
            QuestionKind::Fault => Kind::Fault,
            _ => Kind::Property,
        };
        let program = &self.report.program;
        let memory = self.report.memory.bounded(Some(3));
        let holds = vec![Proven { name: name.into(), kind }];
        let (claim, body) = claim_states(program, memory, holds).expect("states");
        Some(certify_program(program, &claim, &body).is_err())
    }
}

/// Every program under every memory model, in every way, of which something is violated.
fn honest() -> Vec<Honest> {
    let mut all = Vec::new();
    for program in PROGRAMS {
        for model in MemoryModel::ALL {
            for way in [Way::Breadth, Way::Depth, Way::Symbolic, Way::Dual] {
                let is_unbounded = matches!(way, Way::Symbolic | Way::Dual);
                if is_unbounded && model != MemoryModel::Tso {
                    continue;
                }
                let loaded = load(program);
                let Ok(report) = run(&loaded, model, way) else { continue };
                if report.is_violated() {
                    all.push(Honest { loaded, model, way, report });
                }
            }
        }
    }
    all
}

#[test]
fn no_false_holds_has_a_certificate() {
    let honest = honest();
    let tally = Tally::new();
    let mut silent = Vec::new();
    for &fault in Fault::ALL.iter().filter(|&&fault| !is_harmless(fault)) {
        let mut subjects = honest.iter().filter(|h| ways(fault.group()).contains(&h.way));
        let missed = subjects.find_map(|honest| {
            let (name, report) = honest.missed(fault)?;
            Some((honest, name, report))
        });
        let Some((honest, name, report)) = missed else {
            silent.push(fault);
            continue;
        };
        let place = format!("`{name}` of {} under {}", honest.loaded.name, honest.model);
        let refused = honest.refused(fault, &name, report);
        let refused =
            refused.unwrap_or_else(|| panic!("{fault:?}: {place} has a certificate and is false"));
        println!("{fault:?}, {:?}: {place}: {refused}", honest.way);
        tally.count("faults");
        tally.count(refused);
        tally.count(&format!("{:?}", fault.group()));
        match honest.is_refused_with_all_states(&name) {
            Some(is_refused) => {
                assert!(is_refused, "{fault:?}: {place} is accepted");
                tally.count("refused with all states");
            }
            None => tally.count("of runs"),
        }
    }
    println!("{tally}");
    println!("without effect on these programs: {silent:?}");
    tally.at_least("faults", 25).at_least("refused by the checker", 2);
    tally.at_least("refused with all states", 15).at_least("of runs", 3);
}
