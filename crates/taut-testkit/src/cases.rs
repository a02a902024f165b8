//! Random cases of one test: drawn, counted, made small, and kept if they fail.
//!
//! [`random_cases`] does what the macro `proptest!` does, and two things more. It hands out a [`Case`] that counts what
//! becomes of each draw, and returns the counts, for which the test gives floors. And it writes the smallest failing
//! program to `testdata/regressions` ([`crate::regressions`]) and names the file.
//!
//! ```no_run
//! # use taut_testkit::{cases::random_cases, random::straight};
//! # fn too_large(_: &taut_ir::Program) -> bool { false }
//! let tally = random_cases(300, (straight(4), 1_u32..4), |case, (draft, bound)| {
//!     let program = draft.program();
//!     case.about(&program);
//!     if too_large(&program) {
//!         return case.pass_over("too large");
//!     }
//!     // … compare …
//!     case.count("compared");
//!     Ok(())
//! });
//! tally.at_least("compared", 250);
//! ```

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use proptest::prelude::*;
use proptest::test_runner::{TestCaseResult, TestError, TestRunner};
use taut_ir::Program;

use crate::random::config;
use crate::regressions::{Kept, folder};
use crate::tally::Tally;

/// What a test says about the cases that it is given.
#[derive(Debug, Default)]
pub struct Case {
    tally: Tally,
    /// The program that was drawn last.
    last: Mutex<Option<Kept>>,
}

impl Case {
    /// The program that this case is about. It is kept if the case fails.
    pub fn about(&self, program: &Program) {
        self.keep(Kept::Program(Box::new(program.clone())));
    }

    /// The Promela model that this case is about. It is kept if the case fails.
    pub fn about_promela(&self, text: &str) {
        self.keep(Kept::Promela(text.to_owned()));
    }

    fn keep(&self, kept: Kept) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }

    /// Counts something about this case.
    pub fn count(&self, kind: &str) {
        self.tally.count(kind);
    }

    /// Counts this case as one that is not compared, for the reason given.
    pub fn pass_over(&self, reason: &str) -> TestCaseResult {
        self.tally.count(reason);
        Ok(())
    }
}

/// Draws so many cases ([`config`]) and fails with the smallest one that fails. The counts, for their floors.
#[track_caller]
pub fn random_cases<S: Strategy>(
    cases: u32,
    strategy: S,
    test: impl Fn(&Case, S::Value) -> TestCaseResult,
) -> Tally {
    let name = name(Location::caller());
    match run(config(cases), strategy, test) {
        Ok(tally) => {
            println!("{name}: {tally}");
            tally
        }
        Err(failure) => panic!("{}", failure.tell(&folder(), &name)),
    }
}

/// The name of a test's source file without its folder and extension.
pub(crate) fn name(location: &Location<'_>) -> String {
    let stem = Path::new(location.file()).file_stem();
    stem.map_or_else(|| "random".into(), |stem| stem.to_string_lossy().into_owned())
}

/// A test that failed, with the smallest case.
struct Failure {
    reason: String,
    /// The values that were drawn.
    drawn: String,
    kept: Option<Kept>,
}

impl Failure {
    /// Writes the program, and says what failed and where the program is.
    fn tell(&self, folder: &Path, name: &str) -> String {
        let Failure { reason, drawn, kept } = self;
        let written = |kept: &Kept| match kept.write(folder, name, reason) {
            Ok(path) => format!("the program is kept in {}", shown(&path)),
            Err(error) => format!("the program could not be kept: {error}"),
        };
        let place = kept.as_ref().map_or_else(|| "no program is kept".into(), written);
        format!("{reason}\n{place}\nsmallest failing input: {drawn}")
    }
}

/// A path without the detours in it.
fn shown(path: &Path) -> String {
    let path: PathBuf = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.display().to_string()
}

fn run<S: Strategy>(
    config: ProptestConfig,
    strategy: S,
    test: impl Fn(&Case, S::Value) -> TestCaseResult,
) -> Result<Tally, Failure> {
    let case = Case::default();
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(&strategy, |value| test(&case, value));
    let (reason, value) = match outcome {
        Ok(()) => return Ok(case.tally),
        Err(TestError::Abort(reason)) => {
            let reason = format!("too many cases were rejected: {reason}");
            return Err(Failure { reason, drawn: "none".into(), kept: None });
        }
        Err(TestError::Fail(reason, value)) => (reason.to_string(), value),
    };
    let drawn = format!("{value:#?}");
    // Shrinking ended with a case that passed. The smallest failing one is made once more, for its program.
    let again = Case::default();
    let _ = catch_unwind(AssertUnwindSafe(|| test(&again, value)));
    let kept = again.last.into_inner().unwrap_or_else(PoisonError::into_inner);
    Err(Failure { reason, drawn, kept })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Instruction, Thread, straight};

    fn stores(thread: &Thread) -> bool {
        let Thread::Straight(list) = thread else { return false };
        list.iter().any(|i| matches!(i, Instruction::Store(..)))
    }

    /// Fails on programs with a store, by a failed assertion or by a panic.
    fn failing(panics: bool) -> Failure {
        let found = run(config(100), straight(5), |case, draft| {
            case.about(&draft.program());
            let stores = draft.threads.iter().any(stores);
            assert!(!(panics && stores), "there is a store");
            prop_assert!(!stores, "there is a store");
            case.pass_over("without a store")
        });
        match found {
            Err(failure) => failure,
            Ok(tally) => panic!("no program stores: {tally}"),
        }
    }

    #[test]
    fn the_smallest_failing_program_is_written_and_named() {
        for panics in [false, true] {
            let folder = std::env::temp_dir().join(format!("taut-cases-{}", std::process::id()));
            let message = failing(panics).tell(&folder, "example");
            let entries = std::fs::read_dir(&folder).expect("the folder");
            let paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
            assert_eq!(paths.len(), 1, "{paths:?}");
            let text = std::fs::read_to_string(&paths[0]).expect("the program");
            std::fs::remove_dir_all(&folder).expect("it goes away");
            assert!(text.starts_with("// ") && text.contains("there is a store"), "{text}");
            assert_eq!(text.matches("x0 := 0").count(), 1, "the only statement: {text}");
            let name = paths[0].file_name().expect("a name").to_string_lossy().into_owned();
            assert!(name.starts_with("example-") && name.ends_with(".taut"), "{name}");
            assert!(message.contains(&name), "{message}");
        }
    }

    #[test]
    fn cases_are_counted_by_what_became_of_them() {
        let tally = random_cases(40, 0_u8..4, |case, number| {
            if number == 0 {
                return case.pass_over("too small");
            }
            case.count("compared");
            Ok(())
        });
        assert_eq!(tally.of("compared") + tally.of("too small"), u64::from(config(40).cases));
        tally.at_least("compared", 20).at_least("too small", 1);
    }
}
