//! The programs of `examples/any`: the verdicts of their headers, replayed, and the same by explicit search with two,
//! three and four processes of each kind.

use std::path::Path;
use std::time::Instant;

use taut_ir::replicated::Count;
use taut_ir::{MemoryModel, Program};
use taut_lang::Options;
use taut_source::SourceMap;

use super::{explicit, found, reduced, search};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/any")
}

fn program(name: &str) -> Program {
    let text = std::fs::read_to_string(folder().join(name)).expect("an example");
    let mut map = SourceMap::new();
    let file = map.add(name, &text);
    taut_lang::parse(&map, file, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

/// The verdict that the header expects, and the property that is violated.
fn expected(name: &str, model: MemoryModel) -> (bool, Option<String>) {
    let text = std::fs::read_to_string(folder().join(name)).expect("an example");
    let line = format!("// expect: {} ", model.name());
    let expected = text.lines().find_map(|l| l.strip_prefix(&line)).expect("an expectation");
    let mut words = expected.split_whitespace();
    (words.next() == Some("holds"), words.next().map(String::from))
}

fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).expect("examples");
    let name = |f: std::fs::DirEntry| f.file_name().into_string().ok();
    let mut all: Vec<String> = files.flatten().filter_map(name).collect();
    all.retain(|name| name.ends_with(".taut"));
    all.sort();
    all
}

#[test]
fn examples_are_decided_as_their_headers_say() {
    let names = names();
    assert!(names.len() >= 16, "{names:?}");
    for name in &names {
        let program = program(name);
        for model in [MemoryModel::Sc, MemoryModel::Tso] {
            let started = Instant::now();
            let search = search(&program, model, 1 << 20).unwrap_or_else(|e| panic!("{name}: {e}"));
            let violated: Vec<String> =
                search.exploration.found.iter().map(|f| f.finding.name(&program)).collect();
            let numbers: Vec<_> =
                search.numbers.iter().map(|n| (n.counts.clone(), n.is_smallest)).collect();
            println!(
                "{name} {}: {violated:?} {numbers:?}, {:?} in {:.1?}",
                model.name(),
                search.counts,
                started.elapsed()
            );
            let (holds, property) = expected(name, model);
            assert_eq!(violated.is_empty(), holds, "{name} under {}", model.name());
            if let Some(property) = property {
                assert!(violated.contains(&property), "{name}: {violated:?}");
            }
        }
    }
}

/// Explicit search with two, three and four processes, in all parts of the definitions, finds nothing else; and with as many as the violation
/// takes, it finds the violation.
#[test]
fn explicit_search_agrees() {
    let (mut compared, mut asked) = ([0; 5], [0; 5]);
    for name in names() {
        let program = program(&name);
        for model in [MemoryModel::Sc, MemoryModel::Tso] {
            let any = search(&program, model, 1 << 20).unwrap_or_else(|e| panic!("{name}: {e}"));
            for (f, numbers) in any.exploration.found.iter().zip(&any.numbers) {
                let fixed = explicit(&program, &numbers.counts, model, 3, 200_000);
                let is_found = fixed.is_none_or(|fixed| fixed.contains(&f.finding));
                assert!(is_found, "{name} {}: {:?}", model.name(), numbers);
            }
            for total in 2..=4 {
                for counts in counts_of(&program, total) {
                    let bound = if total == 2 { 3 } else { 1 };
                    let whole = explicit(&program, &counts, model, bound, 30_000);
                    let fixed = whole.or_else(|| reduced(&program, &counts, model, bound, 250_000));
                    asked[total as usize] += 1;
                    let Some(fixed) = fixed else {
                        println!("{name} {}: {counts:?} are too many", model.name());
                        continue;
                    };
                    compared[total as usize] += 1;
                    assert!(fixed.is_subset(&found(&any)), "{name} {}: {counts:?}", model.name());
                }
            }
        }
    }
    println!("{compared:?} of {asked:?}");
    assert!(compared[2] >= 23 && compared[3] >= 35 && compared[4] >= 50, "{compared:?}");
}

/// All numbers of processes with a total: at least one of each definition.
fn counts_of(program: &Program, total: u32) -> Vec<Vec<Count>> {
    let mut all: Vec<Vec<Count>> = vec![Vec::new()];
    for &def in &program.replicated {
        let longer = |counts: Vec<Count>| {
            (1..=total).map(move |n| counts.iter().copied().chain([(def, n)]).collect::<Vec<_>>())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.retain(|counts| counts.iter().map(|(_, n)| n).sum::<u32>() == total);
    all
}
