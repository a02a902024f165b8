//! Translations written out: in the Taut language, which reads them back, in Promela, which SPIN checks, and in
//! C, which gcc compiles and which then runs.

use crate::support;

use std::path::PathBuf;
use std::process::Command;

use support::{example, parse, sc};
use taut_ir::Program;
use taut_rounds::{Scope, translate};
use taut_testkit::spin::Verifier;

const BUGGY: [&str; 4] = ["dekker", "lamport_fast", "peterson", "szymanski"];
const FENCED: [&str; 4] = ["dekker_tso", "lamport_fast_tso", "peterson_tso", "szymanski_tso"];

fn portable(program: &Program, scope: Scope) -> Program {
    translate(program, scope).expect("it is translated").portable()
}

#[test]
fn the_taut_language_reads_translations_back() {
    let names = ["recursion", "spawn", "ring_buffer", "atomic"];
    let atomic = "shared int x; shared int y;
        process p begin x := 1; atomic { if (y == 0) { x := 2; } y := 1; } sync; end
        process q begin x, y := 1, 2; end";
    for name in names.iter().chain(&BUGGY).chain(&FENCED) {
        let program = if *name == "atomic" { parse(atomic) } else { example(name) };
        for scope in [Scope::Rounds(2), Scope::Age(2)] {
            let translated = portable(&program, scope);
            let text = taut_lang::print(&translated).expect("the language has it all");
            assert!(taut_lang::same(&parse(&text), &translated), "{name}, {scope}");
        }
    }
}

/// SPIN's verdict on a translation in Promela: whether it found an error.
fn spin(program: &Program, scope: Scope) -> bool {
    let model = taut_export::promela(&portable(program, scope), sc()).expect("it is exported");
    let verifier = Verifier::quick(&model, &[], &["-DSAFETY", "-DNOCLAIM"]).expect("it compiles");
    let said = verifier.run(&["-m1000000"]).expect("it runs");
    assert!(said.complete || said.errors > 0, "{said:?}");
    said.errors > 0
}

#[test]
fn spin_finds_the_bugs_and_none_where_there_are_fences() {
    for (buggy, fenced) in BUGGY.iter().zip(FENCED) {
        assert!(spin(&example(buggy), Scope::Rounds(1)), "{buggy}");
        assert!(!spin(&example(fenced), Scope::Rounds(1)), "{fenced}");
    }
}

/// A C program compiled with gcc, with all warnings.
struct Compiled(PathBuf);

impl Compiled {
    fn new(name: &str, program: &Program) -> Compiled {
        let text = taut_export::c(program).expect("there is C for it");
        let folder = std::env::temp_dir().join(format!("taut-rounds-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (source, target) = (folder.join(format!("{name}.c")), folder.join(name));
        std::fs::write(&source, text).expect("a file");
        let unused = ["-Wno-unused-function", "-Wno-unused-label", "-Wno-unused-variable"];
        let gcc = Command::new("gcc")
            .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread"])
            .args(unused)
            .arg("-o")
            .arg(&target)
            .arg(&source)
            .output()
            .expect("gcc is there");
        assert!(gcc.status.success(), "{name}: {}", String::from_utf8_lossy(&gcc.stderr));
        Compiled(target)
    }

    /// Runs it so many times; whether one of the runs reached the error.
    fn reaches_error(&self, runs: u32) -> bool {
        let run = Command::new(&self.0).arg(runs.to_string()).output().expect("it runs");
        match run.status.code() {
            Some(0) => false,
            Some(1) => true,
            _ => panic!("{:?}: {}", run.status, String::from_utf8_lossy(&run.stderr)),
        }
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_file(self.0.with_extension("c"));
    }
}

#[test]
fn c_programs_reach_the_bugs_and_none_where_there_are_fences() {
    for (buggy, fenced) in BUGGY.iter().zip(FENCED) {
        let program = portable(&example(buggy), Scope::Rounds(1));
        assert!(Compiled::new(buggy, &program).reaches_error(3_000), "{buggy}");
        let program = portable(&example(fenced), Scope::Rounds(1));
        assert!(!Compiled::new(fenced, &program).reaches_error(100), "{fenced}");
    }
}

/// Threads that are spawned and procedures that call themselves are threads and functions in C.
#[test]
fn c_has_threads_and_recursion() {
    let text = "shared int x; shared int y; ghost int n;
        procedure f(0..3 i) begin
          local int k; k := i; x := x + 1; if (i > 0) { call f(i - 1); } n := n + k;
        end
        main m begin spawn w(2); spawn w(3); call f(3); assert(n == 6 WRONG); end
        process w(int i) begin y := i; end
        forbid never: y == 1;";
    let right = portable(&parse(&text.replace("WRONG", "")), Scope::Age(0));
    assert!(!Compiled::new("right", &right).reaches_error(50));
    let wrong = portable(&parse(&text.replace("WRONG", "&& y != 3")), Scope::Age(0));
    assert!(Compiled::new("wrong", &wrong).reaches_error(2_000));
}

#[test]
fn a_verifier_of_c_gets_its_own_half_of_the_file() {
    let text = taut_export::c(&portable(&example("sb"), Scope::Rounds(0))).expect("there is C");
    for needed in ["__VERIFIER_atomic_begin", "__VERIFIER_nondet_uint", "reach_error", "assert(0)"]
    {
        assert!(text.contains(needed), "{needed}");
    }
    let folder = std::env::temp_dir().join(format!("taut-rounds-half-{}.c", std::process::id()));
    std::fs::write(&folder, text).expect("a file");
    let gcc = Command::new("gcc")
        .args(["-std=gnu11", "-fsyntax-only", "-D__VERIFIER"])
        .arg(&folder)
        .output()
        .expect("gcc is there");
    let _ = std::fs::remove_file(&folder);
    assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
}
