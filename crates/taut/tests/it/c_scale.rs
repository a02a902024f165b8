//! C programs have about as many states as the same programs in the language of Taut.
//!
//! `testdata/twins` has, for some locks and data structures of `examples/c`, the same program in Taut: one step per access,
//! variables of the size that they need, no thread that starts the others. What C adds (starting threads and waiting for them,
//! temporaries, counters of loops, library functions) must not cost more than a factor of two in states. The numbers are exact,
//! so that a change of the lowering shows.

use taut::{Check, MemoryModel, Program, Verdict, load};

/// The program, and under SC, TSO and PSO the number of states of the C program and of the one in Taut.
const TWINS: &[(&str, [(u64, u64); 3])] = &[
    ("clh_lock", [(234, 324), (336, 384), (340, 388)]),
    ("dekker_fenced", [(116, 105), (168, 146), (179, 156)]),
    ("lamport_fast_fenced", [(462, 505), (666, 649), (668, 651)]),
    ("mcs_lock", [(768, 810), (1112, 1407), (1248, 1475)]),
    ("peterson_endless", [(274, 347), (492, 592), (497, 609)]),
    ("peterson_fenced", [(102, 102), (130, 123), (130, 123)]),
    ("seqlock", [(398, 409), (356, 257), (401, 275)]),
    ("spin_lock", [(206, 153), (302, 186), (302, 186)]),
    ("spsc_ring", [(216, 150), (539, 416), (555, 426)]),
    ("szymanski_endless", [(501, 360), (1524, 1132), (1641, 1196)]),
    ("ticket_lock", [(65, 47), (85, 51), (85, 51)]),
];

/// The largest factor between the numbers of states.
const MOST: u64 = 2;

fn read(folder: &str, name: &str) -> Program {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join(folder).join(name);
    let loaded = load::from_path(&path, load::LoadOptions::default());
    loaded.unwrap_or_else(|error| panic!("{}: {error}", path.display())).program
}

/// The number of states of a program for which everything holds.
fn states(program: &Program, model: MemoryModel) -> u64 {
    let report = Check::of(program).model(model).threads(1).run().expect("a report");
    let holds = report.results.iter().all(|r| matches!(r.verdict, Verdict::Holds(_)));
    assert!(holds, "{}: {:?}", program.name, report.results);
    report.stats.states
}

#[test]
fn a_c_program_has_at_most_twice_the_states_of_its_twin() {
    let mut wrong = Vec::new();
    for (name, expected) in TWINS {
        let c = read("examples/c", &format!("{name}.c"));
        let twin = read("testdata/twins", &format!("{name}.taut"));
        let models = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];
        for (model, expected) in models.into_iter().zip(expected) {
            let found = (states(&c, model), states(&twin, model));
            if found != *expected {
                wrong.push(format!("{name} under {model:?}: {found:?}, not {expected:?}"));
            }
            assert!(found.0 <= MOST * found.1, "{name} under {model:?}: {found:?}");
        }
    }
    assert!(wrong.is_empty(), "C, Taut:\n{}", wrong.join("\n"));
}
