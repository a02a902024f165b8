//! Numbers of states of the models of the benchmark, with each reduction: a change of a rule shows here.

use std::path::Path;

use taut_explicit::{Completion, Exploration, Reduce, SearchOptions, explore};
use taut_ir::{Memory, MemoryModel, Program};
use taut_promela::{Headers, LowerOptions, Options, lower, parse};
use taut_source::SourceMap;

/// A model of the benchmark, of a size, with so many processes per proctype that is run.
fn model(name: &str, defines: &[&str], slots: u32) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/models").join(name);
    let mut map = SourceMap::new();
    let file = map.add(name, std::fs::read_to_string(path).expect("a model"));
    let options = Options { defines: defines.iter().map(|&d| d.to_owned()).collect() };
    let parsed = parse(&mut map, file, &options, &mut Headers::on_disk()).expect("Promela");
    let slots = [("node".to_owned(), slots)].into();
    let options = LowerOptions { name: name.to_owned(), slots, ..LowerOptions::default() };
    lower(&parsed, &options).expect("a program").program
}

fn search(program: &Program, reduce: Reduce, options: SearchOptions) -> Exploration {
    let memory = Memory::new(MemoryModel::Sc);
    let options = SearchOptions { reduce, all: true, ..options };
    let found = explore(program, memory, &options);
    assert_eq!((found.completion, found.found.len()), (Completion::Complete, 0), "{reduce:?}");
    found
}

/// Stubborn sets alone. SPIN 6.5.2 stores 14,201, 20,858, 49,741, 7,218 and 257,916 states with its reduction.
#[test]
fn stubborn_sets() {
    let count = |name, defines, slots| {
        search(&model(name, defines, slots), Reduce::Por, SearchOptions::default()).stats.states
    };
    assert_eq!(count("peterson.pml", &["N=3"], 0), 2_694);
    assert_eq!(count("leader.pml", &["N=6"], 6), 3_276);
    assert_eq!(count("anderson.pml", &["N=4"], 0), 17_725);
    assert_eq!(count("window.pml", &["W=2"], 0), 3_589);
    assert_eq!(count("bakery.pml", &["MOST=4"], 0), 69_207);
}

/// Every step of a philosopher has to do with every other philosopher.
#[test]
fn nothing_is_left_out_where_everything_depends_on_everything() {
    let program = model("philosophers.pml", &["N=6"], 0);
    let of = |reduce| search(&program, reduce, SearchOptions::default()).stats.states;
    assert_eq!(of(Reduce::Por), of(Reduce::None));
}
